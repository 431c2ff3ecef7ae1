// Words longer than a line: no line is wider than the view, and none is a soft hyphen alone without need.
import TestKit
import Testing

@testable import TextLayout

@Suite struct CutWordTests {
  static let strategies: [BreakStrategy] = [.highQuality, .balanced]
  private static let alphabets: [(locale: String, letters: [String])] = [
    ("en", "AVTLWyrveofijtkzs.,-'".map(String.init)), ("ru", "всеобщГТАУуродякжф,.-".map(String.init)),
    ("el", "ΑΤΥΡΛγλνορτυφωςΐ.,".map(String.init)), ("ka", "აბგდევზთიკლმნოპჟრს,.".map(String.init)),
    ("zh", "请讲一次你承认错误的经历，。「」".map(String.init)), ("ja", "チームのアデータっょー、。かな".map(String.init)),
  ]

  private static func text(_ letters: [String], _ generator: inout SeededGenerator) -> String {
    (0..<Int(generator.next() % 60) + 2).map { _ in
      generator.next() % 9 == 0 ? " " : letters[Int(generator.next() % UInt64(letters.count))]
    }.joined()
  }

  private func boxes(_ text: String, _ setup: TextSetup, _ room: LineRoom) throws -> [(text: String, box: LineBox)] {
    let paragraph = try #require(Fixture.measurer.paragraphs(of: text, setup).first).paragraph
    let cutter = CutSource(paragraph: paragraph, setup: setup, pool: ScratchPool(pieceBytes: 1 << 20))
    let breaker = OptimalBreaker(
      paragraph: paragraph, limit: room.limit, strategy: setup.rules.strategy, emPixels: setup.size, cutter: cutter)
    let ends = try #require(breaker.ends())
    var walker = LineWalker(paragraph: paragraph, limit: room.limit, tabs: setup.tabs, cutter: cutter)
    var found: [(String, LineBox)] = []
    walker.walk(ends: ends) {
      found.append((String(decoding: paragraph.text[$0.start..<$0.end], as: UTF16.self), $0))
    }
    return found
  }

  private func rules(_ strategy: BreakStrategy) -> TextRules {
    .android.with {
      $0.strategy = strategy
      $0.breaking.pairs = .android
      $0.breaking.hyphens = .unbroken
    }
  }

  @Test(arguments: [
    ("his interests.", "en", BreakStrategy.simple, [0, 4, 12]), ("his interests.", "en", .highQuality, [0, 8]),
    ("his interests.", "en", .balanced, [0, 7]), ("всеобщее", "ru", .simple, [0, 5]),
    ("всеобщее", "ru", .highQuality, [0, 5]), ("всеобщее", "ru", .balanced, [0, 4]),
  ])
  func `a word that is cut between kerned letters is measured as it is then`(
    _ text: String, _ locale: String, _ strategy: BreakStrategy, _ starts: [Int]
  ) {
    let measured = Fixture.measure(text, "Inter", locale: locale, width: 60, rules: rules(strategy))
    #expect(measured.width <= 60)
    #expect(measured.lineStarts == starts)
  }

  @Test(arguments: alphabets.indices, strategies)
  func `no line is wider than the view unless it is one cluster`(_ index: Int, _ strategy: BreakStrategy) throws {
    var generator = SeededGenerator(seed: UInt64(31 + index))
    let (locale, letters) = Self.alphabets[index]
    var cut = 0
    for family in ["Inter", "Roboto"] {
      let style = TextStyle(
        family: family, fallbacks: Fixture.fonts.fallbackFamilies(for: locale), size: 16, locale: locale)
      let setup = Fixture.measurer.setup(style, rules(strategy))
      for _ in 0..<60 {
        let text = Self.text(letters, &generator)
        for width in [3.0, 15, 24, 37, 60, 83, 140] {
          let room = LineRoom(width: width, size: 16)
          let lines = try boxes(text, setup, room)
          #expect(lines.map(\.text).joined() == text)
          for (line, box) in lines {
            let visible = line.drop { $0 == " " }.reversed().drop { $0 == " " }
            if visible.count > 1 {
              cut += line.hasSuffix(" ") ? 0 : 1
              #expect(box.width <= room.limit, "\(family) \(width) \(line) of \(text)")
            }
            // The line alone is as wide as the line in its place; a space where a word is cut takes room.
            if line.hasSuffix(" ") { continue }
            let alone = Fixture.measurer.measure(line, style: style, width: .infinity, rules: setup.rules).width
            #expect(abs(alone - TextLayout.length(box.width, size: 16)) < 1e-6, "\(family) \(line) of \(text)")
          }
        }
      }
    }
    #expect(cut > 500)
  }

  @Test(arguments: LinearTests.pieces + ["سلام", "AVAV", "ffi"], strategies)
  func `ten times the text is at most ten times the shaping`(_ piece: String, _ strategy: BreakStrategy) {
    // As narrow as a long word of Latin letters, so that words are cut.
    let shaped = [1_000, 10_000].map { units in
      let measurer = TextMeasurer(fonts: Fixture.fonts, cacheBytes: 0)
      let text = String(repeating: piece, count: max(1, units / piece.utf16.count))
      _ = measurer.measure(text, style: TextStyle(family: "Inter", size: 16), width: 60, rules: rules(strategy))
      return measurer.shapedUnits
    }
    #expect(shaped[1] <= shaped[0] * 12 + 1_000, "\(shaped)")
    #expect(shaped[1] <= 10_000 * 120, "\(shaped)")
  }

  // MARK: - Soft hyphens, and what takes no room

  /// Rows are Chromium's lines of Roboto at 16 px, with 64 times the size and width (`overflow-wrap: anywhere`).
  @Test(arguments: [
    ("inter\u{AD}national", 33.0, [0, 4, 6, 10]), ("inter\u{AD}national", 31, [0, 4, 6, 10]),
    ("inter\u{AD}national", 40, [0, 6, 11]), ("inter\u{AD}national", 26, [0, 3, 6, 9, 12]),
    ("inter\u{AD}m", 33, [0, 4]), ("ab inter\u{AD}national", 33, [0, 3, 7, 9, 13]),
    ("inter\u{301}\u{AD}national", 33, [0, 4, 7, 11]), ("inter\u{2060}\u{AD}national", 33, [0, 4, 7, 11]),
    ("interna\u{AD}tional", 33, [0, 5, 8, 12]),
    ("inter\u{AD}\u{301}national", 33, [0, 7, 11]), ("inter\u{AD}\u{200B}national", 33, [0, 7, 11]),
    ("inter\u{AD}\u{2060}national", 33, [0, 7, 11]), ("\u{AD}international", 33, [0, 1, 6, 10]),
    // One cluster and its hyphen are wider than the view.
    ("m\u{AD}m", 8, [0, 1, 2]), ("i\u{AD}n", 2, [0, 1, 2]),
    ("inter\u{200B}national", 33, [0, 6, 10]), ("inter\u{2060}national", 33, [0, 6, 10]),
    ("inter\u{200C}national", 33, [0, 6, 10]), ("inter\u{200D}national", 33, [0, 6, 10]),
    ("inter\u{200E}national", 33, [0, 6, 10]), ("inter\u{FEFF}national", 33, [0, 6, 10]),
    ("inter\u{FE0F}national", 33, [0, 6, 10]), ("inter\u{301}national", 33, [0, 6, 10]),
  ])
  func `a hyphen goes with the cluster before it, and what takes no room stays with what is before it`(
    _ text: String, _ width: Double, _ starts: [Int]
  ) {
    let web = TextRules(
      lineHeight: .web(height: nil), breaking: LineBreakRules(strictness: .strict, pairs: .web), scale: 1)
    for rules in [web, .iosLabel, TextRules(), .android] {
      let measured = Fixture.measure(text, width: width, rules: rules)
      #expect(measured.lineStarts == starts)
    }
  }

  /// Kerning looks past what is not seen: between `A` and `V` it is not safe to cut on either side of it.
  @Test(arguments: ["\u{AD}", "\u{2060}", "\u{200D}", "\u{200C}", "\u{FE0F}", "\u{34F}", "\u{2060}\u{2060}", "\u{301}"])
  func `no line consists of what takes no room`(_ ignorable: String) {
    let ignored = { (rules: TextRules) in rules.with { $0.breaking.softHyphen = .ignored } }
    for (family, base) in [("Inter", "AVAV"), ("Roboto", "AVAV"), ("Roboto", "mmmm"), ("Inter", "ffif")] {
      let text = base.map(String.init).joined(separator: ignorable)
      let pieces = base.enumerated().map { String($1) + ($0 < 3 ? ignorable : "") }
      for rules in [TextRules.iosLabel, .android, rules(.highQuality), rules(.balanced)] {
        let measured = Fixture.measure(text, family, width: 1, rules: ignored(rules))
        #expect(Fixture.lines(of: text, measured).map { Array($0.utf16) } == pieces.map { Array($0.utf16) })
      }
    }
  }

  @Test(arguments: [
    "inter\u{AD}national", "mmmii\u{AD}mmm", "i\u{AD}W\u{AD}iiW", "mi\u{AD}\u{AD}im", "a\u{2060}\u{AD}b",
  ])
  func `wider is never more lines with soft hyphens`(_ text: String) {
    var fewest = Int.max
    for width in stride(from: 0.25, to: 100, by: 0.25) {
      let measured = Fixture.measure(text, width: width)
      #expect(measured.lines <= fewest, "\(width)")
      fewest = measured.lines
    }
  }
}
