// Token buckets: what a caller may send at once and over time, and what is remembered of it.

import HTTP
import Testing

@testable import API

@Suite struct RateLimiterTests {
  private func limiter(_ text: String, callers: Int = 100) throws -> RateLimiter {
    RateLimiter(try #require(RateLimit(text)), maximumCallers: callers)
  }

  @Test func `a bucket is emptied at once and fills evenly`() throws {
    let limiter = try limiter("10/60")
    let first = (0..<10).map { _ in limiter.take("a", at: 1_000) }
    #expect(first.map(\.isAdmitted) == Array(repeating: true, count: 10))
    #expect(first.map(\.remaining) == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    #expect(first.map(\.seconds) == [6, 12, 18, 24, 30, 36, 42, 48, 54, 60])
    #expect(limiter.take("a", at: 1_000) == RateVerdict(isAdmitted: false, remaining: 0, seconds: 6))
    #expect(limiter.take("a", at: 6_999) == RateVerdict(isAdmitted: false, remaining: 0, seconds: 1))
    #expect(limiter.take("a", at: 7_000) == RateVerdict(isAdmitted: true, remaining: 0, seconds: 60))
    #expect(limiter.take("a", at: 19_000).remaining == 1)
  }

  @Test func `a refused request takes nothing`() throws {
    let limiter = try limiter("2/2")
    for _ in 0..<100 { _ = limiter.take("a", at: 0) }
    #expect(limiter.take("a", at: 1_000).isAdmitted)
  }

  @Test func `one caller's flood is not another's`() throws {
    let limiter = try limiter("3/60")
    for _ in 0..<50 { _ = limiter.take("flood", at: 0) }
    #expect(limiter.take("other", at: 0) == RateVerdict(isAdmitted: true, remaining: 2, seconds: 20))
  }

  @Test func `a clock set back locks nobody out for long`() throws {
    let limiter = try limiter("2/10")
    _ = limiter.take("a", at: 1_000_000)
    _ = limiter.take("a", at: 1_000_000)
    #expect(limiter.take("a", at: 0) == RateVerdict(isAdmitted: false, remaining: 0, seconds: 5))
    #expect(limiter.take("a", at: 5_000).isAdmitted)
  }

  @Test func `memory is bounded, and those who rested are forgotten first`() throws {
    let limiter = try limiter("5/10", callers: 100)
    for index in 0..<99 { _ = limiter.take("old \(index)", at: 0) }
    for _ in 0..<5 { _ = limiter.take("busy", at: 5_000) }
    _ = limiter.take("new", at: 5_000)
    #expect(limiter.callers == 2)
    #expect(!limiter.take("busy", at: 5_000).isAdmitted)
    for index in 0..<10_000 { _ = limiter.take("flood \(index)", at: 5_000) }
    #expect(limiter.callers <= 100)
  }

  @Test(arguments: [
    "", "10", "10/", "/10", "0/1", "1/0", "+5/1", "5/1/1", "1000001/1", "1/86401", " 5/1", "5/-1", "٥/1",
  ])
  func `what is no limit`(text: String) { #expect(RateLimit(text) == nil) }

  @Test(arguments: [
    ("10.1.2.3", "10.1.2.3"), ("::ffff:10.1.2.3", "10.1.2.3"), ("0:0:0:0:0:FFFF:0a01:0203", "10.1.2.3"),
    ("::FFFF:10.1.2.3", "10.1.2.3"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ("2001:0DB8:0001:0002::6", "2001:db8:1:2::/64"), ("2001:db8:1:2:3:4:0.5.0.6", "2001:db8:1:2::/64"),
    ("2001:db8::1", "2001:db8:0:0::/64"), ("2001:db8:0:0:8000::", "2001:db8:0:0::/64"), ("::1", "0:0:0:0::/64"),
    ("fe80::1%eth0", "fe80:0:0:0::/64"),
  ])
  func `an address is one caller however it is spelt, and so is an IPv6 network`(address: String, caller: String) {
    #expect(NumericAddress(address)?.subscriber == caller)
  }

  @Test(arguments: ["", "1.2.3", "010.1.2.3", "1.2.3.4.5", "::g", "1::2::3", "unknown", "a", "[::1]", "1.2.3.4:80"])
  func `what is no address`(text: String) { #expect(NumericAddress(text) == nil) }

  @Test(
    arguments: [
      ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("0:0:0:0:0:0:0:1", true), ("::ffff:127.0.0.1", true),
      ("::FFFF:7f00:1", true), ("128.0.0.1", false), ("::2", false), ("::127.0.0.1", false),
    ] as [(String, Bool)])
  func `this machine's own addresses are known however they are spelt`(text: String, isLoopback: Bool) {
    #expect(NumericAddress(text)?.isLoopback == isLoopback)
  }
}
