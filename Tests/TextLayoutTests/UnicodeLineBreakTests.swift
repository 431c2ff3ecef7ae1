// Unicode's own test of line breaking (unicode-data 15.0), against the ICU in use, which follows a later version.
import Glibc
import TestKit
import Testing

@testable import TextLayout

@Suite struct UnicodeLineBreakTests {
  static let file = "/usr/share/unicode/auxiliary/LineBreakTest.txt"
  static let isInstalled = unsafe access(file, R_OK) == 0

  /// One line of the file.
  struct Case {
    var characters: [UInt32] = []
    /// The class of each character, as the comment names it.
    var classes: [String] = []
    /// Numbers of the characters before which a line may start.
    var breaks: Set<Int> = []
    var comment: String
  }

  static func cases() throws -> [Case] {
    try String(decoding: FileReading.bytes(of: file), as: UTF8.self).split(separator: "\n").compactMap { line in
      var found = Case(comment: String(line.drop { $0 != "#" }))
      for field in line.prefix(while: { $0 != "#" }).split(whereSeparator: \.isWhitespace) {
        if field == "÷", !found.characters.isEmpty { found.breaks.insert(found.characters.count) }
        if let code = UInt32(field, radix: 16) { found.characters.append(code) }
      }
      if found.characters.isEmpty { return nil }
      // "× [0.3] NUMBER SIGN (AL) ÷ [999.0] …": the class is in the parentheses before the next rule.
      found.classes = found.comment.split(separator: "[").dropFirst().compactMap { part in
        part.lastIndex(of: ")").map { end in String(part[..<end].split(separator: "(").last ?? "") }
      }
      return found
    }
  }

  /// Numbers of the characters before which a line may start.
  private static func breaks(_ characters: [UInt32], _ language: String, _ unicode: UnicodeText) -> Set<Int> {
    var units: [UInt16] = []
    var numbers: [Int: Int] = [:]
    for (number, character) in characters.enumerated() {
      numbers[units.count] = number
      if let scalar = Unicode.Scalar(character) {
        units += Array(String(Character(scalar)).utf16)
      } else {
        units.append(UInt16(truncatingIfNeeded: character))
      }
    }
    numbers[units.count] = characters.count
    var found: Set<Int> = []
    unsafe units.withUnsafeBufferPointer { units in
      let finder = BreakFinder(rules: LineBreakRules(), language: language, unicode: unicode)
      unsafe finder.find(in: units) { found.insert(numbers[$0] ?? -1) }
    }
    return found
  }

  /// In languages of all ways to quote.
  @Test(
    .enabled(if: isInstalled, "scripts/setup test installs unicode-data"), arguments: ["en", "fr", "de", "ja", "he"])
  func `every line of LineBreakTest is right, or a rule that changed explains it`(_ language: String) throws {
    let unicode = UnicodeText()
    var unexplained: [String] = []
    let cases = try Self.cases()
    #expect(cases.count > 7_000)
    for one in cases {
      #expect(one.classes.count == one.characters.count)
      let found = Self.breaks(one.characters, language, unicode)
      for place in found.symmetricDifference(one.breaks).sorted() {
        let isFound = found.contains(place)
        if RuleChange.explaining(place, in: one, isFound: isFound) != nil { continue }
        unexplained.append("\(isFound ? "÷" : "×") before \(place): \(one.classes)")
      }
    }
    #expect(unexplained.isEmpty, "\(unexplained.count)\n\(unexplained.joined(separator: "\n"))")
  }

  @Test(.enabled(if: isInstalled, "scripts/setup test installs unicode-data"))
  func `brackets are those of BidiBrackets`() throws {
    var pairs: [UInt32: (isOpening: Bool, partner: UInt32)] = [:]
    let file = String(decoding: try FileReading.bytes(of: "/usr/share/unicode/BidiBrackets.txt"), as: UTF8.self)
    for line in file.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.prefix { $0 != "#" }.split(separator: ";").map { $0.filter { $0 != " " } }
      guard fields.count == 3, let code = UInt32(fields[0], radix: 16), let other = UInt32(fields[1], radix: 16) else {
        continue
      }
      pairs[code] = fields[2] == "o" ? (true, other) : (false, code)
    }
    #expect(pairs.count == 128)
    for code in UInt32(0)...0xFFFF {
      let found = BracketScripts.mayHave(UInt16(code)) ? BracketScripts.bracket(code) : nil
      #expect(found?.isOpening == pairs[code]?.isOpening && found?.partner == pairs[code]?.partner, "\(code)")
    }
  }

  /// What changed between Unicode 15.0 and 16.0, by rule of UAX #14.
  enum RuleChange: CaseIterable {
    /// 15.1: an opening quotation mark holds what follows over spaces, and only such a one; before, any did with `OP`.
    case lb15a
    /// 15.1: a closing quotation mark holds to what is before it over spaces.
    case lb15b
    /// 16.0: a decimal mark that begins a number may start a line after a space.
    case lb15c
    /// 16.0: a hyphen that begins a word holds to it.
    case lb20a
    /// 16.0: a Hebrew letter with a hyphen holds to what follows unless that is Hebrew.
    case lb21a
    /// 16.0: an infix separator holds to a number whatever is before it.
    case lb25

    static func explaining(_ place: Int, in one: Case, isFound: Bool) -> RuleChange? {
      allCases.first { $0.explains(one, place, isFound) }
    }

    private func explains(_ one: Case, _ place: Int, _ isFound: Bool) -> Bool {
      // Marks take the class of what they follow; the classes before the place, spaces aside, are what most rules read.
      let after = place < one.classes.count ? Self.base(one.classes[place]) : ""
      let before = one.classes[..<place].map(Self.base).filter { $0 != "CM" }
      let beforeSpaces = before.last { $0 != "SP" } ?? ""
      let isAfterSpace = before.last == "SP"
      return switch self {
      case .lb15a: beforeSpaces == "QU" && isAfterSpace && (isFound ? after == "OP" : true)
      case .lb15b: !isFound && after == "QU" && isAfterSpace
      case .lb15c: isFound && isAfterSpace && after == "IS" && one.classes.dropFirst(place + 1).first == "NU"
      case .lb20a: !isFound && after == "AL" && before == ["HY"]
      case .lb21a: isFound && after == "HL" && Array(before.suffix(2)) == ["HL", "HY"]
      case .lb25: !isFound && after == "NU" && before.last == "IS"
      }
    }

    /// `AL` for `AI_AL`, `OP` for `OP_OP30`, `CM` for `CM1_CM`.
    private static func base(_ name: String) -> String {
      let parts = name.split(separator: "_").map(String.init)
      return parts.last.map { ["OP30", "CP30"].contains($0) ? parts[0] : $0 } ?? name
    }
  }
}
