// A second device that only hears of changes has the rows that a fresh layout has.

import HTTP
import JSON
import Store
import TestKit
import Testing

@Suite struct ChangeLayoutTests {
  static let viewport = "profile=ios&width=375&scale=3"
  /// `y1` shows a row, a scorecard and, through the row's own answer, more below and above other conditional rows.
  static let questions = #"""
    {"id":"y1","type":"yesNo","text":"Show?"},
    {"id":"a","type":"longText","text":"A","visibleWhen":{"questionId":"y2","equals":true}},
    {"id":"b","type":"shortText","text":"B","visibleWhen":{"questionId":"y1","equals":true}},
    {"id":"c","type":"longText","text":"C","visibleWhen":{"questionId":"b","equals":"go"}},
    {"id":"card","type":"scorecard","text":"Card","scale":"fourPoint","criteria":[{"id":"k1","text":"One"},
      {"id":"k2","text":"Two"}],"visibleWhen":{"questionId":"y1","equals":true}},
    {"id":"d","type":"longText","text":"D"},
    {"id":"y2","type":"yesNo","text":"Show A, and E?"},
    {"id":"e","type":"longText","text":"E","visibleWhen":{"questionId":"y2","equals":false}}
    """#

  /// The rows of a device, kept by the rule that the API's description gives.
  struct Device {
    struct Row: Equatable {
      var id: String
      var height: Double
    }
    var rows: [Row] = []
    var contentHeight = 0.0

    init(_ layout: Reply) {
      for place in 0..<(layout.count("rows") ?? 0) {
        rows.append(
          Row(id: layout.string("rows/\(place)/id") ?? "?", height: layout.double("rows/\(place)/height") ?? 0))
      }
      contentHeight = layout.double("contentHeight") ?? 0
    }

    mutating func apply(_ reply: Reply, at path: String) throws {
      for place in 0..<(reply.count("\(path)/removed") ?? 0) {
        let id = reply.string("\(path)/removed/\(place)")
        rows.removeAll { $0.id == id }
      }
      for place in 0..<(reply.count("\(path)/inserted") ?? 0) {
        let row = "\(path)/inserted/\(place)/row"
        let new = Row(id: try #require(reply.string("\(row)/id")), height: try #require(reply.double("\(row)/height")))
        rows.removeAll { $0.id == new.id }
        let after = reply.string("\(path)/inserted/\(place)/after")
        let index = try after.map { after in try #require(rows.firstIndex { $0.id == after }, "\(after) is unknown") + 1
        }
        rows.insert(new, at: index ?? 0)
      }
      for place in 0..<(reply.count("\(path)/changed") ?? 0) {
        let id = reply.string("\(path)/changed/\(place)/id")
        if let row = rows.firstIndex(where: { $0.id == id }) {
          rows[row].height = try #require(reply.double("\(path)/changed/\(place)/height"))
        }
      }
      contentHeight = try #require(reply.double("\(path)/contentHeight"))
    }
  }

  private struct Writer {
    let harness: APIHarness
    var random: SeededGenerator

    /// One write of one answer, or of a few at once.
    mutating func write() async throws {
      let items = (0...random.next() % 3).map { _ in
        ["y1", "y1", "y2", "b", "b", "c", "a", "d", "e", "k1"][Int(random.next() % 10)]
      }
      func value(_ item: String) -> String {
        switch (item, random.next() % 4) {
        case (_, 0): "null"
        case ("y1", let pick), ("y2", let pick): pick == 1 ? "false" : "true"
        case ("k1", _): #""fourPoint.yes""#
        case ("b", let pick): pick == 1 ? #""stay""# : #""go""#
        default: "\"" + String(repeating: "words that wrap ", count: Int(random.next() % 20)) + "\""
        }
      }
      if items.count == 1 {
        let reply = try await harness.send(
          .put, "/v1/evaluations/e/answers/\(items[0])", "{\"value\":\(value(items[0]))}", fields: ["If-Match": "*"])
        return #expect(reply.status < 300, "\(reply.text)")
      }
      let evaluation = try await harness.send(.get, "/v1/evaluations/e")
      let operations = Set(items).sorted().enumerated().map { place, item in
        let seen = evaluation.int("answers/\(item)/revision") ?? 0
        return
          #"{"operationId":"o\#(random.next())","itemId":"\#(item)","value":\#(value(item)),"ifRevision":\#(seen)}"#
      }
      let reply = try await harness.send(
        .patch, "/v1/evaluations/e/answers", #"{"operations":[\#(operations.joined(separator: ","))]}"#)
      #expect(reply.status == 200 && !reply.text.contains("problem"), "\(reply.text)")
    }
  }

  private static func layout(_ harness: APIHarness) async throws -> Reply {
    try await harness.send(.get, "/v1/evaluations/e/layout?\(viewport)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a device that hears of each change, or of many at once, has the rows of a fresh layout`(
    _ seed: UInt64
  ) async throws {
    let harness = try APIHarness()
    try await harness.makeKit(questions: Self.questions)
    try await harness.makeEvaluation()
    var writer = Writer(harness: harness, random: SeededGenerator(seed: seed))
    let start = try await harness.send(.get, "/v1/evaluations/e")
    let since = try #require(start.string("sequence"))
    var (live, late) = (Device(try await Self.layout(harness)), Device(try await Self.layout(harness)))
    let stream = try await EventReader(harness, "/v1/changes?since=\(since)&\(Self.viewport)")
    var heard = harness.store.sequence
    for step in 1...60 {
      try await writer.write()
      // Now and then several changes gather before they are heard.
      guard step % 3 == 0 else { continue }
      while heard < harness.store.sequence {
        let event = try await stream.next()
        heard = try #require(event.int("sequence"))
        try live.apply(event.data, at: "layouts/0")
        // Once more changes nothing: the device that wrote it has it already.
        let once = live
        try live.apply(event.data, at: "layouts/0")
        #expect(live.rows == once.rows)
      }
      let fresh = Device(try await Self.layout(harness))
      #expect(live.rows == fresh.rows && live.contentHeight == fresh.contentHeight, "seed \(seed), step \(step)")
    }
    await stream.close()
    var cursor = since
    while true {
      let page = try await harness.send(.get, "/v1/changes?since=\(cursor)&limit=7&\(Self.viewport)")
      for place in 0..<(page.count("items") ?? 0) { try late.apply(page, at: "items/\(place)/layouts/0") }
      cursor = try #require(page.string("sequence"))
      if page["nextCursor"] == .null { break }
    }
    let fresh = Device(try await Self.layout(harness))
    #expect(late.rows == fresh.rows && late.contentHeight == fresh.contentHeight, "seed \(seed)")
  }

  @Test func `an event says which state its rows are of, and what the answer shows and hides`() async throws {
    let harness = try APIHarness()
    try await harness.makeKit(questions: Self.questions)
    try await harness.makeEvaluation()
    let stream = try await EventReader(harness, "/v1/changes?profile=ios&width=375,667&scale=3")
    func put(_ item: String, _ value: String) async throws -> StreamEvent {
      let reply = try await harness.send(
        .put, "/v1/evaluations/e/answers/\(item)", "{\"value\":\(value)}", fields: ["If-Match": "*"])
      #expect(reply.status < 300, "\(reply.text)")
      return try await stream.next()
    }
    func ids(_ event: StreamEvent, _ list: String, _ member: String) -> [String] {
      (0..<(event.data.count("layouts/1/\(list)") ?? 0)).compactMap { event.string("layouts/1/\(list)/\($0)\(member)") }
    }
    let shown = try await put("y1", "true")
    #expect(shown.data.count("layouts") == 2 && shown.int("layouts/1/evaluationRevision") == 2)
    #expect(shown.int("layouts/1/kitRevision") == 1 && shown.double("layouts/1/viewport/width") == 667)
    #expect(ids(shown, "changed", "/id") == ["y1"] && ids(shown, "removed", "") == ["c"])
    #expect(ids(shown, "inserted", "/row/id") == ["b", "card", "k1", "k2"])
    #expect(ids(shown, "inserted", "/after") == ["y1", "b", "card", "k1"])
    // What stands between a row that is always there and a new one is told with it.
    #expect(ids(try await put("y2", "true"), "inserted", "/row/id") == ["a"])
    let hidden = try await put("y1", "false")
    #expect(
      ids(hidden, "removed", "") == ["b", "c", "card", "k1", "k2"] && hidden.data.count("layouts/1/inserted") == 0)
    let again = try await put("y1", "true")
    #expect(ids(again, "inserted", "/row/id") == ["a", "b", "card", "k1", "k2"])
    #expect(ids(again, "inserted", "/after") == ["y1", "a", "b", "card", "k1"])
    // An answer to a hidden question changes no row.
    let other = try await put("c", "\"x\"")
    #expect(ids(other, "changed", "/id").isEmpty && ids(other, "inserted", "/after").isEmpty)
    await stream.close()
  }
}
