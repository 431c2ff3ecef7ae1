// What stands in a layout of the rows that one answer may change: what an event tells of it.

public import InterviewKits
public import JSON

/// The row of an answer, and the rows that the answer shows or hides, as they stand in one layout: not what changed, so
/// that whoever takes it over twice, or late, has the same rows as who took it over once.
public struct AnswerRows: Sendable, Hashable {
  public var viewport: Viewport
  public var fingerprint: String
  public var kitRevision: Int
  public var evaluationRevision: Int
  /// The end of the last row, in device pixels.
  public var contentPixels: Int
  /// The height of the item's own row, in device pixels; nil when it has no row, or a hidden one.
  public var height: Int?
  /// From top to bottom. A row that is shown under a condition of its own is named too where one of these follows it, so
  /// that each follows one that is always there, or one that is named before it.
  public var shown: [LayoutDelta.Insertion] = []
  /// From top to bottom.
  public var hidden: [ItemID] = []
}

extension RowLayoutEngine {
  /// How the rows stand that an answer to `item` may change. The rows of the evaluation are summed once in a viewport, and
  /// again when that is not of its revision.
  /// - Parameters:
  ///   - kit: the revision that the evaluation is on.
  ///   - isRedacted: whether answers were left out that others see.
  public func rows(
    of item: ItemID, in evaluation: Evaluation, kit: KitSnapshot, viewport: Viewport, isRedacted: Bool = false
  ) -> AnswerRows {
    let plan = plan(for: kit, viewport: viewport)
    let revision = evaluation.summary.revision
    return withSums(of: plan, in: evaluation, since: revision, isRedacted: isRedacted) { sums in
      var result = AnswerRows(
        viewport: viewport, fingerprint: plan.viewport.fingerprint, kitRevision: kit.kit.revision,
        evaluationRevision: revision, contentPixels: sums.pixels)
      var told = 0
      for place in plan.places(hangingOn: [item]) {
        if plan.rows[place].id == item {
          result.height = sums.height(of: place)
        } else if sums.height(of: place) == nil {
          result.hidden.append(plan.rows[place].id)
        } else {
          var first = place
          while first > told, plan.rows[first - 1].conditioned != nil { first -= 1 }
          for place in max(first, told)...place {
            guard let geometry = plan.geometry(at: place, answers: evaluation.answers) else { continue }
            let row = plan.rows[place]
            let shown = LayoutRow(
              id: row.id, kind: row.kind, sectionID: row.sectionID, y: sums.top(of: place), geometry: geometry)
            result.shown.append(.init(after: sums.shownPlace(before: place).map { plan.rows[$0].id }, row: shown))
          }
          told = place + 1
        }
      }
      return result
    }
  }
}

extension LayoutJSON {
  /// - Parameter item: whose answer it is.
  public static func write(_ rows: AnswerRows, of item: ItemID, to writer: inout JSONWriter) {
    let scale = rows.viewport.scale
    writer.object { body in
      body.member("fingerprint", rows.fingerprint)
      body.member("viewport") { write(rows.viewport, to: &$0) }
      body.member("kitRevision", rows.kitRevision)
      body.member("evaluationRevision", rows.evaluationRevision)
      body.member("contentHeight", Double(rows.contentPixels) / scale)
      body.member("changed") { list in
        list.array { list in
          guard let height = rows.height else { return }
          list.object { body in
            body.member("id", item.string)
            body.member("height", Double(height) / scale)
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
