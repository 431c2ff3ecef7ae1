// Places to break in plain text against ICU's.
import TestKit
import Testing

@testable import TextLayout

@Suite struct PlainBreakTests {
  private let unicode = UnicodeText()

  private func icu(_ text: [UInt16], _ language: String, _ strictness: String) -> [Int] {
    var found: [Int] = []
    unsafe text.withUnsafeBufferPointer {
      unsafe unicode.lineBreaks($0, language: language, strictness: strictness) { found.append($0) }
    }
    return found
  }

  private func plain(_ text: [UInt16]) -> [Int]? {
    var found: [Int] = []
    return unsafe text.withUnsafeBufferPointer { unsafe PlainBreaks.find(in: $0) { found.append($0) } } ? found : nil
  }

  @Test(arguments: ["en", "ko", "ja", "zh", "th", "fi", "fr", "he"], ["loose", "normal", "strict"])
  func `words and their stops break as ICU says`(language: String, strictness: String) {
    var generator = SeededGenerator(seed: 3)
    let signs = Array("abcXYZ019    ..,,:;?!''".utf16)
    var plainTexts = 0
    for _ in 0..<3_000 {
      let text = (0..<1 + generator.next() % 12).map { _ in signs[Int(generator.next() % UInt64(signs.count))] }
      guard let found = plain(text) else { continue }
      plainTexts += 1
      #expect(found == icu(text, language, strictness), "\(String(decoding: text, as: UTF16.self))")
    }
    #expect(plainTexts > 500)
  }

  @Test func `every three ASCII characters between words break as ICU says, or are not plain`() {
    for first in 0x20...0x7E {
      for second in 0x20...0x7E {
        for third in 0x20...0x7E {
          let text = [UInt16](arrayLiteral: 0x61, UInt16(first), UInt16(second), UInt16(third), 0x31)
          guard let found = plain(text) else { continue }
          #expect(found == icu(text, "en", "strict"), "\(String(decoding: text, as: UTF16.self))")
        }
      }
    }
  }

  @Test(arguments: ["", "a'", "'a", "a?b", " .5", "a-b", "(a)", "é", "a\tb", "a/b", "\"a\""])
  func `other texts are left to ICU`(text: String) { #expect(plain(Array(text.utf16)) == nil) }

  @Test(arguments: [("don't stop, e.g. 3.5 or 10:30. Why?!  No; yes", true), ("a ", true), (" a", true), ("  ", true)])
  func `plain texts are found to be so`(text: String, isPlain: Bool) {
    #expect((plain(Array(text.utf16)) != nil) == isPlain)
  }
}
