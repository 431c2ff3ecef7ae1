// The values that Config/fonts.json states, before any font file is looked at.
import JSON

/// One file of a family.
struct FaceConfiguration: Sendable, Hashable {
  var file: String
  var index: Int
  var weight: Int
  /// Of a variable font: the weights that it has, each an instance of its own.
  var weights: ClosedRange<Int>?
  var sha256: String?
}

/// Vertical metrics in font units, instead of the file's own.
public struct MetricOverride: Sendable, Hashable {
  public var ascender: Int
  public var descender: Int
  public var lineGap: Int
  public var unitsPerEm: Int
}

/// Extra advance per grapheme cluster by point size, interpolated between the entries, constant beyond them.
public struct TrackingTable: Sendable, Hashable {
  public var entries: [Entry]

  public struct Entry: Sendable, Hashable {
    public var size: Double
    public var tracking: Double
  }

  /// Tracking at a size, in the unit of the size.
  func tracking(at size: Double) -> Double {
    guard let first = entries.first, let last = entries.last else { return 0 }
    if size <= first.size { return first.tracking }
    for (lower, upper) in zip(entries, entries.dropFirst()) where size <= upper.size {
      return lower.tracking + (upper.tracking - lower.tracking) * (size - lower.size) / (upper.size - lower.size)
    }
    return last.tracking
  }
}

/// The family that stands in when a family has no file, and how it is bent to look like it.
struct SubstituteConfiguration: Sendable, Hashable {
  var family: String
  var metrics: MetricOverride?
  var tracking: TrackingTable?
}

struct FamilyConfiguration: Sendable, Hashable {
  var name: String
  var faces: [FaceConfiguration]
  /// Languages (BCP 47 prefixes) for which this family goes to the front of the fallbacks.
  var locales: [String]
  /// ISO 15924 codes that this family is meant for, as a fallback; empty: any.
  var scripts: [String]
  /// Whether this is the family for emoji presentation.
  var emoji: Bool
  /// Advance of the bitmap strike as a part of an em.
  var strikeAdvance: Double?
  var metrics: MetricOverride?
  var tracking: TrackingTable?
  var substitute: SubstituteConfiguration?
}

struct FontConfiguration: Sendable, Hashable {
  var families: [FamilyConfiguration]
  var fallbacks: [String]
}

extension FontConfiguration {
  /// Reads the document, collecting all that is wrong with it.
  /// A font's path as the configuration in that folder means it.
  static func resolved(_ file: String, in directory: String) -> String {
    file.utf8.first == UInt8(ascii: "/") ? file : directory + "/" + file
  }

  init(_ document: JSONValue, directory: String, issues: JSONIssueList) {
    families = []
    fallbacks = []
    guard var reader = JSONObjectReader(document, at: "", issues: issues) else { return }
    for (index, value) in (reader.requiredArray("families") ?? []).enumerated() {
      guard let family = FamilyConfiguration(value, at: "/families/\(index)", directory: directory, issues: issues)
      else { continue }
      if families.contains(where: { $0.name == family.name }) {
        issues.add("/families/\(index)/name", "doubledName", "The family \(family.name) is there already.")
      }
      families.append(family)
    }
    for (index, value) in (reader.requiredArray("fallbacks") ?? []).enumerated() {
      guard case .string(let name) = value else {
        issues.add("/fallbacks/\(index)", "wrongType", "A family name is needed here.")
        continue
      }
      if !families.contains(where: { $0.name == name }) {
        issues.add("/fallbacks/\(index)", "unknownFamily", "No family is named \(name).")
      }
      fallbacks.append(name)
    }
    for (index, family) in families.enumerated() {
      guard let substitute = family.substitute else { continue }
      let target = families.first { $0.name == substitute.family }
      if target == nil || target?.substitute != nil {
        issues.add(
          "/families/\(index)/substitute/family", "unknownFamily", "A family with files of its own is needed here.")
      }
    }
    reader.finish()
  }
}

extension FamilyConfiguration {
  init?(_ value: JSONValue, at pointer: String, directory: String, issues: JSONIssueList) {
    guard var reader = JSONObjectReader(value, at: pointer, issues: issues),
      let name = reader.requiredString("name")
    else { return nil }
    self.name = name
    faces = []
    for (index, value) in (reader.array("faces").value ?? []).enumerated() {
      if let face = FaceConfiguration(value, at: "\(pointer)/faces/\(index)", directory: directory, issues: issues) {
        faces.append(face)
      }
    }
    locales = Self.strings(&reader, "locales")
    scripts = Self.strings(&reader, "scripts")
    emoji = reader.bool("emoji").value ?? false
    strikeAdvance = reader.number("strikeAdvance").value?.double
    metrics = reader.object("metrics").value.flatMap { MetricOverride($0) }
    tracking = Self.tracking(&reader)
    substitute = reader.object("substitute").value.flatMap { SubstituteConfiguration($0) }
    if faces.isEmpty, substitute == nil {
      issues.add(pointer, "noFace", "A family needs faces or a substitute.")
    }
    reader.finish()
  }

  static func strings(_ reader: inout JSONObjectReader, _ name: String) -> [String] {
    var strings: [String] = []
    for value in reader.array(name).value ?? [] {
      guard case .string(let string) = value else {
        reader.report(name, "wrongType", "An array of strings is needed here.")
        continue
      }
      strings.append(string)
    }
    return strings
  }

  /// `[[size, tracking], …]`, sizes rising.
  static func tracking(_ reader: inout JSONObjectReader) -> TrackingTable? {
    guard let pairs = reader.array("tracking").value else { return nil }
    var entries: [TrackingTable.Entry] = []
    for pair in pairs {
      guard case .array(let numbers) = pair, numbers.count == 2, case .number(let first) = numbers[0],
        case .number(let second) = numbers[1], let size = first.double, let tracking = second.double,
        size > entries.last?.size ?? 0
      else {
        reader.report("tracking", "invalidTracking", "Pairs of size and tracking with rising sizes are needed here.")
        return nil
      }
      entries.append(TrackingTable.Entry(size: size, tracking: tracking))
    }
    return TrackingTable(entries: entries)
  }
}

extension FaceConfiguration {
  init?(_ value: JSONValue, at pointer: String, directory: String, issues: JSONIssueList) {
    guard var reader = JSONObjectReader(value, at: pointer, issues: issues), let file = reader.requiredString("file")
    else { return nil }
    self.file = FontConfiguration.resolved(file, in: directory)
    index = reader.integer("index").value ?? 0
    weights = Self.weights(&reader)
    let named = reader.integer("weight").value
    weight = named ?? weights?.lowerBound ?? 400
    if named != nil, weights != nil {
      reader.report("weights", "ambiguous", "A face has a weight or a range of weights.")
    }
    sha256 = reader.string("sha256").value
    if index < 0 { reader.report("index", "outOfRange", "An index in the collection starts at 0.") }
    if !(1...1000).contains(weight) { reader.report("weight", "outOfRange", "A weight lies within 1–1000.") }
    reader.finish()
  }

  /// `[lightest, heaviest]`.
  private static func weights(_ reader: inout JSONObjectReader) -> ClosedRange<Int>? {
    guard let pair = reader.array("weights").value else { return nil }
    guard pair.count == 2, case .number(let first) = pair[0], case .number(let last) = pair[1],
      let lightest = first.integer, let heaviest = last.integer, (1...1000).contains(lightest),
      (lightest...1000).contains(heaviest)
    else {
      reader.report("weights", "outOfRange", "The lightest and the heaviest weight are needed here, within 1–1000.")
      return nil
    }
    return lightest...heaviest
  }
}

extension MetricOverride {
  init?(_ object: JSONObjectReader) {
    var reader = object
    guard let ascender = reader.requiredInteger("ascender"), let descender = reader.requiredInteger("descender"),
      let unitsPerEm = reader.requiredInteger("unitsPerEm")
    else { return nil }
    if unitsPerEm < 16 || unitsPerEm > 16_384 {
      reader.report("unitsPerEm", "outOfRange", "Units per em lie within 16–16384.")
      return nil
    }
    self.init(
      ascender: ascender, descender: descender, lineGap: reader.integer("lineGap").value ?? 0, unitsPerEm: unitsPerEm)
    reader.finish()
  }
}

extension SubstituteConfiguration {
  init?(_ object: JSONObjectReader) {
    var reader = object
    guard let family = reader.requiredString("family") else { return nil }
    self.family = family
    metrics = reader.object("metrics").value.flatMap { MetricOverride($0) }
    tracking = FamilyConfiguration.tracking(&reader)
    reader.finish()
  }
}
