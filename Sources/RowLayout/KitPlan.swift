// A kit prepared for one viewport: its rows in order, with everything measured that no answer changes.

internal import InterviewKits

/// The rows of a kit revision before answers.
final class KitPlan: Sendable {
  /// Held so that its identity is not another kit's while the plan is kept.
  let snapshot: KitSnapshot
  let viewport: ResolvedViewport
  let rows: [PlannedRow]
  /// The rows while unanswered.
  let unanswered: [RowGeometry]
  private let composer: RowComposer
  /// The places of rows by their item.
  private let places: [ItemID: Int]

  /// A kit revision in a viewport.
  struct Key: Hashable, Sendable {
    var kit: ObjectIdentifier
    var viewport: Int
  }

  var key: Key { Key(kit: ObjectIdentifier(snapshot), viewport: viewport.serial) }
  /// About what it takes in memory.
  var bytes: Int { rows.count * Self.rowBytes + Self.rowBytes }
  private static let rowBytes = 500

  init(_ snapshot: KitSnapshot, viewport: ResolvedViewport, measurer: PartMeasurer) {
    var rows: [PlannedRow] = []
    func add(_ item: RowItem, in sectionID: ItemID) {
      rows.append(PlannedRow(item, in: sectionID, rule: viewport.row(item.kind)))
    }
    for section in snapshot.kit.sections {
      add(.section(section.id, title: section.title), in: section.id)
      for question in section.questions {
        add(.question(question), in: section.id)
        for criterion in question.criteria { add(.criterion(criterion, scorecard: question), in: section.id) }
      }
    }
    let composer = RowComposer(viewport: viewport, measurer: measurer, kit: snapshot)
    unanswered = rows.map { composer.compose($0, content: AnswerContent(), unanswered: nil) }
    (self.snapshot, self.viewport, self.rows, self.composer) = (snapshot, viewport, rows, composer)
    places = Dictionary(rows.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  /// The places of the items' rows and of those that their answers show or hide, from top to bottom.
  func places(hangingOn items: Set<ItemID>) -> [Int] {
    var found: Set<Int> = []
    for item in items {
      if let place = places[item] { found.insert(place) }
      for dependent in snapshot.dependents(of: item) {
        guard let place = places[dependent] else { continue }
        found.insert(place)
        // A scorecard's criteria follow it.
        var next = place + 1
        while next < rows.count, case .criterion(_, let scorecard) = rows[next].item, scorecard.id == dependent {
          found.insert(next)
          next += 1
        }
      }
    }
    return found.sorted()
  }

  /// A row with these answers; nil when it is hidden.
  func geometry(at place: Int, answers: Answers, showsAll: Bool = false) -> RowGeometry? {
    let row = rows[place]
    if !showsAll, let question = row.conditioned, !snapshot.isVisible(question, answers: answers) { return nil }
    guard row.dependsOnAnswer, let content = answers[row.id]?.content, !content.isEmpty else {
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
  let rule: ResolvedRow
  /// Set when an answer may hide the row.
  let conditioned: Question?
  /// Whether the item takes an answer; sections, notes and scorecards take none.
  let takesAnswer: Bool
  /// Whether an answer may change the row's height.
  let dependsOnAnswer: Bool

  init(_ item: RowItem, in sectionID: ItemID, rule: ResolvedRow) {
    (self.item, self.sectionID, self.rule) = (item, sectionID, rule)
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
