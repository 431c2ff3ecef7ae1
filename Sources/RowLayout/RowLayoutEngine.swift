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

  struct SumsKey: Hashable, Sendable {
    var plan: KitPlan.Key
    var evaluation: ItemID
    var isRedacted: Bool
  }

  private let parts: PartMeasurer
  private let plans: BoundedCache<KitPlan.Key, KitPlan>
  /// Kits by the family of their viewport.
  private let prepared: BoundedCache<KitPlan.Key, PreparedKit>
  let layouts: BoundedCache<LayoutKey, Layout>
  let documents: BoundedCache<DocumentKey, [UInt8]>
  let sums: BoundedCache<SumsKey, Lock<EvaluationSums>>
  private let viewports: BoundedCache<Viewport, ResolvedViewport>
  private let families: BoundedCache<Viewport, Int>
  /// Profiles that were sent, once they are read.
  public let profiles: ProfileMemory
  let counters = LayoutCounters()
  private let serial = Atomic(0)
  private let fonts = Lock<String?>(nil)

  /// - Parameters:
  ///   - measurer: measures the texts; its fonts are part of every fingerprint.
  ///   - limits: the room of the caches, and what measure requests may ask for.
  public init(measurer: TextMeasurer, limits: RowLayoutLimits = .standard) {
    (self.measurer, self.limits) = (measurer, limits)
    parts = PartMeasurer(measurer: measurer, cacheBytes: limits.partCacheBytes)
    plans = BoundedCache(cost: limits.planCacheBytes)
    prepared = BoundedCache(cost: limits.preparedCacheBytes)
    sums = BoundedCache(cost: limits.sumsCacheBytes)
    layouts = BoundedCache(cost: limits.layoutCacheBytes)
    documents = BoundedCache(cost: limits.documentCacheBytes)
    viewports = BoundedCache(cost: limits.viewportCacheCount)
    families = BoundedCache(cost: limits.viewportCacheCount)
    profiles = ProfileMemory(cacheBytes: limits.profileCacheBytes)
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
  ///   - showsAll: whether rows are there, too, that a condition hides.
  public func layout(
    of kit: KitSnapshot, answers: Answers = [:], viewport: Viewport, showsAll: Bool = false
  ) -> Layout {
    let plan = plan(for: kit, viewport: viewport)
    var rows: [LayoutRow] = []
    rows.reserveCapacity(plan.rows.count)
    var y = 0
    var isExact = true
    var substitutions: [FontSubstitution] = []
    for (place, row) in plan.rows.enumerated() {
      guard let geometry = plan.geometry(at: place, answers: answers, showsAll: showsAll) else { continue }
      rows.append(LayoutRow(id: row.id, kind: row.kind, sectionID: row.sectionID, y: y, geometry: geometry))
      y += geometry.height
      isExact = isExact && geometry.isExact
      substitutions.addMissing(geometry.substitutions)
    }
    return Layout(
      kitID: kit.kit.id, kitRevision: kit.kit.revision, viewport: viewport, fingerprint: plan.viewport.fingerprint,
      rows: rows, contentPixels: y, isExact: isExact, substitutions: substitutions)
  }

  func plan(for kit: KitSnapshot, viewport: Viewport) -> KitPlan {
    let viewport = resolved(viewport)
    let key = KitPlan.Key(kit: ObjectIdentifier(kit), viewport: viewport.serial)
    if let known = plans[key] { return known }
    let plan = KitPlan(prepared(kit, viewport: viewport), viewport: viewport, measurer: parts)
    plans.insert(plan, for: key, cost: plan.bytes)
    return plan
  }

  private func prepared(_ kit: KitSnapshot, viewport: ResolvedViewport) -> PreparedKit {
    let key = KitPlan.Key(kit: ObjectIdentifier(kit), viewport: viewport.family)
    if let known = prepared[key] { return known }
    let made = PreparedKit(kit, viewport: viewport, measurer: parts)
    prepared.insert(made, for: key, cost: made.bytes)
    return made
  }

  private func resolved(_ viewport: Viewport) -> ResolvedViewport {
    if let known = viewports[viewport] { return known }
    let resolved = ResolvedViewport(
      viewport, fontFingerprint: fontFingerprint, serial: serial.add(1, ordering: .relaxed).newValue,
      family: family(of: viewport))
    viewports.insert(resolved, for: viewport, cost: 1)
    return resolved
  }

  /// Keeps nothing any more of texts that were measured until now, nor what came of evaluations. Kits stay prepared.
  public func forgetTexts() {
    parts.forgetTexts()
    layouts.removeAll()
    documents.removeAll()
    sums.removeAll()
  }

  private func family(of viewport: Viewport) -> Int {
    let key = Viewport(
      profile: viewport.profile, width: 0, textSize: viewport.textSize, scale: viewport.scale, locale: viewport.locale)
    if let known = families[key] { return known }
    let family = serial.add(1, ordering: .relaxed).newValue
    families.insert(family, for: key, cost: 1)
    return family
  }

  /// What is kept in memory and its bounds, for metrics: measured parts, kits in viewports, prepared kits, sums of
  /// rows, layouts and their documents, profiles.
  public var caches: [(name: String, bytes: Int, limitBytes: Int)] {
    [
      ("parts", parts.cacheCost, limits.partCacheBytes), ("kits", plans.cost, limits.planCacheBytes),
      ("prepared", prepared.cost, limits.preparedCacheBytes),
      ("sums", sums.cost, limits.sumsCacheBytes), ("layouts", layouts.cost, limits.layoutCacheBytes),
      ("documents", documents.cost, limits.documentCacheBytes),
      ("profiles", profiles.bytes, limits.profileCacheBytes),
    ]
  }
}
