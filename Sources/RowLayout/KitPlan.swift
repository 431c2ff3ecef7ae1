// A kit prepared for one viewport: its rows in order, with everything measured that no answer changes.

internal import InterviewKits

/// The rows of a kit revision before answers.
final class KitPlan: Sendable {
  let viewport: ResolvedViewport
  /// The rows while unanswered.
  let unanswered: [RowGeometry]
  private let kit: KitRows
  private let composer: RowComposer

  /// A kit revision in a viewport, or in all viewports of a family.
  struct Key: Hashable, Sendable {
    var kit: ObjectIdentifier
    var viewport: Int
  }

  var key: Key { Key(kit: ObjectIdentifier(kit.snapshot), viewport: viewport.serial) }
  var rows: [PlannedRow] { kit.rows }
  /// About what it takes in memory.
  let bytes: Int
  /// Of a row, and of one that is like no other.
  private static let (rowBytes, geometryBytes) = (16, 500)

  init(_ prepared: PreparedKit, viewport: ResolvedViewport, measurer: PartMeasurer) {
    (kit, self.viewport) = (prepared.rows, viewport)
    let composer = RowComposer(viewport: viewport, measurer: measurer, kit: prepared.rows.snapshot)
    var texts = PreparedKit.Reader(prepared)
    var alike = AlikeRows()
    unanswered = prepared.rows.rows.map { composer.compose($0, &texts, &alike) }
    bytes = unanswered.count * Self.rowBytes + (alike.made + 1) * Self.geometryBytes
    self.composer = composer
  }

  /// The places of the items' rows and of those that their answers show or hide, from top to bottom.
  func places(hangingOn items: Set<ItemID>) -> [Int] { kit.places(hangingOn: items) }

  /// A row with these answers; nil when it is hidden.
  func geometry(at place: Int, answers: Answers, showsAll: Bool = false) -> RowGeometry? {
    let row = rows[place]
    if !showsAll, let question = row.conditioned, !kit.snapshot.isVisible(question, answers: answers) { return nil }
    guard row.dependsOnAnswer, !answers.isEmpty, let content = answers[row.id]?.content, !content.isEmpty else {
      return unanswered[place]
    }
    return composer.compose(row, content: content, unanswered: unanswered[place])
  }
}

/// What a row is about.
enum RowItem: Sendable {
  case section(ItemID, title: ExactText)
  case question(Question)
  case criterion(Criterion, scorecard: Question)

  var id: ItemID {
    switch self {
    case .section(let id, _): id
    case .question(let question): question.id
    case .criterion(let criterion, _): criterion.id
    }
  }

  var kind: RowKind {
    switch self {
    case .section: .section
    case .criterion: .criterion
    case .question(let question):
      switch question.type {
      case .shortText: .shortText
      case .longText: .longText
      case .yesNo: .yesNo
      case .singleSelect: .singleSelect
      case .multiSelect: .multiSelect
      case .number: .number
      case .date: .date
      case .rating: .rating
      case .scorecard: .scorecard
      case .note: .note
      }
    }
  }

  /// The question whose condition hides the row; a criterion goes with its scorecard.
  var question: Question? {
    switch self {
    case .section: nil
    case .question(let question): question
    case .criterion(_, let scorecard): scorecard
    }
  }
}

/// A row before its answer.
final class PlannedRow: Sendable {
  let item: RowItem
  let id: ItemID
  let kind: RowKind
  let sectionID: ItemID
  /// Set when an answer may hide the row.
  let conditioned: Question?
  /// Whether the item takes an answer; sections, notes and scorecards take none.
  let takesAnswer: Bool
  /// Whether an answer may change the row's height.
  let dependsOnAnswer: Bool

  init(_ item: RowItem, in sectionID: ItemID, rule: ResolvedRow) {
    (self.item, self.sectionID) = (item, sectionID)
    (id, kind) = (item.id, item.kind)
    conditioned = item.question?.visibleWhen == nil ? nil : item.question
    takesAnswer = kind != .section && kind != .note && kind != .scorecard
    dependsOnAnswer =
      takesAnswer
      && rule.parts.contains { entry in
        if case .text(let part) = entry { part.role.showsAnswer } else { false }
      }
  }
}
