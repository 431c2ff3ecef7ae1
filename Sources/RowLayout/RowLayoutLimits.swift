// Every limit on what a layout or a measurement may ask for, and on what is kept in memory.

public struct RowLayoutLimits: Sendable, Hashable {
  /// The largest width, in points, dp or CSS pixels.
  public var maximumWidth = 100_000.0
  /// The largest pixel scale.
  public var maximumScale = 10.0
  /// Widths in one query: one layout each.
  public var maximumWidths = 4
  /// Texts in one measure request.
  public var maximumTexts = 1_000
  /// Unicode scalars in one text of a measure request.
  public var maximumTextScalars = 100_000
  /// The largest font size of a measure request.
  public var maximumFontSize = 2_000.0
  /// The largest line spacing or inset of a measure request.
  public var maximumSpacing = 10_000.0
  /// Measured parts that are kept, in bytes of text and bookkeeping.
  public var partCacheBytes = 8 << 20
  /// Kits that are kept prepared for a viewport, in bytes, about. One that takes more is prepared each time.
  public var planCacheBytes = 12 << 20
  /// Kits whose texts are kept shaped for viewports of any width, in bytes, about; the cache of texts may hold the same. One
  /// that takes more is put together each time.
  public var preparedCacheBytes = 12 << 20
  /// Sums over the rows of evaluations in viewports, in bytes, about.
  public var sumsCacheBytes = 2 << 20
  /// Layouts, in bytes, about.
  public var layoutCacheBytes = 4 << 20
  /// Layouts as documents, in bytes.
  public var documentCacheBytes = 4 << 20
  /// Profiles that were sent, once they are read, in bytes, about.
  public var profileCacheBytes = 2 << 20
  /// Viewports whose rules are kept resolved.
  public var viewportCacheCount = 256

  /// Bytes of a profile that is sent, with all that it extends: what is kept read in the shares of a service as shipped.
  public static let maximumProfileBytes = 128 << 10
  /// Languages of the strings of a profile that is sent.
  public static let maximumLanguages = 200
  /// Slots of a profile.
  public static let maximumSlots = 50
  /// The largest height of a slot that a viewport may name.
  public static let maximumSlotHeight = 10_000.0

  public init() {}

  /// With caches that take so many bytes together, about.
  public init(cacheBytes: Int) {
    partCacheBytes = cacheBytes / 8
    sumsCacheBytes = cacheBytes / 16
    layoutCacheBytes = cacheBytes / 8
    documentCacheBytes = cacheBytes * 5 / 32
    preparedCacheBytes = cacheBytes * 5 / 16
    profileCacheBytes = cacheBytes / 16
    planCacheBytes =
      cacheBytes - partCacheBytes - sumsCacheBytes - layoutCacheBytes - documentCacheBytes - preparedCacheBytes
      - profileCacheBytes
  }

  public static let standard = RowLayoutLimits()
}
