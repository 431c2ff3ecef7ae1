// A kit prepared for one viewport: its rows in order, with everything measured that no answer changes.

internal import InterviewKits

/// The rows of a kit revision before answers.
final class KitPlan: Sendable {
  /// Held so that its identity is not another kit's while the plan is kept.
  let snapshot: KitSnapshot
  let viewport: ResolvedViewport
  let rows: [PlannedRow]

  init(_ snapshot: KitSnapshot, viewport: ResolvedViewport, measurer: PartMeasurer) {
    var rows: [PlannedRow] = []
    let composer = RowComposer(viewport: viewport, measurer: measurer, kit: snapshot.kit)
    for section in snapshot.kit.sections {
      rows.append(composer.plan(.section(section.id, title: section.title), in: section.id))
      for question in section.questions {
        rows.append(composer.plan(.question(question), in: section.id))
        for criterion in question.criteria {
          rows.append(composer.plan(.criterion(criterion, scorecard: question), in: section.id))
        }
      }
    }
    (self.snapshot, self.viewport, self.rows) = (snapshot, viewport, rows)
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

struct PlannedRow: Sendable {
  let item: RowItem
  let id: ItemID
  let kind: RowKind
  let sectionID: ItemID
  /// Set when an answer may hide the row.
  let conditioned: Question?
  /// Whether an answer may change its height.
  let dependsOnAnswer: Bool
  /// The row while unanswered.
  let unanswered: RowGeometry
}
