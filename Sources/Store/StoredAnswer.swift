// The columns that hold an answer's content and a recommendation as JSON.
import InterviewKits
import JSON
import SQLDatabase

/// Names the value's type, so that it can be read without its question.
enum StoredAnswer {
  static func encode(_ content: AnswerContent) -> SQLValue {
    var writer = JSONWriter(capacity: 128)
    writer.object { writer in
      if let value = content.value { encode(value, to: &writer) }
      writer.memberIfAny("comment", content.comment?.string)
      writer.memberIfTrue("notAssessed", content.notAssessed)
    }
    return .bytes(writer.bytes)
  }

  static func encode(_ value: AnswerValue?) -> SQLValue {
    guard let value else { return .null }
    var writer = JSONWriter(capacity: 64)
    writer.object { encode(value, to: &$0) }
    return .bytes(writer.bytes)
  }

  private static func encode(_ value: AnswerValue, to writer: inout JSONWriter) {
    switch value {
    case .text(let text): writer.member("text", text.string)
    case .bool(let bool): writer.member("bool", bool)
    case .option(let id): writer.member("option", id.string)
    case .options(let ids):
      writer.member("options") { writer in
        writer.array { writer in for id in ids { writer.string(id.string) } }
      }
    case .number(let number): writer.member("number", number)
    case .date(let date): writer.member("date", date.iso8601)
    case .point(let id): writer.member("point", id.string)
    }
  }

  static func decode(_ text: String) throws(StoreError) -> AnswerContent {
    let document = try StoredDocument(text: text)
    return AnswerContent(
      value: try value(document), comment: try document.optionalText("comment"),
      notAssessed: try document.flag("notAssessed"))
  }

  static func decodeValue(_ text: String?) throws(StoreError) -> AnswerValue? {
    guard let text else { return nil }
    return try value(StoredDocument(text: text))
  }

  private static func value(_ document: StoredDocument) throws(StoreError) -> AnswerValue? {
    if let text = try document.optionalText("text") { return .text(text) }
    if let bool = document.optional("bool") { return .bool(try bool.bool()) }
    if let id = try document.optionalID("option") { return .option(id) }
    if let ids = document.optional("options") {
      return .options(try ids.list { (id) throws(StoreError) in try id.id() })
    }
    if let number = document.optional("number") { return .number(try number.number()) }
    if let id = try document.optionalID("point") { return .point(id) }
    guard let date = document.optional("date") else { return nil }
    guard let day = CalendarDate(iso8601: try date.string()) else { throw .damaged("a stored date is none") }
    return .date(day)
  }
}
