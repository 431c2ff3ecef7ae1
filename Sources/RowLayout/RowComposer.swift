// From an item and its answer to a row: which texts it shows, and where they stand.

internal import InterviewKits

/// Composes rows of one kit in one viewport.
struct RowComposer {
  let viewport: ResolvedViewport
  let measurer: PartMeasurer
  let kit: Kit

  func plan(_ item: RowItem, in sectionID: ItemID) -> PlannedRow {
    let row = viewport.row(item.kind)
    let takesAnswer: Bool
    switch item {
    case .section: takesAnswer = false
    case .criterion: takesAnswer = true
    case .question(let question): takesAnswer = question.type != .note && question.type != .scorecard
    }
    return PlannedRow(
      item: item, id: item.id, kind: item.kind, sectionID: sectionID,
      conditioned: item.question?.visibleWhen == nil ? nil : item.question,
      dependsOnAnswer: takesAnswer && row.parts.contains { $0.role.showsAnswer },
      unanswered: compose(item, content: AnswerContent(), unanswered: nil))
  }

  /// The row with an answer; what no answer changes is taken from the unanswered row.
  func compose(_ row: PlannedRow, content: AnswerContent) -> RowGeometry {
    compose(row.item, content: content, unanswered: row.unanswered)
  }

  private func compose(_ item: RowItem, content: AnswerContent, unanswered: RowGeometry?) -> RowGeometry {
    let rule = viewport.row(item.kind)
    var parts: [PartGeometry] = []
    var y = rule.top
    for part in rule.parts {
      var isFirst = true
      func place(_ measured: MeasuredPart) {
        if !parts.isEmpty { y += isFirst ? part.gapAbove : part.gapBetween }
        isFirst = false
        y += part.above
        parts.append(PartGeometry(role: part.role, y: y, measured: measured))
        y += measured.height + part.below
      }
      if let unanswered, !part.role.showsAnswer {
        for known in unanswered.parts where known.role == part.role { place(known.measured) }
      } else {
        let texts = RowTexts(viewport: viewport, kit: kit, item: item, content: content)
        for text in texts.texts(of: part.role) {
          place(measurer.measure(text, in: part, placeholder: texts.placeholder(of: part.role), of: viewport))
        }
      }
    }
    let height = max(rule.minimum, y + rule.bottom) + rule.separator
    return RowGeometry(height: height, parts: parts)
  }
}

extension PartRole {
  /// Whether what the part shows depends on the answer.
  var showsAnswer: Bool {
    switch self {
    case .title, .text, .help, .option: false
    case .field, .answer, .value, .notAssessed, .comment: true
    }
  }
}

/// The texts that a row shows.
struct RowTexts {
  let viewport: ResolvedViewport
  let kit: Kit
  let item: RowItem
  let content: AnswerContent

  /// The texts of a part from top to bottom; none when the row does not show it.
  func texts(of role: PartRole) -> [String] {
    switch (role, item) {
    case (.title, .section(_, let title)): [title.string]
    case (.text, .question(let question)): [question.text.string + (question.required ? requiredMark : "")]
    case (.text, .criterion(let criterion, _)): [criterion.text.string]
    case (.help, .question(let question)): question.help.map { $0.string.isEmpty ? [] : [$0.string] } ?? []
    case (.field, .question), (.answer, .question): [typedText]
    case (.option, .question(let question)): options(of: question)
    case (.option, .criterion(_, let scorecard)): options(of: scorecard)
    case (.value, .question(let question)): [chosenText(of: question) ?? placeholderText]
    case (.value, .criterion(_, let scorecard)): [chosenText(of: scorecard) ?? placeholderText]
    case (.notAssessed, .question), (.notAssessed, .criterion):
      content.notAssessed ? [viewport.string("notAssessed")] : []
    case (.comment, .question), (.comment, .criterion):
      content.comment.map { $0.string.isEmpty ? [] : [$0.string] } ?? []
    default: []
    }
  }

  /// The hint of an empty field.
  func placeholder(of role: PartRole) -> String? { role == .field || role == .answer ? placeholderText : nil }

  private var placeholderText: String { viewport.string("placeholder.\(item.kind.rawValue)") }

  private var requiredMark: String { viewport.string("requiredMark") }

  /// What was typed into a field.
  private var typedText: String {
    switch content.value {
    case .text(let text): text.string
    case .number(.integer(let number)): String(number)
    case .number(.decimal(let number)): "\(number)"
    case .date(let date): date.iso8601
    default: ""
    }
  }

  /// The choices of a question, in order.
  private func options(of question: Question) -> [String] {
    if question.type == .yesNo { return [viewport.string("yes"), viewport.string("no")] }
    if let scaleID = question.scaleID { return kit.scale(scaleID)?.points.map(label(of:)) ?? [] }
    return question.options.map(\.text.string)
  }

  /// A preset's labels come in the viewport's language; a kit's own are its own.
  private func label(of point: ScalePoint) -> String {
    let isPreset = Scale.presets.contains { $0.points.contains { $0.id == point.id } }
    guard isPreset else { return point.label.string }
    let profile = viewport.viewport.profile
    return profile.string("point.\(point.id.string)", locale: viewport.viewport.locale) ?? point.label.string
  }

  /// What is chosen; nil when nothing is.
  private func chosenText(of question: Question) -> String? {
    switch content.value {
    case .bool(let isYes): viewport.string(isYes ? "yes" : "no")
    case .option(let id): question.options.first { $0.id == id }?.text.string
    case .options(let ids):
      ids.isEmpty
        ? nil
        : question.options.filter { ids.contains($0.id) }.map(\.text.string).joined(
          separator: viewport.string("listSeparator"))
    case .point(let id):
      question.scaleID.flatMap { kit.scale($0) }?.points.first { $0.id == id }.map(label(of:))
    default: nil
    }
  }
}
