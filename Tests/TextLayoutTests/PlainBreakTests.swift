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
    let signs = Array("abXY019éŁжΩế    ..,,:;?!''\"()[]--//".utf16)
    var plainTexts = 0
    for _ in 0..<12_000 {
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

  /// One character of each kind, in every order.
  @Test func `every five kinds of characters in a row break as ICU says, or are not plain`() {
    let kinds = Array("a1 .?'(]-/".utf16)
    var text = [UInt16](repeating: 0, count: 5)
    var plainTexts = 0
    for number in 0..<100_000 {
      var rest = number
      for place in text.indices { (text[place], rest) = (kinds[rest % 10], rest / 10) }
      guard let found = plain(text) else { continue }
      plainTexts += 1
      let expected = icu(text, "en", "strict")
      if found != expected { Issue.record("\(String(decoding: text, as: UTF16.self)): \(found), \(expected)") }
    }
    #expect(plainTexts > 1_000)
  }

  @Test func `every letter that is plain is of class AL to ICU`() {
    for letter in UInt16(0x80)...0x1FFF where plain([letter]) != nil {
      for other in Array("a1 .?'(]-/é".utf16) {
        for text in [[letter, other, letter], [other, letter, other]] {
          guard let found = plain(text) else { continue }
          #expect(found == icu(text, "ja", "normal"), "\(String(decoding: text, as: UTF16.self))")
        }
      }
    }
  }

  @Test(arguments: [
    "", "a?b", " .5", "-b", "a\tb", "a//b", "a/1", "( a", "a)(b", "a.(b", "a{b}", "a–b", "“a”", "×", "한",
  ])
  func `other texts are left to ICU`(text: String) { #expect(plain(Array(text.utf16)) == nil) }

  @Test(arguments: [
    ("don't stop, e.g. 3.5 or 10:30. Why?!  No; yes", true), ("a ", true), (" a", true), ("  ", true),
    ("Проверка (ten-year-old) and/or \"café\", ngữ", true),
  ])
  func `plain texts are found to be so`(text: String, isPlain: Bool) {
    #expect((plain(Array(text.utf16)) != nil) == isPlain)
  }
}
