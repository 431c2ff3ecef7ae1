// The columns that hold a kit's header and a question's content as JSON.
import InterviewKits
import JSON
import SQLDatabase

/// The kit's own members, without what other columns hold.
enum StoredHeader {
  static func encode(_ kit: Kit) -> SQLValue {
    var writer = JSONWriter(capacity: 512)
    writer.object { writer in
      writer.member("title", kit.title.string)
      writer.memberIfAny("instructions", kit.instructions?.string)
      writer.memberIfAny("language", kit.language)
      writer.member("status", kit.status.rawValue)
      writer.member("visibility", kit.visibility.rawValue)
      writer.memberIfAny("overallQuestionId", kit.overallQuestionID?.string)
      guard !kit.scales.isEmpty else { return }
      writer.member("scales") { writer in
        writer.array { writer in for scale in kit.scales { encode(scale, to: &writer) } }
      }
    }
    return .bytes(writer.bytes)
  }

  private static func encode(_ scale: Scale, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", scale.id.string)
      writer.member("title", scale.title.string)
      writer.member("points") { writer in
        writer.array { writer in
          for point in scale.points {
            writer.object { writer in
              writer.member("id", point.id.string)
              writer.member("label", point.label.string)
            }
          }
        }
      }
    }
  }

  /// A kit without sections; revision and times are set by the caller.
  static func decode(_ text: String, id: ItemID) throws(StoreError) -> Kit {
    let document = try StoredDocument(text: text)
    let scales = try document.optional("scales")?.list { (scale) throws(StoreError) in
      Scale(
        id: try scale.id("id"), title: try scale.text("title"),
        points: try scale.required("points").list { (point) throws(StoreError) in
          ScalePoint(id: try point.id("id"), label: try point.text("label"))
        })
    }
    return Kit(
      id: id, title: try document.text("title"), instructions: try document.optionalText("instructions"),
      language: try document.optional("language")?.string(), status: try document.word("status", KitStatus.self),
      visibility: try document.word("visibility", KitVisibility.self),
      overallQuestionID: try document.optionalID("overallQuestionId"), scales: scales ?? [],
      createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0))
  }
}

/// A question's content, without its ID, revision and place.
enum StoredQuestion {
  static func encode(_ question: Question) -> SQLValue {
    var writer = JSONWriter(capacity: 512)
    writer.object { writer in
      writer.member("type", question.type.rawValue)
      writer.member("text", question.text.string)
      writer.memberIfAny("help", question.help?.string)
      writer.memberIfTrue("required", question.required)
      writer.memberIfTrue("private", question.isPrivate)
      if let condition = question.visibleWhen {
        writer.member("visibleWhen") { encode(condition, to: &$0) }
      }
      encode(question.kind, to: &writer)
    }
    return .bytes(writer.bytes)
  }

  private static func encode(_ kind: Question.Kind, to writer: inout JSONWriter) {
    switch kind {
    case .shortText(let maxLength), .longText(let maxLength): writer.member("maxLength", maxLength)
    case .singleSelect(let options), .multiSelect(let options):
      encode("options", options.map { ($0.id, $0.text) }, to: &writer)
    case .rating(let scale): writer.member("scale", scale.string)
    case .scorecard(let scale, let criteria):
      writer.member("scale", scale.string)
      encode("criteria", criteria.map { ($0.id, $0.text) }, to: &writer)
    case .yesNo, .number, .date, .note: break
    }
  }

  private static func encode(_ name: StaticString, _ items: [(ItemID, ExactText)], to writer: inout JSONWriter) {
    writer.member(name) { writer in
      writer.array { writer in
        for (id, text) in items {
          writer.object { writer in
            writer.member("id", id.string)
            writer.member("text", text.string)
          }
        }
      }
    }
  }

  private static func encode(_ condition: VisibilityCondition, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("questionId", condition.questionID.string)
      switch condition.equals {
      case .bool(let value): writer.member("equals", value)
      case .number(let value): writer.member("equals", value)
      case .string(let value): writer.member("equals", value.string)
      }
    }
  }

  static func decode(
    _ text: String, id: ItemID, revision: Int, order: OrderKey
  ) throws(StoreError) -> Question {
    let document = try StoredDocument(text: text)
    return Question(
      id: id, revision: revision, order: order, text: try document.text("text"),
      help: try document.optionalText("help"), required: try document.flag("required"),
      isPrivate: try document.flag("private"), visibleWhen: try condition(document.optional("visibleWhen")),
      kind: try kind(document))
  }

  private static func kind(_ document: StoredDocument) throws(StoreError) -> Question.Kind {
    switch try document.word("type", QuestionType.self) {
    case .shortText: .shortText(maxLength: try document.required("maxLength").integer())
    case .longText: .longText(maxLength: try document.required("maxLength").integer())
    case .yesNo: .yesNo
    case .singleSelect: .singleSelect(try options(document))
    case .multiSelect: .multiSelect(try options(document))
    case .number: .number
    case .date: .date
    case .rating: .rating(scale: try document.id("scale"))
    case .scorecard:
      .scorecard(
        scale: try document.id("scale"),
        criteria: try document.required("criteria").list { (item) throws(StoreError) in
          Criterion(id: try item.id("id"), text: try item.text("text"))
        })
    case .note: .note
    }
  }

  private static func options(_ document: StoredDocument) throws(StoreError) -> [Option] {
    try document.required("options").list { (item) throws(StoreError) in
      Option(id: try item.id("id"), text: try item.text("text"))
    }
  }

  private static func condition(_ document: StoredDocument?) throws(StoreError) -> VisibilityCondition? {
    guard let document else { return nil }
    let equals = try document.required("equals")
    let value: VisibilityCondition.Value =
      switch equals.value {
      case .bool(let bool): .bool(bool)
      case .number: .number(try equals.number())
      default: .string(try equals.text())
      }
    return VisibilityCondition(questionID: try document.id("questionId"), equals: value)
  }
}
