// From the body of a measure request to settings, naming all that is wrong at once.

public import InterviewKits
public import JSON
internal import TextLayout

extension RowLayoutEngine {
  /// Reads the body of `POST /v1/measure`.
  /// - Throws: every issue, as `InvalidMeasureRequest`.
  /// - Parameter profiles: those that it may name.
  public func measureRequest(
    _ body: JSONValue, profiles: ProfileLibrary
  ) throws(InvalidMeasureRequest) -> MeasureRequest {
    let issues = JSONIssueList()
    var reader = MeasureReader(engine: self, profiles: profiles, issues: issues)
    let request = reader.read(body)
    guard let request, issues.issues.isEmpty else {
      throw InvalidMeasureRequest(issues: reader.distinctIssues)
    }
    return request
  }
}

/// Everything that is wrong with a measure request.
public struct InvalidMeasureRequest: Error, Sendable, Hashable {
  public var issues: [Issue]
}

private struct MeasureReader {
  let engine: RowLayoutEngine
  let profiles: ProfileLibrary
  let issues: JSONIssueList
  /// Texts without settings of their own share the top level's, which are resolved once.
  private var topSetting: (place: Int, includesLineStarts: Bool)??
  private var settings: [MeasureSetting] = []
  private let families: Set<String>

  private static let maximumIDBytes = 200

  init(engine: RowLayoutEngine, profiles: ProfileLibrary, issues: JSONIssueList) {
    (self.engine, self.profiles, self.issues) = (engine, profiles, issues)
    families = engine.fontFamilies
  }

  /// Several texts may trip over the same fault of the top level; it is told once. What could not be read is not
  /// missing too.
  var distinctIssues: [Issue] {
    var seen: Set<JSONIssue> = []
    let faulty = Set(issues.issues.filter { $0.code != "missingMember" }.map(\.pointer))
    return issues.issues.filter { issue in
      seen.insert(issue).inserted && !(issue.code == "missingMember" && faulty.contains(issue.pointer))
    }.map { Issue(pointer: $0.pointer, code: $0.code, message: $0.message) }
  }

  mutating func read(_ body: JSONValue) -> MeasureRequest? {
    guard var reader = JSONObjectReader(body, at: "", issues: issues) else { return nil }
    let top = MeasureLayer(&reader, limits: engine.limits)
    let texts = reader.requiredArray("texts") ?? []
    reader.finish()
    guard texts.count <= engine.limits.maximumTexts else {
      issues.add("/texts", "tooManyTexts", "A request holds at most \(engine.limits.maximumTexts) texts.")
      return nil
    }
    var items: [MeasureRequest.Item] = []
    var ids: Set<TextKey> = []
    for (place, element) in texts.enumerated() {
      guard let item = readText(element, at: "/texts/\(place)", over: top) else { continue }
      if !ids.insert(TextKey(text: item.id)).inserted {
        issues.add("/texts/\(place)/id", "doubledID", "Another text has the id \"\(item.id)\" already.")
      }
      items.append(item)
    }
    if texts.isEmpty { _ = sharedSetting(top) }
    return MeasureRequest(settings: settings, items: items)
  }

  private mutating func readText(
    _ element: JSONValue, at pointer: String, over top: MeasureLayer
  ) -> MeasureRequest.Item? {
    guard var reader = JSONObjectReader(element, at: pointer, issues: issues) else { return nil }
    let id = reader.requiredString("id")
    let text = reader.requiredString("text")
    let layer = MeasureLayer(&reader, limits: engine.limits)
    reader.finish()
    if let id, id.isEmpty || id.utf8.count > Self.maximumIDBytes {
      issues.add("\(pointer)/id", "invalidID", "An id has 1 to \(Self.maximumIDBytes) bytes.")
    }
    let most = engine.limits.maximumTextScalars
    if let text, text.utf8.count > most, text.unicodeScalars.count > most {
      issues.add("\(pointer)/text", "textTooLong", "A text holds at most \(most) Unicode scalars.")
      return nil
    }
    let setting = layer.isEmpty ? sharedSetting(top) : newSetting(layer.over(top))
    guard let id, let text, let setting else { return nil }
    return .init(id: id, text: text, setting: setting.place, includesLineStarts: setting.includesLineStarts)
  }

  private mutating func sharedSetting(_ top: MeasureLayer) -> (place: Int, includesLineStarts: Bool)? {
    if let known = topSetting { return known }
    let setting = newSetting(top)
    topSetting = .some(setting)
    return setting
  }

  private mutating func newSetting(_ layer: MeasureLayer) -> (place: Int, includesLineStarts: Bool)? {
    let resolver = MeasureResolver(engine: engine, profiles: profiles, issues: issues, families: families)
    guard let (setting, includesLineStarts) = resolver.resolve(layer) else { return nil }
    if let last = settings.last, last == setting { return (settings.count - 1, includesLineStarts) }
    settings.append(setting)
    return (settings.count - 1, includesLineStarts)
  }
}
