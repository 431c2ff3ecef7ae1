// IDs, order keys, exact text and time.

import InterviewKits
import Testing

@Suite struct ValueTests {
  @Test(arguments: ["a", "0", "A.b_c:d-e", "019a-x", String(repeating: "x", count: 64)])
  func `an ID is letters, digits and four marks`(_ string: String) {
    #expect(ItemID(string)?.string == string)
  }

  @Test(arguments: ["", ".a", "-a", "a b", "é", "a/b", "a\n", String(repeating: "x", count: 65)])
  func `anything else is no ID`(_ string: String) { #expect(ItemID(string) == nil) }

  @Test func `made IDs are UUIDs of version 7 that rise with time`() {
    var generator = SystemRandomNumberGenerator()
    let first = ItemID.make(at: Timestamp(milliseconds: 0x0192_8877_6655), using: &generator)
    let second = ItemID.make(at: Timestamp(milliseconds: 0x0192_8877_6656), using: &generator)
    #expect(first.string.hasPrefix("01928877-6655-7"))
    #expect("89ab".contains(first.string.dropFirst(19).first ?? "-"))
    #expect(first < second)
    #expect(first.string.utf8.count == 36)
  }

  @Test func `text is equal code point for code point`() {
    let composed = ExactText("Caf\u{E9}")
    let decomposed = ExactText("Cafe\u{301}")
    #expect(composed != decomposed)
    #expect(composed.scalarCount == 4)
    #expect(decomposed.scalarCount == 5)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test(arguments: ["", " ", "\u{200B}\u{FEFF} ", "\n\t", "\u{AD}", "\u{2800}", "\u{7F}\u{1}", "\u{FFF9}", "\u{301}"])
  func `invisible text is blank`(_ text: String) { #expect(ExactText(text).isBlank) }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (1_709_164_800_123, "2024-02-29T00:00:00.123Z"), (4_102_444_799_999, "2099-12-31T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"),
  ])
  func `a time is written in UTC with milliseconds`(_ milliseconds: Int, _ expected: String) {
    #expect(Timestamp(milliseconds: milliseconds).rfc3339 == expected)
  }

  @Test(arguments: ["2024-02-29", "2026-11-30", "0001-01-01", "9999-12-31"])
  func `a date reads back`(_ text: String) { #expect(CalendarDate(iso8601: text)?.iso8601 == text) }

  @Test(arguments: [
    "2023-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "2026-11-31", "+026-11-30", "2026-11-30T", "",
  ])
  func `a day that does not exist is no date`(_ text: String) { #expect(CalendarDate(iso8601: text) == nil) }

  @Test func `a key fits between any two, and appending does not lengthen keys`() throws {
    let appended = OrderKey.sequence(count: 5_000)
    #expect(zip(appended, appended.dropFirst()).allSatisfy { $0 < $1 })
    #expect(appended.allSatisfy { $0.digits.utf8.count <= 12 })
    var keys = Array(appended.prefix(2))
    for _ in 0..<400 { keys.insert(.between(keys[0], keys[1]), at: 1) }
    for _ in 0..<400 { keys.insert(.between(keys[keys.count - 2], keys[keys.count - 1]), at: keys.count - 1) }
    for _ in 0..<4_000 { keys.insert(.between(nil, keys[0]), at: 0) }
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
    #expect(keys.allSatisfy { OrderKey($0.digits) != nil && $0.digits.last != "0" })
  }

  @Test func `prepending for ever stays in order`() {
    var first = OrderKey.between(nil, nil)
    for key in ["1", "01", "000001", "0000000000001"].compactMap(OrderKey.init) {
      first = .between(nil, key)
      #expect(first < key)
    }
  }
}
