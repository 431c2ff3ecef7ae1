// One face of a font file, opened when it is first needed: HarfBuzz objects, metrics, coverage.
import CHarfBuzz
import Locks

/// Fixed point: a whole number of these parts makes one em. It is a multiple of the units per em in use (2048, 2816,
/// 1000, 16384 …), so that sums of advances are exact whatever fonts they come from.
enum EmUnits {
  static let perEm: Int64 = 337_920_000
}

/// A face that is known by file and index, and opened once.
final class FontFace: Sendable {
  let file: String
  let index: Int
  let weight: Int
  /// Of a variable font: the weights that it has.
  let weights: ClosedRange<Int>?
  private let isInstance: Bool
  private let state: Lock<OpenFace?> = Lock(nil)
  private let instances: Lock<[Int: FontFace]> = Lock([:])

  init(file: String, index: Int, weight: Int, weights: ClosedRange<Int>? = nil, isInstance: Bool = false) {
    self.file = file
    self.index = index
    self.weight = weight
    self.weights = weights
    self.isInstance = isInstance
  }

  /// The face at the weight nearest to the one wanted: itself, unless the font is variable.
  func instance(weight: Int) -> FontFace {
    guard let weights else { return self }
    let weight = min(max(weight, weights.lowerBound), weights.upperBound)
    return instances.withLock { instances in
      if let instance = instances[weight] { return instance }
      if instances.count >= FontLimits.instances { instances.removeAll() }
      let instance = FontFace(file: file, index: index, weight: weight, isInstance: true)
      instances[weight] = instance
      return instance
    }
  }

  /// The opened face. A file that was replaced by something else since the start has no glyphs.
  func opened() -> OpenFace {
    state.withLock { state in
      if let open = state { return open }
      let open = OpenFace(file: file, index: index, weight: isInstance ? weight : nil)
      state = open
      return open
    }
  }
}

/// An opened face.
///
/// `@unchecked Sendable`: the HarfBuzz face and font are made immutable in `init`, and HarfBuzz allows immutable
/// objects to be used from several threads; everything else is a constant.
@safe final class OpenFace: @unchecked Sendable {
  let font: OpaquePointer
  let face: OpaquePointer
  let unitsPerEm: Int64
  let metrics: VerticalMetrics
  let coverage: CodePointSet
  let spaceAdvance: Int64
  let notdefAdvance: Int64
  let hyphenAdvance: Int64
  /// Advance of the digit 0, CSS's `ch`.
  let zeroAdvance: Int64
  /// The glyph of U+25CC, on which HarfBuzz puts marks that have no base.
  let circleGlyph: Int?
  private let dependences: Lock<[RuleChoice: GlyphDependence?]> = Lock([:])
  /// From left to right, and from right to left.
  private let walls: [Lock<[RuleChoice: SpaceWalls?]>] = [Lock([:]), Lock([:])]

  /// - Parameter weight: place on the weight axis of a variable font, nil for the default instance.
  init(file: String, index: Int, weight: Int? = nil) {
    let blob = unsafe hb_blob_create_from_file(file)
    let face = unsafe hb_face_create(blob, UInt32(index))
    unsafe hb_blob_destroy(blob)
    unsafe hb_face_make_immutable(face)
    let font = unsafe hb_font_create(face)
    if let weight {
      var variation = hb_variation_t(tag: WeightAxis.tag, value: Float(weight))
      unsafe hb_font_set_variations(font, &variation, 1)
    }
    unsafe hb_font_make_immutable(font)
    unsafe (self.face, self.font) = (face!, font!)
    let unitsPerEm = Int64(unsafe hb_face_get_upem(face))
    self.unitsPerEm = unitsPerEm
    unsafe metrics = VerticalMetrics(face: face!, unitsPerEm: unitsPerEm).varied(font: font!)
    unsafe coverage = CodePointSet(face: face!)
    func advance(_ character: UInt32) -> Int64? {
      var glyph: hb_codepoint_t = 0
      guard unsafe hb_font_get_nominal_glyph(font, character, &glyph) != 0 else { return nil }
      return Self.emUnits(unsafe hb_font_get_glyph_h_advance(font, glyph), unitsPerEm)
    }
    notdefAdvance = Self.emUnits(unsafe hb_font_get_glyph_h_advance(font, 0), unitsPerEm)
    spaceAdvance = advance(0x20) ?? 0
    zeroAdvance = advance(0x30) ?? EmUnits.perEm / 2
    var circle: hb_codepoint_t = 0
    circleGlyph = unsafe hb_font_get_nominal_glyph(font, 0x25CC, &circle) != 0 ? Int(circle) : nil
    hyphenAdvance = advance(0x2010) ?? advance(0x2D) ?? 0
  }

  deinit {
    unsafe hb_font_destroy(font)
    unsafe hb_face_destroy(face)
  }

  /// What is proved about runs that follow the rules of a choice; read from the tables once.
  func dependence(_ choice: RuleChoice, _ make: () -> GlyphDependence?) -> GlyphDependence? {
    dependences.withLock { known in
      if let dependence = known[choice] { return dependence }
      let dependence = make()
      known[choice] = .some(dependence)
      return dependence
    }
  }

  /// Where runs that follow the rules of a choice may be parted; read from the tables once.
  func walls(_ choice: RuleChoice, isRightToLeft: Bool, _ find: () -> SpaceWalls?) -> SpaceWalls? {
    walls[isRightToLeft ? 1 : 0].withLock { known in
      if let walls = known[choice] { return walls }
      let walls = find()
      known[choice] = .some(walls)
      return walls
    }
  }

  /// Font units as parts of an em.
  func emUnits(_ value: Int32) -> Int64 { Self.emUnits(value, unitsPerEm) }

  private static func emUnits(_ value: Int32, _ unitsPerEm: Int64) -> Int64 {
    let product = Int64(value) * EmUnits.perEm
    return product.isMultiple(of: unitsPerEm)
      ? product / unitsPerEm : Int64((Double(product) / Double(unitsPerEm)).rounded())
  }
}

/// Vertical metrics in font units; descender and bottom are below the baseline and negative there.
struct VerticalMetrics: Hashable, Sendable {
  var ascender: Int
  var descender: Int
  var lineGap: Int
  var top: Int
  var bottom: Int
  var unitsPerEm: Int
}

extension VerticalMetrics {
  /// hhea's metrics, OS/2's when hhea has none (as FreeType does); `top` and `bottom` are head's yMax and yMin.
  init(face: OpaquePointer, unitsPerEm: Int64) {
    let hhea = unsafe FontTable(face: face, tag: 0x6868_6561)
    let head = unsafe FontTable(face: face, tag: 0x6865_6164)
    self.unitsPerEm = Int(unitsPerEm)
    ascender = hhea.int16(at: 4)
    descender = hhea.int16(at: 6)
    lineGap = hhea.int16(at: 8)
    bottom = head.int16(at: 38)
    top = head.int16(at: 42)
    if ascender == 0, descender == 0 {
      let os2 = unsafe FontTable(face: face, tag: 0x4F53_2F32)
      ascender = os2.int16(at: 68)
      descender = os2.int16(at: 70)
      lineGap = os2.int16(at: 72)
    }
  }

  /// With what a variable font's MVAR table adds for its instance, rounded as FreeType does.
  func varied(font: OpaquePointer) -> VerticalMetrics {
    func delta(_ tag: hb_ot_metrics_tag_t) -> Int { Int(unsafe hb_ot_metrics_get_variation(font, tag).rounded()) }
    var varied = self
    varied.ascender += delta(HB_OT_METRICS_TAG_HORIZONTAL_ASCENDER)
    varied.descender += delta(HB_OT_METRICS_TAG_HORIZONTAL_DESCENDER)
    varied.lineGap += delta(HB_OT_METRICS_TAG_HORIZONTAL_LINE_GAP)
    return varied
  }

  func replaced(by override: MetricOverride?) -> VerticalMetrics {
    guard let override else { return self }
    let factor = Double(override.unitsPerEm) / Double(unitsPerEm)
    return VerticalMetrics(
      ascender: override.ascender, descender: override.descender, lineGap: override.lineGap,
      top: Int((Double(top) * factor).rounded()), bottom: Int((Double(bottom) * factor).rounded()),
      unitsPerEm: override.unitsPerEm)
  }
}

/// The weight axis of variable fonts.
enum WeightAxis {
  static let tag: hb_tag_t = 0x7767_6874

  /// The weights of a face, nil when it has no such axis.
  static func range(file: String, index: Int) -> ClosedRange<Int>? {
    let blob = unsafe hb_blob_create_from_file(file)
    let face = unsafe hb_face_create(blob, UInt32(index))
    defer {
      unsafe hb_face_destroy(face)
      unsafe hb_blob_destroy(blob)
    }
    var axis = hb_ot_var_axis_info_t()
    guard unsafe hb_ot_var_find_axis_info(face, tag, &axis) != 0, axis.min_value <= axis.max_value else { return nil }
    return Int(axis.min_value.rounded(.up))...max(Int(axis.min_value.rounded(.up)), Int(axis.max_value))
  }
}

/// The bytes of one table, read big-endian; what lies outside reads as 0.
private struct FontTable {
  let bytes: [UInt8]

  init(face: OpaquePointer, tag: UInt32) {
    let blob = unsafe hb_face_reference_table(face, tag)
    var length: UInt32 = 0
    let start = unsafe hb_blob_get_data(blob, &length)
    let view = unsafe UnsafeRawBufferPointer(start: start, count: Int(length))
    unsafe bytes = Array(view.prefix(256))
    unsafe hb_blob_destroy(blob)
  }

  func int16(at offset: Int) -> Int {
    guard offset + 1 < bytes.count else { return 0 }
    return Int(Int16(bitPattern: UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])))
  }
}
