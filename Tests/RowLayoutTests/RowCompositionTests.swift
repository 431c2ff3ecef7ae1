// Rows part by part: every inset, gap, minimum and separator is the profile's, every text is measured as its view shows it.

import InterviewKits
import JSON
import RowLayout
import Testing

struct RowCompositionTests {
  private static let queries = [
    "profile=ios&width=375&scale=3", "profile=ios-zero-padding&width=320&scale=2&contentSize=AX3",
    "profile=android&width=411&scale=2.625&fontScale=1.3", "profile=web&width=500&scale=1.25",
    "profile=plain&width=300&scale=1",
  ]

  /// Sums the row by hand from the profile's own numbers.
  @Test(arguments: queries)
  func `a row is its insets, parts and gaps, at least its minimum, and its separator`(query: String) throws {
    let viewport = try Fixture.viewport(query)
    let (profile, scale) = (viewport.profile, viewport.scale)
    func pixels(_ length: Double) -> Int {
      let snapped = profile.usesWholePixels ? (length * scale).rounded() / scale : length
      return Int((snapped * scale - 1e-6).rounded(.up))
    }
    for row in try Fixture.engine.get().layout(of: Fixture.allTypes, answers: Self.answers, viewport: viewport).rows {
      let rule = try #require(profile.rows[row.kind])
      var y = pixels(rule.insets.top)
      var last: PartRole?
      for part in row.geometry.parts {
        let role = try #require(part.role)
        let own = try #require(profile.parts[role])
        if let last { y += pixels(last == role ? own.gapBetween : own.gapAbove) }
        y += pixels(own.insets.top)
        #expect(part.y == y, "\(row.id) \(role)")
        #expect(part.height >= pixels(own.minimumHeight))
        y += part.height + pixels(own.insets.bottom)
        last = role
      }
      let height = max(pixels(rule.minimumHeight), y + pixels(rule.insets.bottom)) + rule.separatorPixels
      #expect(row.height == height, "\(row.id)")
    }
  }

  /// Each text measured by itself, in the mode, font and width that its part has in the row.
  @Test(arguments: queries)
  func `each part is as high as its text measured in its view`(query: String) throws {
    let viewport = try Fixture.viewport(query)
    let (profile, scale) = (viewport.profile, viewport.scale)
    func snapped(_ length: Double) -> Double {
      profile.usesWholePixels ? (length * scale).rounded() / scale : length
    }
    let layout = try Fixture.engine.get().layout(of: Fixture.allTypes, answers: Self.answers, viewport: viewport)
    for (id, texts) in Self.texts {
      let row = try #require(layout.rows.first { $0.id == Fixture.id(id) })
      let parts = row.geometry.parts.filter { $0.role != .field && $0.role != .answer }
      #expect(parts.count == texts.count, "\(id)")
      let insets = try #require(profile.rows[row.kind]).insets
      for (part, text) in zip(parts, texts) {
        let own = try #require(part.role.flatMap { profile.parts[$0] })
        let width = [insets.leading, insets.trailing, own.insets.leading, own.insets.trailing]
          .reduce(snapped(viewport.width)) { $0 - snapped($1) }
        let expected = try measured(text, part: own, width: width, viewport: viewport)
        #expect(part.height == Int((max(expected.height, own.minimumHeight) * scale).rounded()), "\(id): \(text)")
        #expect(part.lines == expected.lines)
      }
    }
  }

  @Test func `each option has lines of its own, and wraps`() throws {
    let long = "An option that is much longer than one line of a phone has room for, whatever its font"
    let options = ["A", long, "B"].enumerated().map { Option(id: Fixture.id("o\($0)"), text: ExactText($1)) }
    let kit = Fixture.kit([[Fixture.question("one", "?", .singleSelect(options))]])
    for query in Self.queries {
      let row = try Fixture.engine.get().layout(of: kit, viewport: try Fixture.viewport(query)).rows[1]
      let parts = row.geometry.parts.filter { $0.role == .option }
      #expect(parts.map { $0.lines > 1 } == [false, true, false], "\(query)")
      #expect(parts[0].height == parts[2].height && parts[1].height > parts[0].height)
      #expect(parts[1].y >= parts[0].y + parts[0].height && parts[2].y >= parts[1].y + parts[1].height)
    }
  }

  /// What the client itself shows is measured in the nearest language that the profile has.
  @Test func `a rating's labels are those of the nearest language`() throws {
    let shipped = try Fixture.profiles.get()
    let label = "Com toda a certeza, sem nenhuma dúvida, e sem mais perguntas"
    let body = #"{"extends": "web@1", "strings": {"pt": {"point.fourPoint.strongYes": "\#(label)"}}}"#
    let families = try Fixture.engine.get().fontFamilies
    let draft = try shipped.draft(try JSONValue.parse(Array(body.utf8)), name: "own", families: families)
    let library = shipped.adding(
      [SentProfile(try #require(draft))], by: "a", memory: ProfileMemory(cacheBytes: 1 << 20))
    let kit = Fixture.kit([[Fixture.question("q", "?", .rating(scale: Fixture.id("fourPoint")))]], language: "pt-BR")
    func lines(_ locale: String) throws -> [Int] {
      let query = Fixture.pairs("profile=own&width=200" + locale)
      let viewport = try ViewportQuery.viewports(in: query, profiles: library, defaultLocale: kit.kit.language)[0]
      let row = try Fixture.engine.get().layout(of: kit, viewport: viewport).rows[1]
      return row.geometry.parts.filter { $0.role == .option }.map(\.lines)
    }
    #expect(try lines("") == lines("&locale=PT") && lines("&locale=pt-PT") == lines(""))
    #expect(try lines("").last ?? 0 > 1 && lines("&locale=en") == [1, 1, 1, 1] && lines("&locale=fr") == [1, 1, 1, 1])
  }

  @Test func `without usesLineFragmentOrigin a text is one line`() throws {
    func measure(_ mode: String, _ options: String) throws -> MeasureResponse.Result {
      let text = String(repeating: "Would you tell me more? ", count: 20)
      return try Fixture.measure(
        #"{"profile": "ios", "mode": "\#(mode)", "width": 300, "options": \#(options), "texts": [{"id": "a", "text": "\#(text)\nx"}]}"#
      ).results[0]
    }
    let (lines, line) = (try measure("label", "{}"), try measure("label", #"{"usesLineFragmentOrigin": false}"#))
    #expect(lines.lines > 10 && line.lines == 1 && line.width > 300)
    #expect(abs(line.exactHeight * Double(lines.lines) - lines.exactHeight) < 1e-9)
    #expect(try measure("label", #"{"usesLineFragmentOrigin": true}"#).exactHeight == lines.exactHeight)
    #expect(throws: InvalidMeasureRequest.self) { try measure("textField", #"{"usesLineFragmentOrigin": true}"#) }
  }

  private static let answers = Fixture.answers(
    Fixture.answer("long", .text("First.\nThen more.")), Fixture.answer("c1", .point(Fixture.id("fivePoint.yes"))),
    Fixture.answer("rating", .point(Fixture.id("fourPoint.no")), comment: "Sure, and more than that: twice"),
    Fixture.answer("c2", nil, notAssessed: true))

  /// The texts of rows from top to bottom, those of fields left out.
  private static let texts = [
    "s1": ["Part"], "short": ["Name a project", "One line"],
    "long": ["Tell me about it, and about what you would do in another way today *"],
    "yes": ["Would you hire again?", "Yes", "No"], "many": ["Pick some", "A", "B"],
    "rating": ["Rate", "Strong no", "No", "Yes", "Strong yes", "Sure, and more than that: twice"],
    "card": ["Scorecard"],
    "c1": ["Depth", "Yes"], "c2": ["Clarity of what was said, and of what was not", "Choose a rating", "Not assessed"],
    "note": ["Thank the candidate.", "Always"],
  ]

  private func measured(
    _ text: String, part: PartRule, width: Double, viewport: Viewport
  ) throws -> MeasureResponse.Result {
    var writer = JSONWriter()
    writer.object { body in
      body.member("profile", viewport.profile.qualifiedName)
      body.member("mode", part.mode.rawValue)
      body.member("width", width)
      body.member("scale", viewport.scale)
      switch viewport.textSize {
      case .contentSize(let name): body.member("contentSize", name)
      case .fontScale(let factor): body.member("fontScale", factor)
      }
      body.member("font") { font in
        font.object { font in
          switch part.font.size {
          case .style(let style): font.member("style", style)
          case .fixed(let size): font.member("size", size)
          }
          if let weight = part.font.weight { font.member("weight", weight) }
        }
      }
      body.member("texts") { list in
        list.array { list in
          list.object { entry in
            entry.member("id", "a")
            entry.member("text", text)
          }
        }
      }
    }
    return try Fixture.measure(String(decoding: writer.bytes, as: UTF8.self)).results[0]
  }
}
