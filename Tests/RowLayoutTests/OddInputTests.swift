// Random input from a seed: everything is measured or refused, nothing traps.

import InterviewKits
import JSON
import RowLayout
import TestKit
import Testing

struct OddInputTests {
  private static let words = [
    "0", "-1", "1", "375", "375.5", "1e3", "1e308", "1e400", "NaN", "inf", "", " ", ",", "5,5", "ios", "android",
    "web@1",
    "plain@9", "large", "AX5", "ko", "zh-Hant", "%", "\u{0}", "-", "0.1", "3", "٣", "999999999999999999999",
  ]

  @Test func `any query gives viewports that can be laid out, or issues`() throws {
    var generator = SeededGenerator(seed: 3)
    let names = ViewportQuery.parameterNames.sorted()
    let kit = Fixture.allTypes
    var taken = 0
    for _ in 0..<800 {
      var query = [(name: "profile", value: "ios"), (name: "width", value: "375")]
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let pair = (name: names.randomElement(using: &generator)!, value: Self.words.randomElement(using: &generator)!)
        if let place = query.firstIndex(where: { $0.name == pair.name }) {
          query[place] = pair
        } else {
          query.append(pair)
        }
      }
      do {
        let viewports = try ViewportQuery.viewports(in: query, profiles: Fixture.profiles.get(), defaultLocale: nil)
        #expect(!viewports.isEmpty)
        for viewport in viewports where viewport.width < 400 {
          taken += 1
          let layout = try Fixture.engine.get().layout(of: kit, viewport: viewport)
          #expect(layout.contentPixels == layout.rows.reduce(0) { $0 + $1.height })
        }
      } catch let error as InvalidViewport { #expect(!error.issues.isEmpty) }
    }
    #expect(taken >= 20)
  }

  @Test func `any text at any width above the insets has a height`() throws {
    var generator = SeededGenerator(seed: 9)
    let engine = try Fixture.engine.get()
    for _ in 0..<120 {
      let request: JSONValue = .object([
        .init("profile", .string(["ios", "android", "web", "plain"].randomElement(using: &generator)!)),
        .init("mode", .string(["label", "textView", "textField"].randomElement(using: &generator)!)),
        .init("width", .number(JSONNumber(Int.random(in: 23...400, using: &generator)))),
        .init("scale", .number(JSONNumber(Double.random(in: 0.1...4, using: &generator))!)),
        .init("options", .object([.init("lineStarts", .bool(true))])),
        .init(
          "texts",
          .array([
            .object([
              .init("id", .string("a")),
              .init("text", .string(generator.text(scalars: Int.random(in: 0...200, using: &generator)))),
            ])
          ])),
      ])
      let response = engine.measure(try engine.measureRequest(request))
      let result = response.results[0]
      #expect(result.height > 0 && result.height.isFinite)
      #expect(result.height >= result.exactHeight - 1e-3)
      #expect(result.lineStarts?.count == result.lines)
    }
  }
}
