// Problem documents (RFC 9457): the one place where an error becomes what a client reads.

import HTTP
import InterviewKits
import JSON
import Store

/// An error of a request, on its way to the client.
struct Problem: Error {
  var status: Int
  /// A stable word for programs.
  var code: String
  /// What is wrong here, in a sentence.
  var detail: String
  /// All that is wrong, by place in the document sent.
  var issues: [Issue] = []
  /// Further members, written as they are: `current`, `sent` …
  var members: [(name: String, json: [UInt8])] = []
  var fields: [Field] = []
  /// What went wrong inside, for the log only.
  var cause: String?

  init(_ status: Int, _ code: String, _ detail: String, issues: [Issue] = [], fields: [Field] = []) {
    (self.status, self.code, self.detail, self.issues, self.fields) = (status, code, detail, issues, fields)
  }
}

extension Problem {
  /// Whether a sound service answers so at times, too: no fault for whoever watches its log.
  var isExpected: Bool { ["busy", "databaseUnavailable", "diskFull", "tooManyTickets"].contains(code) }

  static func notFound(_ what: String = "There is nothing at this address.") -> Problem {
    Problem(404, "notFound", what)
  }

  static func methodNotAllowed(_ method: HTTPMethod, _ possible: [HTTPMethod]) -> Problem {
    let names = possible.map(\.name).joined(separator: ", ")
    let detail = "\(method) is not possible here; possible are \(names)."
    return Problem(405, "methodNotAllowed", detail, fields: [Field("Allow", names)])
  }

  /// 422 for a document that could be read but not be accepted.
  static func invalid(_ issues: [Issue]) -> Problem {
    let count = issues.count == 1 ? "1 thing is" : "\(issues.count) things are"
    return Problem(422, "invalidDocument", "The request can't be accepted: \(count) wrong.", issues: issues)
  }

  static func invalid(_ pointer: String, _ code: String, _ message: String) -> Problem {
    invalid([Issue(pointer: pointer, code: code, message: message)])
  }

  init(_ error: InvalidDocument) { self = .invalid(error.issues) }

  init(_ error: JSONSyntaxError) {
    self.init(
      400, error.code, "The body is not acceptable JSON: \(error.message)",
      issues: [Issue(pointer: error.pointer, code: error.code, message: error.message, line: error.line)])
    members = [("line", Array(String(error.line).utf8)), ("column", Array(String(error.column).utf8))]
  }

  init(_ refusal: Refusal) {
    self.init(refusal.status, refusal.code, refusal.detail)
    if !refusal.allow.isEmpty {
      fields.append(Field("Allow", refusal.allow.map(\.name).joined(separator: ", ")))
    }
    if let seconds = refusal.retryAfterSeconds { fields.append(Field("Retry-After", String(seconds))) }
  }

  /// The response of this problem.
  func response(requestID: String) -> Response {
    var writer = JSONWriter(capacity: 512)
    writer.object { body in
      body.member("type", "urn:interviewkit:problem:\(code)")
      body.member("title", Status.reason(status))
      body.member("status", status)
      body.member("detail", detail.shortened(to: JSONLimits.messageScalars))
      body.member("code", code)
      body.member("requestId", requestID)
      for member in members {
        body.name(member.name)
        body.raw(member.json)
      }
      body.member("errors") { list in
        list.array { Self.write(issues, to: &$0) }
      }
    }
    return Response(
      status: status, fields: [Field("Content-Type", "application/problem+json")] + fields, body: writer.bytes)
  }

  /// The first of them, as many as there is room for: the one place where issues become bytes.
  private static func write(_ issues: [Issue], to list: inout JSONWriter) {
    var room = APILimits.issueBytes
    for issue in issues.prefix(JSONLimits.issues) {
      var writer = JSONWriter()
      write(issue, to: &writer)
      room -= writer.bytes.count + 1
      if room < 0 { return }
      list.raw(writer.bytes)
    }
  }

  private static func write(_ issue: Issue, to writer: inout JSONWriter) {
    writer.object { body in
      body.member("pointer", issue.pointer.shortened(to: APILimits.pointerScalars))
      body.member("itemId", issue.itemID?.string)
      body.member("code", issue.code)
      body.member("message", issue.message.shortened(to: JSONLimits.messageScalars))
      if let line = issue.line { body.member("line", line) }
      if let record = issue.record { body.member("record", record) }
    }
  }
}
