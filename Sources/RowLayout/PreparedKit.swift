// A kit's rows before any width: what they are, and the texts that no answer changes, shaped.

internal import InterviewKits
internal import TextLayout

/// The rows of a kit revision in order.
final class KitRows: Sendable {
  /// Held so that its identity is not another kit's while the rows are kept.
  let snapshot: KitSnapshot
  let rows: [PlannedRow]
  /// The places of rows by their item.
  private let places: [ItemID: Int]

  init(_ snapshot: KitSnapshot, viewport: ResolvedViewport) {
    var rows: [PlannedRow] = []
    func add(_ item: RowItem, in sectionID: ItemID) {
      rows.append(PlannedRow(item, in: sectionID, rule: viewport.row(item.kind)))
    }
    for section in snapshot.kit.sections {
      add(.section(section.id, title: section.title), in: section.id)
      for question in section.questions {
        add(.question(question), in: section.id)
        for criterion in question.criteria { add(.criterion(criterion, scorecard: question), in: section.id) }
      }
    }
    (self.snapshot, self.rows) = (snapshot, rows)
    places = Dictionary(rows.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  /// The places of the items' rows and of those that their answers show or hide, from top to bottom.
  func places(hangingOn items: Set<ItemID>) -> [Int] {
    var found: Set<Int> = []
    for item in items {
      if let place = places[item] { found.insert(place) }
      for dependent in snapshot.dependents(of: item) {
        guard let place = places[dependent] else { continue }
        found.insert(place)
        // A scorecard's criteria follow it.
        var next = place + 1
        while next < rows.count, case .criterion(_, let scorecard) = rows[next].item, scorecard.id == dependent {
          found.insert(next)
          next += 1
        }
      }
    }
    return found.sorted()
  }
}

/// A kit prepared for all viewports that differ in width and slots only.
final class PreparedKit: Sendable {
  let rows: KitRows
  /// Row by row and part by part, the parts that show answers left out.
  private let texts: [PreparedText]
  /// How many texts each of those parts has.
  private let counts: [Int32]
  /// About what it takes in memory, each text counted where it is shown.
  let bytes: Int

  init(_ snapshot: KitSnapshot, viewport: ResolvedViewport, measurer: PartMeasurer) {
    rows = KitRows(snapshot, viewport: viewport)
    let composer = RowComposer(viewport: viewport, measurer: measurer, kit: snapshot)
    var (texts, counts): ([PreparedText], [Int32]) = ([], [])
    // Options recur from row to row.
    var options: [OptionKey: PreparedText] = [:]
    for row in rows.rows {
      for case .text(let part) in viewport.row(row.kind).parts where !part.role.showsAnswer {
        let own = composer.itemTexts(part.role, of: row.item).map { text in
          guard part.role == .option else { return measurer.prepare(text, in: part) }
          let key = OptionKey(setting: part.settingIndex, text: TextKey(text: text))
          let prepared = options[key] ?? measurer.prepare(text, in: part)
          options[key] = prepared
          return prepared
        }
        texts += own
        counts.append(Int32(own.count))
      }
    }
    (self.texts, self.counts) = (texts, counts)
    bytes = rows.rows.count * Self.rowBytes + texts.reduce(0) { $0 + $1.bytes }
  }

  private struct OptionKey: Hashable {
    var setting: Int
    var text: TextKey
  }

  private static let rowBytes = 300

  /// Hands the texts out in their order.
  struct Reader {
    private let kit: PreparedKit
    private var text = 0
    private var part = 0

    init(_ kit: PreparedKit) { self.kit = kit }

    /// The texts of the next part.
    mutating func next(_ body: (PreparedText) -> Void) {
      for _ in 0..<kit.counts[part] {
        body(kit.texts[text])
        text += 1
      }
      part += 1
    }
  }
}
