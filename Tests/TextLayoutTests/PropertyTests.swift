// What holds for every text, style and width.
import TestKit
import Testing
import TextLayout

@Suite struct PropertyTests {
  static let styles = [("Inter", LineBreakRules.Hangul.word), ("Roboto", .syllable), ("SF Pro", .syllable)]

  static func texts(seed: UInt64, count: Int) -> [String] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { _ in generator.text(scalars: Int(generator.next() % 80)) }
  }

  private func check(_ text: String, locale: String) {
    let units = Array(text.utf16)
    for (family, hangul) in Self.styles {
      let rules = TextRules.iosTextView.with { $0.breaking.hangul = hangul }
      var fewest = Int.max
      for width in [0.5, 7, 16, 40, 83.25, 170, 400, 100_000] {
        let measured = Fixture.measure(text, family, size: 17, locale: locale, width: width, rules: rules)
        #expect(measured.lines <= fewest, "\(family) \(width)")
        fewest = measured.lines
        #expect(Fixture.lines(of: text, measured).joined().utf16.elementsEqual(units))
        #expect(measured.lines == measured.lineStarts.count && measured.lines == measured.lineHeights.count)
        #expect(measured.lineStarts.first == 0)
        #expect(zip(measured.lineStarts, measured.lineStarts.dropFirst()).allSatisfy { $0 < $1 })
        #expect(measured.height >= measured.exactHeight - 1e-6 && measured.height < measured.exactHeight + 1.0 / 3)
        #expect((measured.height * 3).rounded() == measured.height * 3)
        #expect(measured.lineHeights.allSatisfy { $0 > 0 })
      }
    }
  }

  @Test(arguments: TextSample.all) func `lines give back the text, and wider is never more lines`(sample: TextSample) {
    check(sample.text, locale: sample.locale)
  }

  @Test func `random texts of many scripts do so too`() {
    for text in Self.texts(seed: 7, count: 25) { check(text, locale: "ko") }
  }

  @Test(arguments: TextSample.languages) func `a line is no wider than the room for it`(sample: TextSample) {
    for width in [120.0, 191, 260] {
      let measured = Fixture.measure(sample.text, "Inter", locale: sample.locale, width: width)
      #expect(measured.width <= width)
    }
  }

  @Test func `shipped fonts have every letter of the samples`() {
    for sample in TextSample.all where sample.name != "private use" {
      #expect(!Fixture.measure(sample.text, "Inter", locale: sample.locale).missingGlyphs, "\(sample)")
    }
  }

  @Test func `measuring again, without cache and from many threads gives the same`() async {
    let uncached = TextMeasurer(fonts: Fixture.fonts, cacheBytes: 0)
    let shared = TextMeasurer(fonts: Fixture.fonts, cacheBytes: 20_000)
    let measure = { @Sendable (measurer: TextMeasurer, sample: TextSample) in
      measurer.measure(
        sample.text, style: TextStyle(family: "Inter", size: 15, locale: sample.locale), width: 130, rules: .android)
    }
    let expected = TextSample.all.map { measure(uncached, $0) }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 { group.addTask { TextSample.all.map { measure(shared, $0) } == expected } }
      for await isSame in group { #expect(isSame) }
    }
    #expect(uncached.cachedBytes == 0)
    #expect(shared.cachedBytes > 0 && shared.cachedBytes <= 20_000)
    #expect(uncached.cacheStatistics.hits == 0 && uncached.cacheStatistics.misses > TextSample.all.count)
  }

  @Test func `the cache of paragraphs says what it holds and how often it helped`() {
    let measurer = TextMeasurer(fonts: Fixture.fonts, cacheBytes: 100_000)
    let style = TextStyle(family: "Roboto", size: 16)
    for (width, size) in [(100.0, 16.0), (200, 16), (300, 20)] {
      var sized = style
      sized.size = size
      _ = measurer.measure("one paragraph\nanother one", style: sized, width: width, rules: TextRules())
    }
    let found = measurer.cacheStatistics
    #expect((found.paragraphs, found.misses, found.hits, found.capacityBytes) == (2, 2, 4, 100_000))
    #expect(found.bytes == measurer.cachedBytes && found.bytes > 2 * 13 * 9)
  }

  @Test(arguments: [
    ("m", 1.0), ("office", 1), ("بسملة", 1), ("ที่", 1), ("한", 40), ("日本語", 200), ("ab ", 200), ("a\t", 60),
    ("👩‍👩‍👧‍👦", 1), ("a\u{AD}", 100), ("x\n", 100), ("\u{200B}", 1), ("(", 100), ("ก", 100), ("abc שלום ", 100),
    ("\u{2067}(", 100), ("(א", 100),
  ])
  func `time grows with the length, not with its square`(piece: String, width: Double) {
    let clock = ContinuousClock()
    let count = piece.utf16.count
    let text = String(repeating: piece, count: 10_000 / count)
    let elapsed = clock.measure { _ = Fixture.measure(text, "Inter", width: width) }
    #expect(elapsed < .seconds(2), "\(elapsed)")
  }
}

@Suite struct LongClusterTests {
  /// Shaping takes quadratic time within a cluster, so one that nobody could read is cut at `FontLimits.clusterUnits`.
  @Test(arguments: [
    ("e", "\u{301}", 6_399, 1), ("", "🏽", 3_200, 3_200), ("ก", "\u{0E48}", 6_399, 1), ("", "a", 100, 100),
  ])
  func `a cluster that is too long is cut without a change to the lines`(
    _ base: String, _ mark: String, _ count: Int, _ lines: Int
  ) {
    let text = base + String(repeating: mark, count: count)
    let measured = Fixture.measurer.measure(
      text, style: TextStyle(family: "Inter", size: 16), width: 0.001, rules: TextRules())
    #expect(measured.lines == lines)
    #expect(Fixture.lines(of: text, measured).joined() == text)
  }
}
