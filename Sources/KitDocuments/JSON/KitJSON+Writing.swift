// Kits, sections and questions as JSON documents: writing.

public import InterviewKits
public import JSON

extension KitJSON {
  /// A whole kit. What may be absent is written as `null`, so that a reader sees every member there is.
  /// - Parameter more: writes further members.
  public static func write(
    _ kit: Kit, to writer: inout JSONWriter, more: (inout JSONWriter) -> Void = { _ in }
  ) { write(kit, withSections: true, to: &writer, more: more) }

  private static func write(
    _ kit: Kit, withSections: Bool, to writer: inout JSONWriter, more: (inout JSONWriter) -> Void = { _ in }
  ) {
    writer.object { writer in
      writer.member("id", kit.id.string)
      writer.member("title", kit.title.string)
      writer.member("instructions", kit.instructions)
      writer.member("language", kit.language)
      writer.member("status", kit.status.rawValue)
      writer.member("revision", kit.revision)
      writer.member("visibility", kit.visibility.rawValue)
      writer.member("overallQuestionId", kit.overallQuestionID)
      writer.member("scales") { writer in
        writer.array { writer in for scale in kit.scales { write(scale, to: &writer) } }
      }
      if withSections {
        writer.member("sections") { writer in
          writer.array { writer in for section in kit.sections { write(section, to: &writer) } }
        }
      }
      writer.member("createdAt", kit.createdAt.rfc3339)
      writer.member("updatedAt", kit.updatedAt.rfc3339)
      more(&writer)
    }
  }

  /// A section with its questions.
  public static func write(_ section: Section, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", section.id.string)
      writer.member("revision", section.revision)
      writer.member("title", section.title.string)
      writer.member("questions") { writer in
        writer.array { writer in for question in section.questions { write(question, to: &writer) } }
      }
    }
  }

  /// A question.
  ///
  /// - Parameters:
  ///   - sectionID: The section it is in, for a document that stands alone.
  ///   - more: writes further members.
  public static func write(
    _ question: Question, sectionID: ItemID? = nil, to writer: inout JSONWriter,
    more: (inout JSONWriter) -> Void = { _ in }
  ) {
    writer.object { writer in
      writer.member("id", question.id.string)
      if let sectionID { writer.member("sectionId", sectionID.string) }
      writer.member("revision", question.revision)
      writer.member("type", question.type.rawValue)
      writer.member("text", question.text.string)
      writer.member("help", question.help)
      writer.member("required", question.required)
      writer.member("private", question.isPrivate)
      writer.member("visibleWhen") { writer in
        if let condition = question.visibleWhen { write(condition, to: &writer) } else { writer.null() }
      }
      writeKind(of: question, to: &writer)
      more(&writer)
    }
  }

  /// A rating scale with its points.
  public static func write(_ scale: Scale, to writer: inout JSONWriter) {
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

  /// The members that only this question's type has.
  private static func writeKind(of question: Question, to writer: inout JSONWriter) {
    switch question.kind {
    case .shortText(let maxLength), .longText(let maxLength): writer.member("maxLength", maxLength)
    case .singleSelect(let options), .multiSelect(let options):
      writer.member("options") { write(options.map { ($0.id, $0.text) }, to: &$0) }
    case .rating(let scale): writer.member("scale", scale.string)
    case .scorecard(let scale, let criteria):
      writer.member("scale", scale.string)
      writer.member("criteria") { write(criteria.map { ($0.id, $0.text) }, to: &$0) }
    case .yesNo, .number, .date, .note: break
    }
  }

  private static func write(_ lines: [(id: ItemID, text: ExactText)], to writer: inout JSONWriter) {
    writer.array { writer in
      for line in lines {
        writer.object { writer in
          writer.member("id", line.id.string)
          writer.member("text", line.text.string)
        }
      }
    }
  }

  private static func write(_ condition: VisibilityCondition, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("questionId", condition.questionID.string)
      writer.member("equals") { write(condition.equals, to: &$0) }
    }
  }

  static func write(_ value: VisibilityCondition.Value, to writer: inout JSONWriter) {
    switch value {
    case .bool(let value): writer.bool(value)
    case .number(let number): writer.number(number)
    case .string(let text): writer.string(text.string)
    }
  }

  // MARK: As values

  /// The kit's document as a value, for merging.
  static func document(of kit: Kit, withSections: Bool) -> JSONValue {
    document { write(kit, withSections: withSections, to: &$0) }
  }

  static func document(_ write: (inout JSONWriter) -> Void) -> JSONValue {
    var writer = JSONWriter(capacity: 1_024)
    write(&writer)
    do { return try JSONValue.parse(writer.bytes) } catch { preconditionFailure("what is written is JSON: \(error)") }
  }
}
