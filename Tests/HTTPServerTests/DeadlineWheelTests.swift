// The wheel of deadlines, with a clock that the test turns.
import Sockets
import Testing

@testable import HTTPServer

@Suite struct DeadlineWheelTests {
  @Test func `a token is due after its deadline and not before`() {
    var wheel = DeadlineWheel(tickMilliseconds: 50, slotCount: 64, now: 1_000)
    wheel.enter(7, at: wheel.tick(for: 1_200))
    #expect(wheel.nextWait(now: 1_000) == 250)
    #expect(wheel.due(now: 1_200) == [])
    #expect(wheel.due(now: 1_250) == [7])
    #expect(wheel.due(now: 9_000) == [])
    #expect(wheel.nextWait(now: 9_000) == nil)
  }

  @Test func `a deadline beyond one turn is looked at within the turn`() {
    var wheel = DeadlineWheel(tickMilliseconds: 10, slotCount: 8, now: 0)
    wheel.enter(1, at: wheel.tick(for: 1_000))
    #expect(wheel.due(now: 70) == [1])
  }

  @Test func `a long pause loses nothing`() {
    var wheel = DeadlineWheel(tickMilliseconds: 10, slotCount: 8, now: 0)
    for token in 0..<6 { wheel.enter(UInt64(token), at: wheel.tick(for: token * 10)) }
    #expect(wheel.due(now: 100_000).sorted() == [0, 1, 2, 3, 4, 5])
  }

  @Test func `tokens are due in random order of deadlines as a plain list says`() {
    var wheel = DeadlineWheel(tickMilliseconds: 5, slotCount: 256, now: 0)
    var expected: [Int: Int] = [:]
    for token in 1...200 {
      let deadline = token * 7919 % 1_000
      expected[token] = deadline
      wheel.enter(UInt64(token), at: wheel.tick(for: deadline))
    }
    for now in stride(from: 0, through: 1_100, by: 3) {
      for token in wheel.due(now: now) {
        let deadline = expected.removeValue(forKey: Int(token)) ?? -1
        #expect(deadline >= 0 && deadline < now && now - deadline <= 16)
      }
    }
    #expect(expected.isEmpty)
  }

  @Test func `addresses are counted by host, and IPv6 by network`() throws {
    #expect(ConnectionCensus.prefix64("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64")
    #expect(ConnectionCensus.prefix64("2001:db8::1") == "2001:db8:0:0::/64")
    #expect(ConnectionCensus.prefix64("fe80::1%eth0") == "fe80:0:0:0::/64")
    var limits = ServerLimits()
    limits.connections = 10
    limits.connectionsPerAddress = 2
    let proxy = try #require(AddressRange("192.0.2.9"))
    let census = ConnectionCensus(limits: limits, trustedProxies: [proxy])
    let key = census.key(for: .ipv4("192.0.2.1", port: 1))
    #expect(census.key(for: .ipv4("127.0.0.1", port: 1)) == nil)
    #expect(census.key(for: .ipv4("192.0.2.9", port: 1)) == nil)
    #expect(census.enter(key))
    #expect(census.enter(key))
    #expect(!census.enter(key))
    #expect(census.enter(census.key(for: .ipv4("192.0.2.2", port: 1))))
    census.leave(key)
    #expect(census.enter(key))
  }
}
