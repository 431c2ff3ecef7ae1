// How long texts take to measure: never seen, seen before, at any length, and a whole kit at a new width.

import Glibc
import InterviewKits
import JSON
import RowLayout
import TextLayout

enum TextBench {
  static let texts = "Tests/Browser/texts.jsonl"
  private static let widths = [200.0, 240, 300, 333, 375, 400]

  static func run() throws -> [(name: String, value: Double)] {
    let fonts = try FontLibrary(configurationFile: "Config/fonts.json")
    let texts = try read()
    let characters = Double(texts.reduce(0) { $0 + $1.text.utf16.count })
    let uncached = TextMeasurer(fonts: fonts, cacheBytes: 0)
    let cached = TextMeasurer(fonts: fonts, cacheBytes: 64 << 20)
    // Opens the fonts, and fills the cache of the second.
    for measurer in [uncached, cached] { measure(texts, with: measurer, width: widths[0]) }
    let seen = fastest(rounds: 8) { measure(texts, with: uncached, width: widths[$0 % widths.count]) }
    let warm = fastest(rounds: 40) { measure(texts, with: cached, width: widths[$0 % widths.count]) }
    let prepared = texts.map { cached.prepare($0.text, style: style($0), rules: TextRules()) }
    let handles = fastest(rounds: 40) { round in
      for text in prepared { _ = text.measure(width: widths[round % widths.count]) }
    }
    // Every round begins with nothing but open fonts: no pair of letters was seen before.
    let fresh = (0..<8).map { round in
      let measurer = TextMeasurer(fonts: fonts, cacheBytes: 0)
      return nanoseconds { measure(texts, with: measurer, width: widths[round % widths.count]) }
    }
    var found = [
      ("first time, ns a character", first(texts, fonts) / characters),
      ("first time, all pairs of letters seen before, ns a character", seen / characters),
      ("first time, no pair of letters seen before, ns a character", (fresh.min() ?? 0) / characters),
      ("warm, another width, ns a character", warm / characters),
      ("prepared, another width, ns a character", handles / characters),
    ]
    for (script, name) in [("en", "Latin"), ("ko", "Korean"), ("ja", "Japanese"), ("ar", "Arabic"), ("th", "Thai")] {
      let own = texts.filter { $0.locale == script }
      let count = Double(own.reduce(0) { $0 + $1.text.utf16.count })
      let first = fastest(rounds: 8) { measure(own, with: uncached, width: widths[$0 % widths.count]) }
      let warm = fastest(rounds: 40) { measure(own, with: cached, width: widths[$0 % widths.count]) }
      found.append(("\(name), first time, ns a character", first / count))
      found.append(("\(name), warm, ns a character", warm / count))
    }
    return found + lengths(uncached) + (try kit(fonts))
  }

  /// Texts that were not seen before, after others of the same languages: each half after the other one. A language with one
  /// text has its first word instead. `Tests/Bench/pango.c` goes the same way.
  private static func first(_ texts: [Text], _ fonts: FontLibrary) -> Double {
    var counts: [String: Int] = [:]
    for text in texts { counts[text.locale, default: 0] += 1 }
    let lone = texts.filter { counts[$0.locale] == 1 }.map {
      Text(text: String($0.text.prefix { $0 != " " }.prefix(8)), locale: $0.locale)
    }
    let halves = (0...1).map { half in texts.indices.filter { $0 % 2 == half }.map { texts[$0] } }
    let rounds = (0..<8).map { round in
      (0...1).reduce(0.0) { sum, half in
        let measurer = TextMeasurer(fonts: fonts, cacheBytes: 64 << 20)
        measure(halves[1 - half] + lone, with: measurer, width: widths[0])
        return sum + nanoseconds { measure(halves[half], with: measurer, width: widths[round % widths.count]) }
      }
    }
    return rounds.min() ?? 0
  }

  /// One paragraph of words from 1,000 to 1,000,000 characters: time a character.
  private static func lengths(_ measurer: TextMeasurer) -> [(name: String, value: Double)] {
    let piece = "How did you go about it, 무엇을 배웠나요? 日本語のテキスト ทำงาน (and more) "
    let pieces = piece.utf16.count
    return [1_000, 10_000, 100_000, 1_000_000].map { count in
      let text = String(repeating: piece, count: count / pieces)
      let style = TextStyle(family: "Inter", size: 16)
      let time = fastest(rounds: count < 100_000 ? 5 : 2) { _ in
        _ = measurer.measure(text, style: style, width: 320, rules: TextRules())
      }
      return ("a paragraph of \(count) characters, ns a character", time / Double(text.utf16.count))
    }
  }

  /// A kit of 1,000 rows: never seen, then at another width.
  private static func kit(_ fonts: FontLibrary) throws -> [(name: String, value: Double)] {
    let profiles = try ProfileLibrary(directory: "Config/profiles")
    let kit = KitSnapshot(SampleKit.make(id: "k", questions: 999))
    func viewport(_ width: Int) throws -> Viewport {
      let query = [(name: "profile", value: "web"), (name: "width", value: "\(width)")]
      return try ViewportQuery.viewports(in: query, profiles: profiles, defaultLocale: "en")[0]
    }
    let viewports = try [375, 320, 430, 340].map(viewport)
    var (first, again) = (Double.infinity, Double.infinity)
    for _ in 0..<3 {
      let engine = RowLayoutEngine(measurer: TextMeasurer(fonts: fonts, cacheBytes: 64 << 20))
      first = min(first, nanoseconds { _ = engine.layout(of: kit, viewport: viewports[0]) })
      for viewport in viewports.dropFirst() {
        again = min(again, nanoseconds { _ = engine.layout(of: kit, viewport: viewport) })
      }
    }
    return [
      ("a kit of 1,000 rows, first time, ms", first / 1e6), ("a kit of 1,000 rows, a new width, ms", again / 1e6),
    ]
  }

  private struct Text {
    var text: String
    var locale: String
  }

  private static func measure(_ texts: [Text], with measurer: TextMeasurer, width: Double) {
    for text in texts {
      _ = measurer.measure(text.text, style: style(text), width: width, rules: TextRules(), includingLines: false)
    }
  }

  private static func style(_ text: Text) -> TextStyle { TextStyle(family: "Inter", size: 16, locale: text.locale) }

  private static func read() throws -> [Text] {
    let bytes = try contents(of: texts)
    return try bytes.split(separator: 0x0A).compactMap { line in
      let row = try JSONValue.parse(Array(line))
      guard case .string(let text) = row["text"], case .string(let locale) = row["lang"] else { return nil }
      return Text(text: text, locale: locale)
    }
  }

  private struct UnreadableFile: Error { var path: String }

  private static func contents(of path: String) throws -> [UInt8] {
    guard let file = unsafe fopen(path, "r") else { throw UnreadableFile(path: path) }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = unsafe getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return bytes
  }

  private static func fastest(rounds: Int, _ body: (Int) -> Void) -> Double {
    (0..<rounds).map { round in nanoseconds { body(round) } }.min() ?? 0
  }

  private static func nanoseconds(_ body: () -> Void) -> Double {
    let time = ContinuousClock().measure(body)
    return Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
  }
}
