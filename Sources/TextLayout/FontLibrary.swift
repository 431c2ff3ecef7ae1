// The fonts that a configuration names: which are there, which are missing, and what identifies them.
import Digests
import JSON
import Locks

/// The fonts of one configuration file. System fonts are never consulted.
///
/// Making one reads the configuration and looks whether each file is there; a font is opened when a text needs it, and
/// digested when `digests` or `fingerprint` is first asked.
///
/// The configuration is `{ "families": [family], "fallbacks": [name] }`. A family has
/// - `name`, `faces`: `{ "file", "index" (in a collection), "weight", "sha256" (pinned: another file stops the start) }`; a
///   variable font has `"weights": [lightest, heaviest]` instead, and the weight asked picks the instance;
/// - `metrics`: `{ "ascender", "descender", "lineGap", "unitsPerEm" }` instead of hhea's;
/// - `tracking`: `[[size, points], …]`, extra advance, interpolated between sizes;
/// - `substitute`: `{ "family", "metrics", "tracking" }`, measured instead when no file is there, and reported;
/// - as a fallback: `locales` for which it is tried first, ISO 15924 `scripts` that it is meant for (others come to it last),
///   `emoji` for emoji presentation, `strikeAdvance` of its bitmaps in ems.
public final class FontLibrary: Sendable {
  /// A family as the configuration names it.
  public struct Family: Sendable, Hashable {
    public var name: String
    public var faces: [Face]
    /// The family measured instead when no file is there.
    public var substitute: String?
    /// Languages (BCP 47 prefixes) for which this family is the first of the fallbacks.
    public var locales: [String]
    /// Whether this is the family for emoji presentation.
    public var isEmoji: Bool
    /// Vertical metrics that count instead of the files' own, or of the substitute's.
    public var metrics: MetricOverride?
    /// Extra advance by size, of the family or its substitute.
    public var tracking: TrackingTable?
  }

  /// One face of a family.
  public struct Face: Sendable, Hashable {
    public var file: String
    public var index: Int
    public var weight: Int
    /// Of a variable font: the weights that it is used for.
    public var weights: ClosedRange<Int>?
    /// Why it is not there; nil when it is.
    public var absence: Absence?
    public var isPresent: Bool { absence == nil }
  }

  /// Why a face can't be used.
  public enum Absence: String, Sendable, CaseIterable {
    /// No file has this path.
    case notThere
    /// The file may not be read.
    case unreadable
    /// The file is there, and is no OpenType font.
    case noFont
    /// The collection has no face with this index.
    case noSuchFace
  }

  /// All families, in the order of the configuration.
  public let families: [Family]
  /// Files that are named but not there, or no fonts; each once.
  public let missingFiles: [String]

  /// The families that are tried after a style's own, in order.
  public var fallbacks: [String] { configuration.fallbacks }

  let configuration: FontConfiguration
  let familyIndex: [String: Int]
  /// Faces by family, nil where the file is missing.
  let faces: [[FontFace?]]
  /// The configuration as it was written.
  private let document: JSONValue
  private let directory: String
  private let files: [FileIdentity]
  private let digestStore: DigestStore
  private let fingerprintOnce: Lock<String?> = Lock(nil)

  /// Reads a configuration.
  ///
  /// - Parameters:
  ///   - configurationFile: path of `fonts.json`; relative font paths in it start at its folder.
  ///   - digestCacheFile: where digests of font files are kept between runs, or nil to keep them in memory only.
  public init(configurationFile: String, digestCacheFile: String? = nil) throws(FontError) {
    document = try Self.document(try FileReading.bytes(of: configurationFile), path: configurationFile)
    directory = Self.directory(of: configurationFile)
    let configuration = try Self.configuration(document, directory: directory, path: configurationFile)
    self.configuration = configuration
    familyIndex = Dictionary(
      configuration.families.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let present = PresentFiles(configuration.families.flatMap(\.faces))
    missingFiles = present.missing
    files = present.files
    faces = configuration.families.map { family in
      family.faces.map { face in
        guard present.has(face) else { return nil }
        return FontFace(file: face.file, index: face.index, weight: face.weight, weights: face.weights)
      }
    }
    families = configuration.families.map { family in
      Family(
        name: family.name,
        faces: family.faces.map {
          Face(file: $0.file, index: $0.index, weight: $0.weight, weights: $0.weights, absence: present.absence(of: $0))
        },
        substitute: family.substitute?.family, locales: family.locales, isEmoji: family.emoji,
        metrics: family.metrics ?? family.substitute?.metrics, tracking: family.tracking ?? family.substitute?.tracking)
    }
    digestStore = DigestStore(cacheFile: digestCacheFile)
    if files.isEmpty { throw .noFonts(path: configurationFile, missing: missingFiles) }
    try checkWeights(present, path: configurationFile)
    try checkPinnedDigests()
  }

  /// Ranges of weights need fonts that have them.
  private func checkWeights(_ present: PresentFiles, path: String) throws(FontError) {
    var problems: [String] = []
    for (index, family) in configuration.families.enumerated() {
      for (place, face) in family.faces.enumerated() where present.has(face) {
        guard let weights = face.weights else { continue }
        let pointer = "/families/\(index)/faces/\(place)/weights"
        guard let axis = WeightAxis.range(file: face.file, index: face.index) else {
          problems.append("\(pointer): \(face.file) has no weight axis.")
          continue
        }
        if !axis.contains(weights.lowerBound) || !axis.contains(weights.upperBound) {
          problems.append("\(pointer): \(face.file) has the weights \(axis.lowerBound) to \(axis.upperBound).")
        }
      }
    }
    if !problems.isEmpty { throw .invalidConfiguration(path: path, problems: problems) }
  }

  /// SHA-256 of each font file that is there, in the order of the configuration. Reads every file the first time unless
  /// the digest cache knows it: call it off the path of a request.
  public func digests() -> [(file: String, sha256: String)] {
    zip(files, digestStore.digests(of: files)).map { (file: $0.path, sha256: $1) }
  }

  /// What identifies the configuration, the content of every font file and the version of this module's rules.
  public var fingerprint: String {
    fingerprintOnce.withLock { known in
      if let known { return known }
      let fingerprint = makeFingerprint()
      known = fingerprint
      return fingerprint
    }
  }

  private func makeFingerprint() -> String {
    var digest = SHA256()
    digest.update(Array("text layout \(TextMeasurer.engineVersion)\n".utf8))
    // The files' content counts, not where they lie: the same fonts give the same fingerprint on every machine.
    let content = Dictionary(digests().map { ($0.file, $0.sha256) }) { first, _ in first }
    var writer = JSONWriter(capacity: 8_192)
    writer.value(Self.withoutPaths(document, content: content, directory: directory))
    digest.update(writer.bytes)
    return digest.finish()
  }

  /// The configuration with each file's digest in place of its path, `missing` where it has none.
  private static func withoutPaths(_ value: JSONValue, content: [String: String], directory: String) -> JSONValue {
    switch value {
    case .array(let elements):
      return .array(elements.map { withoutPaths($0, content: content, directory: directory) })
    case .object(let members):
      return .object(
        members.map { member in
          guard member.name == "file", case .string(let path) = member.value else {
            return JSONMember(member.name, withoutPaths(member.value, content: content, directory: directory))
          }
          let file = FontConfiguration.resolved(path, in: directory)
          return JSONMember(member.name, .string(content[file] ?? "missing"))
        })
    default: return value
    }
  }

  private func checkPinnedDigests() throws(FontError) {
    var pins: [String: String] = [:]
    for face in configuration.families.flatMap(\.faces) { pins[face.file] = face.sha256 ?? pins[face.file] }
    let pinned = files.filter { pins[$0.path] != nil }
    if pinned.isEmpty { return }
    for (file, actual) in zip(pinned, digestStore.digests(of: pinned)) {
      guard let expected = pins[file.path]?.lowercased(), expected != actual else { continue }
      throw .digestMismatch(file: file.path, expected: expected, actual: actual)
    }
  }

  private static func directory(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
  }

  private static func document(_ bytes: [UInt8], path: String) throws(FontError) -> JSONValue {
    do { return try JSONValue.parse(bytes) } catch {
      throw .invalidConfiguration(
        path: path, problems: ["line \(error.line), column \(error.column): \(error.message)"])
    }
  }

  private static func configuration(
    _ document: JSONValue, directory: String, path: String
  ) throws(FontError) -> FontConfiguration {
    let issues = JSONIssueList()
    let configuration = FontConfiguration(document, directory: directory, issues: issues)
    if !issues.issues.isEmpty {
      throw .invalidConfiguration(path: path, problems: issues.issues.map { "\($0.pointer): \($0.message)" })
    }
    return configuration
  }
}
