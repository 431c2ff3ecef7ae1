// What a write of answers does to the rows: its own rows, those that hang on them, and sums; nothing walks the kit.

public import InterviewKits
internal import Locks

extension RowLayoutEngine {
  /// What a write of answers does to the rows of an evaluation.
  ///
  /// The first delta of an evaluation in a viewport sums all its rows; later ones measure the rows that changed and take
  /// logarithmic time besides, as long as each begins at the revision where another ended.
  /// - Parameters:
  ///   - kit: the revision that the evaluation is on.
  ///   - changed: all items whose answers differ, and perhaps others.
  public func delta(
    kit: KitSnapshot, before: Evaluation, after: Evaluation, changed: Set<ItemID>, viewport: Viewport
  ) -> LayoutDelta {
    let plan = plan(for: kit, viewport: viewport)
    let places = plan.places(hangingOn: changed)
    let old = places.map { plan.geometry(at: $0, answers: before.answers) }
    let new = places.map { plan.geometry(at: $0, answers: after.answers) }
    return withSums(of: plan, in: after, since: before.summary.revision) { sums in
      for (place, geometry) in zip(places, new) { sums.set(place, to: geometry?.height) }
      return Self.delta(of: plan, places, from: old, to: new, sums: sums)
    }
  }

  private static func delta(
    of plan: KitPlan, _ places: [Int], from old: [RowGeometry?], to new: [RowGeometry?], sums: RowSums
  ) -> LayoutDelta {
    var delta = LayoutDelta(
      viewport: plan.viewport.viewport, fingerprint: plan.viewport.fingerprint, contentPixels: sums.pixels,
      changed: [], inserted: [], removed: [])
    for (index, place) in places.enumerated() {
      let row = plan.rows[place]
      switch (old[index], new[index]) {
      case (let old?, let new?):
        if old.height != new.height {
          delta.changed.append(.init(id: row.id, geometry: new, heightDelta: new.height - old.height))
        }
      case (nil, let new?):
        let inserted = LayoutRow(
          id: row.id, kind: row.kind, sectionID: row.sectionID, y: sums.top(of: place), geometry: new)
        let above = sums.shownPlace(before: place).map { plan.rows[$0].id }
        delta.inserted.append(.init(after: above, row: inserted))
      case (_?, nil): delta.removed.append(row.id)
      case (nil, nil): break
      }
    }
    return delta
  }

  /// Runs `body` with the sums of the evaluation's rows: kept ones as of `revision` or as of now, else new ones.
  func withSums<Rows: Sendable>(
    of plan: KitPlan, in evaluation: Evaluation, since revision: Int, isRedacted: Bool = false,
    _ body: (inout RowSums) -> Rows
  ) -> Rows {
    let now = evaluation.summary.revision
    let key = SumsKey(plan: plan.key, evaluation: evaluation.summary.id, isRedacted: isRedacted)
    if let known = sums[key] {
      let rows: Rows? = known.withLock { state in
        guard state.revision == revision || state.revision == now else { return nil }
        state.revision = now
        return body(&state.sums)
      }
      if let rows { return rows }
    }
    var fresh = RowSums(plan.rows.indices.map { plan.geometry(at: $0, answers: evaluation.answers)?.height })
    let rows = body(&fresh)
    let isOlder = sums[key]?.withLock { $0.revision > now } ?? false
    if !isOlder {
      let state = EvaluationSums(plan: plan, revision: now, sums: fresh)
      sums.insert(Lock(state), for: key, cost: plan.rows.count * Self.sumBytes + 256)
    }
    return rows
  }

  /// What a row takes among sums.
  private static let sumBytes = 32
}
