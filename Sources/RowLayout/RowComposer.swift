// From an item and its answer to a row: which texts it shows, and where they stand.

internal import InterviewKits

/// Composes rows of one kit in one viewport.
struct RowComposer: Sendable {
  let viewport: ResolvedViewport
  let measurer: PartMeasurer
  let kit: KitSnapshot

  /// The row with an answer.
  /// - Parameter unanswered: the row without, from which is taken what no answer changes.
  func compose(_ row: PlannedRow, content: AnswerContent, unanswered: RowGeometry) -> RowGeometry {
    compose(viewport.row(row.kind), parts: unanswered.parts.count + 2) { part, place in
      if !part.role.showsAnswer {
        for known in unanswered.parts where known.role == part.role { place(known.measured) }
      } else if let measured = answerPart(part, of: row, content: content) {
        place(measured)
      }
    }
  }

  /// The row without an answer, its texts taken from those of its kit.
  func compose(_ row: PlannedRow, _ texts: inout PreparedKit.Reader, _ alike: inout AlikeRows) -> RowGeometry {
    let rule = viewport.row(row.kind)
    var ahead = texts
    if let known = alike.known(rule, &ahead) {
      texts = ahead
      return known
    }
    alike.begin(rule)
    for entry in rule.parts {
      switch entry {
      case .slot(let name, let height, let gap): alike.add(slot: name, height: height, gapAbove: gap)
      case .text(let part):
        if !part.role.showsAnswer {
          var isFirst = true
          texts.next { text in
            alike.add(measurer.measure(text, in: part), in: part, isFirst: isFirst)
            isFirst = false
          }
        } else {
          let measured = alike.empty(part, of: row) { answerPart(part, of: row, content: AnswerContent()) }
          if let measured { alike.add(measured, in: part, isFirst: true) }
        }
      }
    }
    return alike.finish(rule)
  }

  /// Puts parts one under the other. `texts` calls its second argument with each text of a part.
  private func compose(
    _ rule: ResolvedRow, parts count: Int, _ texts: (ResolvedPart, (MeasuredPart) -> Void) -> Void
  ) -> RowGeometry {
    var stack = PartStack()
    stack.begin(rule, parts: count)
    for entry in rule.parts {
      switch entry {
      case .slot(let name, let height, let gap): stack.add(slot: name, height: height, gapAbove: gap)
      case .text(let part):
        var isFirst = true
        texts(part) { measured in
          stack.add(measured, in: part, isFirst: isFirst)
          isFirst = false
        }
      }
    }
    return RowGeometry(height: stack.height(rule), parts: stack.parts)
  }

  private func answerPart(_ part: ResolvedPart, of row: PlannedRow, content: AnswerContent) -> MeasuredPart? {
    guard row.takesAnswer, let text = answerText(part.role, of: row, content: content) else { return nil }
    return measurer.measure(text, in: part, of: viewport) { placeholder(of: row, in: part.role) }
  }

  // MARK: What no answer changes

  /// The texts of a part from top to bottom; none when the item has none for it.
  func itemTexts(_ role: PartRole, of item: RowItem) -> [String] {
    switch (role, item) {
    case (.title, .section(_, let title)): [title.string]
    case (.text, .question(let question)):
      [question.text.string + (question.required ? viewport.string("requiredMark") : "")]
    case (.text, .criterion(let criterion, _)): [criterion.text.string]
    case (.help, .question(let question)): question.help.map { $0.string.isEmpty ? [] : [$0.string] } ?? []
    case (.option, .question(let question)), (.option, .criterion(_, let question)): options(of: question)
    default: []
    }
  }

  /// The choices of a question, in order.
  private func options(of question: Question) -> [String] {
    if question.type == .yesNo { return [viewport.string("yes"), viewport.string("no")] }
    if let scaleID = question.scaleID { return kit.kit.scale(scaleID)?.points.map(label(of:)) ?? [] }
    return question.options.map(\.text.string)
  }

  /// A preset's labels come in the viewport's language; a kit's own are its own.
  private func label(of point: ScalePoint) -> String {
    let isPreset = Scale.presets.contains { $0.points.contains { $0.id == point.id } }
    let own = isPreset ? viewport.string("point.\(point.id.string)") : ""
    return own.isEmpty ? point.label.string : own
  }

  // MARK: What an answer changes

  /// The text of a part; nil when the row does not show it.
  private func answerText(_ role: PartRole, of row: PlannedRow, content: AnswerContent) -> String? {
    switch role {
    case .field, .answer: typedText(content.value)
    case .value: chosenText(content.value, of: row) ?? placeholder(of: row, in: role)
    case .notAssessed: content.notAssessed ? viewport.string("notAssessed") : nil
    case .comment: content.comment.flatMap { $0.string.isEmpty ? nil : $0.string }
    case .title, .text, .help, .option: nil
    }
  }

  /// The hint of an empty field or button.
  private func placeholder(of row: PlannedRow, in role: PartRole) -> String? {
    switch role {
    case .field, .answer, .value: viewport.string("placeholder.\(row.kind.rawValue)")
    default: nil
    }
  }

  /// What was typed into a field.
  private func typedText(_ value: AnswerValue?) -> String {
    switch value {
    case .text(let text): text.string
    case .number(.integer(let number)): String(number)
    case .number(.decimal(let number)): "\(number)"
    case .date(let date): date.iso8601
    default: ""
    }
  }

  /// What is chosen; nil when nothing is.
  private func chosenText(_ value: AnswerValue?, of row: PlannedRow) -> String? {
    guard let question = row.item.question else { return nil }
    switch value {
    case .bool(let isYes): return viewport.string(isYes ? "yes" : "no")
    case .option(let id): return question.options.first { $0.id == id }?.text.string
    case .options(let ids):
      let chosen = question.options.filter { ids.contains($0.id) }.map(\.text.string)
      return chosen.isEmpty ? nil : chosen.joined(separator: viewport.string("listSeparator"))
    case .point(let id):
      let points = question.scaleID.flatMap { kit.kit.scale($0) }?.points
      return points?.first { $0.id == id }.map(label(of:))
    default:
      let typed = typedText(value)
      return typed.isEmpty ? nil : typed
    }
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
