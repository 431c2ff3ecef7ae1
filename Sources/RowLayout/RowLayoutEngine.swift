// The engine: kit, answers and viewport in, rows with heights out.

public import InterviewKits
internal import Locks
internal import Synchronization
public import TextLayout

/// Lays kits out. Safe to use from several threads at once.
///
/// What is measured once is kept: the rows of a kit before answers by kit revision and viewport, and each part's text
/// by everything that its height depends on. A changed answer measures one text again, a changed question its own.
public final class RowLayoutEngine: Sendable {
  public let measurer: TextMeasurer
  public let limits: RowLayoutLimits

  private struct PlanKey: Hashable, Sendable {
    var kit: ObjectIdentifier
    var viewport: Int
  }

  private let parts: PartMeasurer
  private let plans: BoundedCache<PlanKey, KitPlan>
  private let viewports: BoundedCache<Viewport, ResolvedViewport>
  private let serial = Atomic(0)
  private let fonts = Lock<String?>(nil)

  /// - Parameters:
  ///   - measurer: measures the texts; its fonts are part of every fingerprint.
  ///   - limits: the room of the caches, and what measure requests may ask for.
  public init(measurer: TextMeasurer, limits: RowLayoutLimits = .standard) {
    (self.measurer, self.limits) = (measurer, limits)
    parts = PartMeasurer(measurer: measurer, cacheBytes: limits.partCacheBytes)
    plans = BoundedCache(cost: limits.planCacheRows)
    viewports = BoundedCache(cost: limits.viewportCacheCount)
  }

  /// Identifies the font files. The first time it reads all of them: call it off the path of a request.
  public var fontFingerprint: String {
    if let known = fonts.withLock({ $0 }) { return known }
    let fingerprint = measurer.fonts.fingerprint
    fonts.withLock { $0 = fingerprint }
    return fingerprint
  }

  /// Identifies all that the heights in a viewport depend on besides the text.
  public func fingerprint(of viewport: Viewport) -> String { resolved(viewport).fingerprint }

  /// The rows of a kit.
  /// - Parameters:
  ///   - kit: the kit at one revision; the same object again finds its rows prepared.
  ///   - answers: by the ID of their question or criterion; none gives the empty kit.
  public func layout(of kit: KitSnapshot, answers: Answers = [:], viewport: Viewport) -> Layout {
    let plan = plan(for: kit, viewport: resolved(viewport))
    var rows: [LayoutRow] = []
    rows.reserveCapacity(plan.rows.count)
    var y = 0
    var isExact = true
    var substitutions: [FontSubstitution] = []
    for (place, row) in plan.rows.enumerated() {
      guard let geometry = plan.geometry(at: place, answers: answers) else { continue }
      rows.append(LayoutRow(id: row.id, kind: row.kind, sectionID: row.sectionID, y: y, geometry: geometry))
      y += geometry.height
      isExact = isExact && geometry.isExact
      substitutions.addMissing(geometry.substitutions)
    }
    return Layout(
      kitID: kit.kit.id, kitRevision: kit.kit.revision, viewport: viewport, fingerprint: plan.viewport.fingerprint,
      rows: rows, contentPixels: y, isExact: isExact, substitutions: substitutions)
  }

  /// What a change of answers does to the rows of a kit.
  /// - Parameters:
  ///   - before: all answers before the change.
  ///   - after: all answers after it.
  ///   - changed: the items whose answers differ, where the caller knows them: other rows are compared by whether they
  ///     are shown alone.
  public func delta(
    kit: KitSnapshot, before: Answers, after: Answers, changed: Set<ItemID>? = nil,
    viewport: Viewport
  ) -> LayoutDelta {
    let plan = plan(for: kit, viewport: resolved(viewport))
    var delta = LayoutDelta(
      viewport: viewport, fingerprint: plan.viewport.fingerprint, contentPixels: 0, changed: [], inserted: [],
      removed: [])
    var last: ItemID?
    for (place, row) in plan.rows.enumerated() {
      let new = plan.geometry(at: place, answers: after)
      let isSame = row.conditioned == nil && changed.map { !$0.contains(row.id) } ?? false
      let old = isSame ? new : plan.geometry(at: place, answers: before)
      switch (old, new) {
      case (let old?, let new?):
        if old.height != new.height {
          delta.changed.append(.init(id: row.id, geometry: new, heightDelta: new.height - old.height))
        }
      case (nil, let new?):
        let inserted = LayoutRow(
          id: row.id, kind: row.kind, sectionID: row.sectionID, y: delta.contentPixels, geometry: new)
        delta.inserted.append(.init(after: last, row: inserted))
      case (_?, nil): delta.removed.append(row.id)
      case (nil, nil): break
      }
      if let new {
        delta.contentPixels += new.height
        last = row.id
      }
    }
    return delta
  }

  private func plan(for kit: KitSnapshot, viewport: ResolvedViewport) -> KitPlan {
    let key = PlanKey(kit: ObjectIdentifier(kit), viewport: viewport.serial)
    if let known = plans[key] { return known }
    let plan = KitPlan(kit, viewport: viewport, measurer: parts)
    plans.insert(plan, for: key, cost: plan.rows.count + 1)
    return plan
  }

  private func resolved(_ viewport: Viewport) -> ResolvedViewport {
    if let known = viewports[viewport] { return known }
    let resolved = ResolvedViewport(
      viewport, fontFingerprint: fontFingerprint, serial: serial.add(1, ordering: .relaxed).newValue)
    viewports.insert(resolved, for: viewport, cost: 1)
    return resolved
  }

  /// The bytes of text and bookkeeping that are kept, for metrics.
  public var cachedBytes: Int { parts.cacheCost }
}
