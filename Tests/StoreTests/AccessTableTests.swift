// The tokens in memory: expiry, uses, and places that never change.

import InterviewKits
import Testing

@testable import Store

@Suite struct AccessTableTests {
  @Test func `digests that differ in any bit are different`() throws {
    let digest = TokenDigest(1, 2, 3, 4)
    #expect(digest == TokenDigest(1, 2, 3, 4))
    for bit in 0..<64 {
      let flip = UInt64(1) << UInt64(bit)
      let others = [
        TokenDigest(1 ^ flip, 2, 3, 4), TokenDigest(1, 2 ^ flip, 3, 4), TokenDigest(1, 2, 3 ^ flip, 4),
        TokenDigest(1, 2, 3, 4 ^ flip),
      ]
      for other in others { #expect(digest != other && TokenDigest(text: other.text) == other) }
    }
  }

  @Test func `an expired token is refused, and a use is noted once an hour`() throws {
    let table = AccessTable()
    let digest = TokenDigest(1, 2, 3, 4)
    let caller = Caller(accountID: "a", memberID: "m", role: .observer, tokenID: "t")
    let hour = StoreLimits.tokenUseMilliseconds
    table.replace(
      LoadedTokens(
        entries: [
          TokenEntry(digest: digest, caller: caller, expiresAt: Timestamp(milliseconds: 10 * hour), lastUsedAt: nil)
        ], hasTokens: true))
    let mark = try #require(table.mark(of: digest, now: Timestamp(milliseconds: 0)))
    #expect(table.takeUses().count == 1)
    #expect(table.mark(of: digest, now: Timestamp(milliseconds: hour - 1)) == mark && table.takeUses().isEmpty)
    #expect(table.mark(of: digest, now: Timestamp(milliseconds: hour)) == mark && table.takeUses().count == 1)
    #expect(table.caller(mark, now: Timestamp(milliseconds: 10 * hour - 1)) == caller)
    #expect(table.caller(mark, now: Timestamp(milliseconds: 10 * hour)) == nil)
    #expect(table.mark(of: digest, now: Timestamp(milliseconds: 10 * hour)) == nil)
    #expect(table.caller(0, now: Timestamp(milliseconds: 0)) == nil)
    #expect(table.mark(of: TokenDigest(1, 2, 3, 5), now: Timestamp(milliseconds: 0)) == nil)
  }
}
