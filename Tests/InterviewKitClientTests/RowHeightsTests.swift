// The rows of a list: places, what is visible, and deltas, against sums counted plainly.

import Foundation
import TestKit
import Testing

@testable import InterviewKitClient

@Suite struct RowHeightsTests {
  private func layout(_ heights: [Int], fingerprint: String = "f", scale: Double = 3) -> Layout {
    var y = 0
    let rows = heights.enumerated().map { place, height in
      defer { y += height }
      return Layout.Row(
        id: "r\(place)", kind: "longText", sectionId: "s", y: Double(y) / scale, height: Double(height) / scale)
    }
    return Layout(
      kitId: "k", kitRevision: 1, evaluationId: "e", fingerprint: fingerprint, fidelity: "exact",
      viewport: .init(profile: "ios@1", width: 375, scale: scale, locale: "en"), contentHeight: Double(y) / scale,
      rows: rows)
  }

  private func delta(
    changed: [(String, Int)] = [], inserted: [(String?, String, Int)] = [], removed: [String] = [],
    fingerprint: String = "f"
  ) -> LayoutDelta {
    LayoutDelta(
      fingerprint: fingerprint, contentHeight: 0, changed: changed.map { .init(id: $0.0, height: Double($0.1) / 3) },
      inserted: inserted.map {
        .init(after: $0.0, row: .init(id: $0.1, kind: "yesNo", sectionId: "s", y: 0, height: Double($0.2) / 3))
      },
      removed: removed)
  }

  @Test func `heights and places are the layout's, exactly`() {
    var random = SeededGenerator(seed: 7)
    let layout = layout((0..<5_000).map { _ in Int.random(in: 60...900, using: &random) })
    let heights = RowHeights(layout)
    #expect(layout.rows.allSatisfy { heights.height(for: $0.id) == $0.height && heights.offset(for: $0.id) == $0.y })
    #expect(heights.contentHeight == layout.contentHeight)
    #expect(heights.height(for: "none") == nil && heights.offset(for: "none") == nil)
  }

  @Test func `random changes keep places equal to plain sums`() throws {
    var random = SeededGenerator(seed: 11)
    var plain: [(String, Int)] = []
    for place in 0..<40 { plain.append(("r\(place)", Int.random(in: 0...50, using: &random))) }
    var heights = RowHeights(layout(plain.map(\.1)))
    for step in 0..<600 {
      var change: (changed: [(String, Int)], inserted: [(String?, String, Int)], removed: [String]) = ([], [], [])
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let after = Bool.random(using: &random) ? plain.randomElement(using: &random)?.0 : nil
        let row = ("n\(step)", Int.random(in: 0...50, using: &random))
        plain.insert(row, at: after.map { name in plain.firstIndex { $0.0 == name }! + 1 } ?? 0)
        change.inserted = [(after, row.0, row.1)]
      case 1 where plain.count > 1:
        let place = Int.random(in: plain.indices, using: &random)
        change.removed = [plain.remove(at: place).0]
      default:
        let place = Int.random(in: plain.indices, using: &random)
        plain[place].1 = Int.random(in: 0...50, using: &random)
        change.changed = [plain[place]]
      }
      let delta = delta(changed: change.changed, inserted: change.inserted, removed: change.removed)
      try heights.apply(delta)
      try heights.apply(delta)
      #expect(heights.ids == plain.map(\.0))
      var y = 0
      for (name, height) in plain {
        #expect(heights.offset(for: name) == Double(y) / 3)
        y += height
      }
      #expect(heights.contentHeight == Double(y) / 3)
      let low = Double(Int.random(in: -20...(y + 20), using: &random)) / 3
      let high = low + Double(Int.random(in: 0...200, using: &random)) / 3
      #expect(heights.rows(in: low..<high) == touching(low * 3, high * 3, plain.map(\.1)))
    }
  }

  /// The rows from the first that ends beyond `low` to the last that begins before `high`.
  private func touching(_ low: Double, _ high: Double, _ pixels: [Int]) -> Range<Int> {
    let (low, high) = (low.rounded(), high.rounded())
    let total = pixels.reduce(0, +)
    guard high > low, high > 0, low < Double(total) else { return 0..<0 }
    var (y, touched): (Int, [Int]) = (0, [])
    for (place, height) in pixels.enumerated() {
      if Double(y + height) > max(low, 0), Double(y) < min(high, Double(total)) { touched.append(place) }
      y += height
    }
    return touched[0]..<touched[touched.count - 1] + 1
  }

  @Test func `another fingerprint is refused, and nothing changes`() throws {
    var heights = RowHeights(layout([30, 60]))
    let before = heights
    #expect(throws: RowHeightsError.otherFingerprint(have: "f", got: "g")) {
      try heights.apply(delta(changed: [("r0", 90)], fingerprint: "g"))
    }
    #expect(throws: RowHeightsError.unknownRow("missed")) {
      try heights.apply(delta(changed: [("r0", 90), ("missed", 3)], inserted: [(nil, "new", 3)]))
    }
    #expect(throws: RowHeightsError.unknownRow("gone")) { try heights.apply(delta(inserted: [("gone", "new", 3)])) }
    #expect(heights == before)
  }

  @Test func `a list scrolls no further than needed to show a row`() {
    let heights = RowHeights(layout([300, 300, 900, 300]))
    func offset(_ id: String, _ height: Double, from current: Double) -> Double? {
      heights.contentOffset(toShow: id, visibleHeight: height, from: current)
    }
    #expect(offset("r0", 250, from: 0) == 0)
    #expect(offset("r1", 150, from: 0) == 50)
    #expect(offset("r0", 150, from: 120) == 0)
    #expect(offset("r2", 200, from: 0) == 300, "the lower end of a row that is higher than the list")
    #expect(offset("r2", 200, from: 250) == 300)
    #expect(offset("r3", 1_000, from: 500) == 0, "all of it fits")
    #expect(offset("none", 200, from: 0) == nil)
  }

  @Test func `a height of the app's own holds until the service says another`() throws {
    var heights = RowHeights(layout([30, 60]))
    heights.setHeight(33.4, for: "r0")
    #expect(heights.height(for: "r0") == 101.0 / 3)
    #expect(heights.offset(for: "r1") == 101.0 / 3)
    try heights.apply(delta(changed: [("r0", 99)]))
    #expect(heights.height(for: "r0") == 33)
  }

  @Test func `an empty list has rows nowhere`() {
    let heights = RowHeights(layout([]))
    #expect(heights.rows(in: 0..<100).isEmpty && heights.contentHeight == 0 && heights.count == 0)
  }
}
