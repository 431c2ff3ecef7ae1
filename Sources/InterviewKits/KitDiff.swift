// What differs between two revisions of a kit, item by item.

public struct KitDiff: Hashable, Sendable {
  public enum ItemKind: String, Sendable {
    case section, question, option, criterion, scale, scalePoint
  }

  /// An item, and what it is part of: a question's section, an option's question, a point's scale.
  public struct Item: Hashable, Sendable {
    public var id: ItemID
    public var kind: ItemKind
    public var ownerID: ItemID?
  }

  /// An item whose text says something else.
  public struct Rewording: Hashable, Sendable {
    public var item: Item
    public var from: ExactText
    public var to: ExactText
  }

  /// A question of which other members than the text say something else.
  public struct Alteration: Hashable, Sendable {
    public var item: Item
    /// By their names in documents.
    public var members: [String]
  }

  /// Members of the kit itself, by their names in documents.
  public var header: [String] = []
  public var added: [Item] = []
  public var removed: [Item] = []
  /// Items that have another owner or stand elsewhere among their siblings: as few as explain the new order.
  public var moved: [Item] = []
  public var reworded: [Rewording] = []
  /// Always empty: a question keeps its type for good.
  public var retyped: [Item] = []
  public var changed: [Alteration] = []

  /// Nothing differs.
  public init() {}
}

extension KitDiff {
  /// What leads from one revision of a kit to another, in the order of the lists; removed items in the old order.
  public init(from old: Kit, to new: Kit) {
    header = Self.headerMembers(old, new)
    let (before, after) = (Self.entries(of: old), Self.entries(of: new))
    let oldPlaces = Dictionary(before.enumerated().map { ($1.item.id, $0) }, uniquingKeysWith: { first, _ in first })
    let newIDs = Set(after.map(\.item.id))
    removed = before.map(\.item).filter { !newIDs.contains($0.id) }
    // Siblings that were siblings before keep their places where their old places rise.
    var siblings: [Siblings: [Int]] = [:]
    for (row, entry) in after.enumerated() { siblings[entry.siblings, default: []].append(row) }
    var staying: Set<Int> = []
    for rows in siblings.values {
      let places = rows.map { row -> Int? in
        oldPlaces[after[row].item.id].flatMap { before[$0].item.ownerID == after[row].item.ownerID ? $0 : nil }
      }
      for place in longestRisingRun(places) { staying.insert(rows[place]) }
    }
    for (row, entry) in after.enumerated() {
      guard let place = oldPlaces[entry.item.id], before[place].item.kind == entry.item.kind else {
        added.append(entry.item)
        continue
      }
      if !staying.contains(row) { moved.append(entry.item) }
      compare(before[place], entry)
    }
  }

  private mutating func compare(_ old: Entry, _ new: Entry) {
    if old.text != new.text { reworded.append(Rewording(item: new.item, from: old.text, to: new.text)) }
    guard let before = old.question, let after = new.question else { return }
    if before.type != after.type { retyped.append(new.item) }
    var members: [String] = []
    if before.help != after.help { members.append("help") }
    if before.required != after.required { members.append("required") }
    if before.isPrivate != after.isPrivate { members.append("private") }
    if before.visibleWhen != after.visibleWhen { members.append("visibleWhen") }
    if before.maxLength != after.maxLength { members.append("maxLength") }
    if before.scaleID != after.scaleID { members.append("scale") }
    if !members.isEmpty { changed.append(Alteration(item: new.item, members: members)) }
  }

  private static func headerMembers(_ old: Kit, _ new: Kit) -> [String] {
    var members: [String] = []
    if old.title != new.title { members.append("title") }
    if old.instructions != new.instructions { members.append("instructions") }
    if old.language != new.language { members.append("language") }
    if old.status != new.status { members.append("status") }
    if old.visibility != new.visibility { members.append("visibility") }
    if old.overallQuestionID != new.overallQuestionID { members.append("overallQuestionId") }
    return members
  }

  /// Items that are ordered among each other.
  private struct Siblings: Hashable {
    var kind: ItemKind
    var ownerID: ItemID?
  }

  /// One item of a kit in list order.
  private struct Entry {
    var item: Item
    var text: ExactText
    var question: Question?
    var siblings: Siblings { Siblings(kind: item.kind, ownerID: item.ownerID) }
  }

  private static func entries(of kit: Kit) -> [Entry] {
    var entries: [Entry] = []
    func add(_ id: ItemID, _ kind: ItemKind, in owner: ItemID?, _ text: ExactText, _ question: Question? = nil) {
      entries.append(Entry(item: Item(id: id, kind: kind, ownerID: owner), text: text, question: question))
    }
    for scale in kit.scales {
      add(scale.id, .scale, in: nil, scale.title)
      for point in scale.points { add(point.id, .scalePoint, in: scale.id, point.label) }
    }
    for section in kit.sections {
      add(section.id, .section, in: nil, section.title)
      for question in section.questions {
        add(question.id, .question, in: section.id, question.text, question)
        for option in question.options { add(option.id, .option, in: question.id, option.text) }
        for criterion in question.criteria { add(criterion.id, .criterion, in: question.id, criterion.text) }
      }
    }
    return entries
  }
}

extension Question {
  fileprivate var maxLength: Int? {
    switch kind {
    case .shortText(let maxLength), .longText(let maxLength): maxLength
    default: nil
    }
  }
}
