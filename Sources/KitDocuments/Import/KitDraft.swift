// A kit as it is put together from a file: JSON members, and the line and record that each part came from.

public import InterviewKits
internal import JSON

/// What an import takes when the file does not say it.
public struct ImportDefaults: Sendable {
  /// The title when the file has none.
  public var title: String
  /// The language, as a BCP 47 tag, when neither the file nor the kit that is replaced says one.
  public var language: String?
  /// The kit that is replaced: a file of questions alone keeps its settings and scales.
  public var current: Kit?

  public init(title: String = "Imported kit", language: String? = nil, current: Kit? = nil) {
    (self.title, self.language, self.current) = (title, language, current)
  }
}

/// Where a part of an import was written.
struct ImportSource: Hashable {
  var line: Int
  var record: Int?
}

/// One item's members in the form of its JSON document.
struct ItemDraft {
  var members: [JSONMember] = []
  var source: ImportSource

  init(_ source: ImportSource) { self.source = source }

  subscript(_ name: String) -> JSONValue? {
    get { members.first { $0.name == name }?.value }
    set {
      members.removeAll { $0.name == name }
      if let newValue { members.append(JSONMember(name, newValue)) }
    }
  }

  mutating func set(_ name: String, _ text: String?) { self[name] = text.map { .string($0) } }
}

/// A question with its options or criteria, a section with its questions, a scale with its points.
struct DraftNode {
  var item: ItemDraft
  /// The member that holds the children.
  var childrenName: String
  var children: [DraftNode] = []

  func value(at pointer: String, sources: inout [String: ImportSource]) -> JSONValue {
    sources[pointer] = item.source
    if childrenName.isEmpty { return .object(item.members) }
    let values = children.enumerated().map { place, child in
      child.value(at: "\(pointer)/\(childrenName)/\(place)", sources: &sources)
    }
    return .object(item.members + [JSONMember(childrenName, .array(values))])
  }
}

struct KitDraft {
  /// The kit's own members.
  var header = ItemDraft(ImportSource(line: 1))
  /// The lines of header members that have their own.
  var headerSources: [String: ImportSource] = [:]
  var scales: [DraftNode] = []
  var sections: [DraftNode] = []
  /// What the file itself gets wrong, found while it was read.
  var issues: [Issue] = []

  mutating func add(_ source: ImportSource, _ code: String, _ message: String) {
    guard issues.count < JSONLimits.issues else { return }
    let message = message.shortened(to: JSONLimits.messageScalars)
    issues.append(Issue(pointer: "", code: code, message: message, line: source.line, record: source.record))
  }

  /// For a file that has only questions: the settings and scales of the kit that is replaced, then what is taken instead.
  mutating func take(_ defaults: ImportDefaults) {
    inherit(from: defaults.current)
    if header["title"] == nil { header.set("title", defaults.title) }
    if header["language"] == nil { header.set("language", defaults.language) }
  }

  private mutating func inherit(from current: Kit?) {
    guard let current, case .object(let members) = KitJSON.document(of: current, withSections: false) else { return }
    let questions = Set(sections.flatMap(\.children).compactMap { $0.item["id"] }.map(Self.text))
    for member in members where header[member.name] == nil && member.name != "id" {
      if member.name == "overallQuestionId", !questions.contains(Self.text(member.value)) { continue }
      header[member.name] = member.value
    }
  }

  private static func text(_ value: JSONValue) -> String { if case .string(let text) = value { text } else { "" } }

  /// The kit, or all that is wrong with the file, in the order of its lines.
  func kit(id: ItemID?, now: Timestamp, ids: ItemIDSource) throws(InvalidDocument) -> Kit {
    var sources = headerSources
    var members = header.members
    if header["scales"] == nil {
      let values = scales.enumerated().map { $1.value(at: "/scales/\($0)", sources: &sources) }
      members.append(JSONMember("scales", .array(values)))
    }
    let values = sections.enumerated().map { $1.value(at: "/sections/\($0)", sources: &sources) }
    members.append(JSONMember("sections", .array(values)))
    let (kit, found) = KitJSON.readKit(.object(members), id: id, now: now, ids: ids)
    var all = issues
    for issue in found {
      let source = Self.source(of: issue.pointer, in: sources) ?? header.source
      var placed = issue
      (placed.line, placed.record) = (source.line, source.record)
      all.append(placed)
    }
    guard let kit, all.isEmpty else {
      let sorted = all.enumerated().sorted { ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset) }
      throw InvalidDocument(issues: sorted.map(\.element))
    }
    return kit
  }

  /// The source of the item or member nearest above a pointer.
  private static func source(of pointer: String, in sources: [String: ImportSource]) -> ImportSource? {
    var rest = Substring(pointer)
    while true {
      if let source = sources[String(rest)] { return source }
      guard let slash = rest.lastIndex(of: "/") else { return nil }
      rest = rest[..<slash]
    }
  }
}
