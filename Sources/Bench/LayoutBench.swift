// How long a kit of 100 rows takes to lay out: cold, with fonts open, and again.

import InterviewKits
import RowLayout
import TextLayout

enum LayoutBench {
  static func run() throws -> [(name: String, value: Double)] {
    let fonts = try FontLibrary(configurationFile: "Config/fonts.json")
    let profiles = try ProfileLibrary(directory: "Config/profiles")
    let engine = RowLayoutEngine(measurer: TextMeasurer(fonts: fonts, cacheBytes: 16 << 20))
    let query = [(name: "profile", value: "ios"), (name: "width", value: "375"), (name: "scale", value: "3")]
    let viewport = try ViewportQuery.viewports(in: query, profiles: profiles, defaultLocale: "en")[0]

    let kits = ["first", "second"].map { KitSnapshot(SampleKit.make(id: $0, questions: 99)) }
    let cold = milliseconds { _ = engine.layout(of: kits[0], viewport: viewport) }
    let again = median { _ = engine.layout(of: kits[0], viewport: viewport) }
    let sameTexts = milliseconds { _ = engine.layout(of: kits[1], viewport: viewport) }
    let warm = median {
      let fresh = RowLayoutEngine(measurer: TextMeasurer(fonts: fonts, cacheBytes: 16 << 20))
      _ = fresh.layout(of: kits[0], viewport: viewport)
    }
    return [
      ("100 rows, fonts not open yet", cold), ("100 rows, fonts open, nothing measured yet", warm),
      ("100 rows, another kit with the same texts", sameTexts), ("100 rows, again", again),
    ]
  }

  private static func milliseconds(_ body: () -> Void) -> Double {
    let time = ContinuousClock().measure(body)
    return Double(time.components.seconds) * 1_000 + Double(time.components.attoseconds) / 1e15
  }

  private static func median(_ body: () -> Void) -> Double {
    let times = (0..<15).map { _ in milliseconds(body) }.sorted()
    return times[times.count / 2]
  }
}
