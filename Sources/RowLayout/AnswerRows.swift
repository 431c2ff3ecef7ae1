// What stands in a layout of the rows that one answer may change: what an event tells of it.

public import InterviewKits
public import JSON

/// The row of an answer, and the rows that the answer shows or hides, as they stand in one layout: not what changed, so
/// that whoever takes it over twice, or late, has the same rows as who took it over once.
public struct AnswerRows: Sendable, Hashable {
  /// Nil when the item has no row, or a hidden one.
  public var own: LayoutRow?
  /// From top to bottom. A row that is shown under a condition of its own is named too where the next one follows it, so
  /// that each row follows one that is always there, or one that is named before it.
  public var shown: [LayoutDelta.Insertion] = []
  /// In the order of the list.
  public var hidden: [ItemID] = []
}

extension Layout {
  /// - Parameter kit: the revision that this is a layout of.
  public func rows(of item: ItemID, in kit: KitSnapshot) -> AnswerRows {
    var result = AnswerRows(own: rows.first { $0.id == item })
    let dependents = kit.dependents(of: item).flatMap { id in
      [id] + (kit.question(id)?.question.criteria.map(\.id) ?? [])
    }
    guard !dependents.isEmpty else { return result }
    let wanted = Set(dependents)
    var hidden = wanted
    // The rows under conditions that stand between the last row that is always there and this place.
    var run: [LayoutDelta.Insertion] = []
    var last: ItemID?
    for row in rows {
      if kit.isConditioned(row.id) {
        run.append(LayoutDelta.Insertion(after: last, row: row))
        if wanted.contains(row.id) {
          hidden.remove(row.id)
          result.shown += run
          run = []
        }
      } else {
        run = []
      }
      last = row.id
    }
    result.hidden = dependents.filter(hidden.contains)
    return result
  }
}

extension KitSnapshot {
  /// True when the row is shown under a condition.
  fileprivate func isConditioned(_ row: ItemID) -> Bool {
    (question(row)?.question ?? criterion(row)?.scorecard)?.visibleWhen != nil
  }
}

extension LayoutJSON {
  /// - Parameter revision: the evaluation's, which the layout shows.
  public static func write(
    _ rows: AnswerRows, of layout: Layout, evaluationRevision revision: Int, to writer: inout JSONWriter
  ) {
    let scale = layout.viewport.scale
    writer.object { body in
      body.member("fingerprint", layout.fingerprint)
      body.member("viewport") { write(layout.viewport, to: &$0) }
      body.member("kitRevision", layout.kitRevision)
      body.member("evaluationRevision", revision)
      body.member("contentHeight", layout.contentHeight)
      body.member("changed") { list in
        list.array { list in
          guard let own = rows.own else { return }
          list.object { body in
            body.member("id", own.id.string)
            body.member("height", layout.length(pixels: own.height))
          }
        }
      }
      body.member("inserted") { list in
        list.array { list in
          for insertion in rows.shown {
            list.object { body in
              body.member("after", insertion.after?.string)
              body.member("row") { write(insertion.row, scale: scale, parts: false, to: &$0) }
            }
          }
        }
      }
      body.member("removed") { list in list.array { list in for id in rows.hidden { list.string(id.string) } } }
    }
  }
}
