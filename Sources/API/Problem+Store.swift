// What the store refuses, as problems; the cause of an inner error stays inside.

import HTTP
import InterviewKits
import JSON
import KitDocuments
import RowLayout
import Store

extension Call {
  /// Runs a read of the store; its errors become problems.
  func stored<Value>(_ read: () throws(StoreError) -> Value) throws(Problem) -> Value {
    do { return try read() } catch { throw problem(error) }
  }

  /// Runs a write of the store; its errors become problems.
  func stored<Value: Sendable>(
    _ write: @Sendable () async throws(StoreError) -> Value
  ) async throws(Problem) -> Value {
    do { return try await write() } catch { throw problem(error) }
  }

  /// - Parameter sent: what the writer sent; nil means the whole body.
  func problem(_ error: StoreError, sent: JSONValue? = nil) -> Problem {
    switch error {
    case .notFound: return .notFound("'\(request.head.pathBytes.raw)' does not exist.")
    case .forbidden: return Problem(403, "notYours", "Only an evaluation's interviewer and admins write it.")
    case .notOpen:
      return .unauthorized("The first token was made meanwhile: from now on every request needs one.", error: nil)
    case .gone: return Problem(410, "purged", "This was deleted and is gone for good; its ID is not used again.")
    case .erasedCandidate(let id):
      let issue = Issue(
        pointer: "/candidate/id", itemID: id, code: "erased",
        message: "The candidate '\(id)' was erased; this ID is not used again.")
      return Problem(410, "purged", issue.message, issues: [issue])
    case .deletedID(let id):
      return Problem(409, "deletedId", "'\(id)' is deleted: restore it, or choose another ID.")
    case .idTaken(let id): return Problem(409, "idTaken", "The ID '\(id)' is taken already.")
    case .preconditionRequired(let current):
      var problem = Problem(428, "preconditionRequired", "Say which state you saw: If-Match with its ETag, or *.")
      add(current, sent, to: &problem)
      return problem
    case .preconditionFailed(let current):
      let detail =
        current == nil
        ? "It does not exist, so no If-Match can match." : weakTag ?? toldTag ?? "It is not what you saw any more."
      var problem = Problem(412, "preconditionFailed", detail)
      if let current { add(current, sent, to: &problem) }
      return problem
    case .invalid(let issues): return .invalid(issues)
    case .keyReused:
      return Problem(422, "idempotencyKeyReused", "This key or operationId was given to another request before.")
    case .incomplete(let issues):
      let count = issues.count == 1 ? "1 required item has" : "\(issues.count) required items have"
      return Problem(422, "missingAnswers", "The evaluation can't be submitted: \(count) no answer.", issues: issues)
    case .conflict(let code, let detail, let issues): return Problem(409, code, detail, issues: issues)
    case .unavailable(let cause):
      let detail =
        "The database can't be reached now. "
        + (isRead ? "Try again." : "Whether a write was stored is not known: repeat it under its name later.")
      var problem = Problem(503, "databaseUnavailable", detail, fields: [Field("Retry-After", "2")])
      problem.cause = cause
      return problem
    case .busy, .contended, .closed:
      let retry = Field("Retry-After", "1")
      return Problem(
        503, "busy", "The database is busy\(isRead ? "" : "; nothing was changed"). Try again.", fields: [retry])
    case .diskFull: return Problem(507, "diskFull", "The disk is full\(isRead ? "" : "; nothing was changed").")
    case .databaseFailing(let cause):
      var problem = Problem(
        503, "databaseFailing",
        "The disk fails under the database. "
          + (isRead
            ? "Try again."
            : "A write is stored whole or not at all: send it again, with the same Idempotency-Key."),
        fields: [Field("Retry-After", "1")])
      problem.cause = cause
      return problem
    case .databaseDamaged(let cause):
      var problem = Problem(
        503, "databaseDamaged", "The database is damaged: it takes no writes, and what is readable is read.")
      problem.cause = cause
      return problem
    case .newerDatabase(let version, let known):
      return inner("the database has version \(version), this program knows \(known)")
    case .database(let cause): return inner(cause)
    }
  }

  private var isRead: Bool { request.head.method == .get || request.head.method == .head }

  /// What is said of an `If-Match` whose tags are all weak, and so match nothing.
  private var weakTag: String? {
    guard let value = request.head.fields["if-match"], case .tags(let tags)? = EntityTagCondition(value),
      let tag = tags.first, tags.allSatisfy(\.isWeak)
    else { return nil }
    return "If-Match takes strong tags only, and \(tag) is weak, most likely made so by a proxy that compresses: "
      + "send \(EntityTag(tag.opaque)), and switch its compression off."
  }

  /// What is said of an `If-Match` with a tag from when the writer was not told of private answers.
  private var toldTag: String? {
    guard let value = request.head.fields["if-match"], case .tags(let tags)? = EntityTagCondition(value),
      let tag = tags.first(where: \.isOfTold)
    else { return nil }
    return "\(tag) is of what those are told who may not see private answers, and you may now: read it again."
  }

  private func inner(_ cause: String) -> Problem {
    var problem = Problem(500, "internalError", "Something went wrong inside; the log has it under this requestId.")
    problem.cause = cause
    return problem
  }

  /// Both values side by side: what stands, and what was sent.
  private func add(_ current: CurrentState, _ sent: JSONValue?, to problem: inout Problem) {
    var writer = JSONWriter()
    switch current {
    case .kit(let snapshot): KitJSON.write(snapshot.kit, to: &writer)
    case .section(let section): KitJSON.write(section, to: &writer)
    case .question(let question, let sectionID): KitJSON.write(question, sectionID: sectionID, to: &writer)
    case .evaluation(let evaluation): EvaluationJSON.write(evaluation.summary, to: &writer)
    case .answer(let answer): AnswerJSON.write(answer, to: &writer)
    case .profile(let stored):
      guard let profile = try? Profile(stored: stored.content) else { preconditionFailure("a profile was just read") }
      LayoutJSON.write(profile, to: &writer)
    case .member(let member): AccessJSON.write(member, to: &writer)
    }
    problem.members.append(("current", writer.bytes))
    let sent = sent ?? (try? JSONValue.parse(request.body)) ?? .null
    var sentWriter = JSONWriter()
    sentWriter.value(sent)
    problem.members.append(("sent", sentWriter.bytes))
    problem.fields.append(Field("ETag", "\"\(current.revision)\""))
  }
}
