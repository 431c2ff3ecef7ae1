// Whole numbers are digits and nothing else.

import HTTP
import Testing

@Suite struct PlainNumberTests {
  @Test(arguments: [("0", 0), ("7", 7), ("007", 7), ("9223372036854775807", Int.max)])
  func `digits are a number`(text: String, number: Int) { #expect(Int(digits: text) == number) }

  @Test(arguments: ["", "+5", "-5", " 5", "5 ", "5.0", "0x5", "1_000", "٥", "5\u{301}", "9223372036854775808"])
  func `anything else is none`(text: String) { #expect(Int(digits: text) == nil) }
}
