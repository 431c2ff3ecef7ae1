// Answers by item ID: read, write, patch, clear, in batches, and their history.

import Digests
import HTTP
import InterviewKits
import JSON
import KitDocuments
import RowLayout
import Store

extension Call {
  // MARK: Reading

  func readAnswers() async throws(Problem) -> Response {
    let screen = try screen()
    let tag = screen.tag(of: screen.evaluation.summary.revision)
    let response = Response.json(tag: tag, capacity: 4_096) { writer in
      writer.object { body in
        body.member("answers") { Self.write(screen.evaluation.answers, to: &$0) }
        body.member("retired") { writer in
          writer.array { list in for id in Self.retired(screen) { list.string(id.string) } }
        }
      }
    }
    return response.unlessKnown(to: request.head)
  }

  func readAnswer() async throws(Problem) -> Response {
    let id = try id("itemId")
    let screen = try screen()
    guard
      let answer = screen.evaluation.answers[id] ?? screen.snapshot.answerTarget(id).map({ Answer(itemID: $0.itemID) })
    else { throw .notFound("'\(id)' takes no answer in this evaluation.") }
    let response = Response.json(tag: screen.tag(of: answer.revision)) { AnswerJSON.write(answer, to: &$0) }
    return response.unlessKnown(to: request.head)
  }

  func readAnswerHistory() async throws(Problem) -> Response {
    let (evaluationID, itemID) = (try id("evaluationId"), try id("itemId"))
    let (limit, cursor) = (try pageLimit(), query("cursor"))
    let history = try stored { () throws(StoreError) in
      try api.store.answerHistory(
        evaluationID, item: itemID, limit: limit, cursor: cursor, for: caller)
    }
    return .json(capacity: 4_096) { writer in
      writer.object { body in
        body.member("items") { list in
          list.array { list in for answer in history.items { AnswerJSON.write(answer, to: &list) } }
        }
        body.member("lostConflicts") { list in
          list.array { list in for lost in history.lostConflicts { Self.write(lost, to: &list) } }
        }
        body.member("nextCursor", history.nextCursor)
      }
    }
  }

  private static func write(_ lost: LostAnswer, to writer: inout JSONWriter) {
    writer.object { body in
      body.member("value") { AnswerJSON.writeValue(lost.content.value, to: &$0) }
      body.member("comment", lost.content.comment?.string)
      body.member("notAssessed", lost.content.notAssessed)
      body.member("ifRevision", lost.ifRevision)
      body.member("at", lost.at.rfc3339)
      body.member("by", lost.by.string)
    }
  }

  private static func write(_ answers: Answers, to writer: inout JSONWriter) {
    writer.object { body in
      for answer in answers.sorted(by: { $0.itemID < $1.itemID }) {
        body.name(answer.itemID.string)
        AnswerJSON.write(answer, to: &body)
      }
    }
  }

  private func respond(_ answer: Answer, status: Int) -> Response {
    .json(status, tag: String(answer.revision)) { AnswerJSON.write(answer, to: &$0) }
  }

  // MARK: Writing one

  func putAnswer() async throws(Problem) -> Response {
    let body = try json()
    return try await writeAnswer { target, _ throws(StoreError) in
      try StoreError.document { () throws(InvalidDocument) in
        try AnswerJSON.decodeContent(body, for: target, pointer: "", merging: nil)
      }
    }
  }

  func patchAnswer() async throws(Problem) -> Response {
    let body = try json()
    return try await writeAnswer { target, current throws(StoreError) in
      try StoreError.document { () throws(InvalidDocument) in
        try AnswerJSON.decodeContent(body, for: target, pointer: "", merging: current.content)
      }
    }
  }

  func clearAnswer() async throws(Problem) -> Response {
    let response = try await writeAnswer { _, _ throws(StoreError) in AnswerContent() }
    return !ViewportQuery.isPresent(in: request.head.query)
      ? Response(status: 204, fields: response.fields.filter { $0.name == "ETag" }) : response
  }

  private func writeAnswer(_ edit: @escaping AnswerOperation.Edit) async throws(Problem) -> Response {
    let (evaluationID, itemID) = (try id("evaluationId"), try id("itemId"))
    let operation = AnswerOperation(itemID: itemID, precondition: try precondition(), edit: edit)
    let viewports = try viewportsIfNamed(of: evaluationID)
    let parts = try flag("parts")
    let retry = try retryKey()
    let written = try await stored { () throws(StoreError) in
      try await api.store.writeAnswers(evaluationID, [operation], by: caller, retry: retry)
    }
    guard let result = written.results.first else { preconditionFailure("an operation has a result") }
    let answer: AnswerWritten
    do { answer = try result.result.get() } catch {
      if case .notFound = error { throw Self.takesNoAnswer(itemID) }
      throw problem(error)
    }
    let status = answer.outcome == .created ? 201 : 200
    guard !viewports.isEmpty else { return respond(answer.answer, status: status) }
    let deltas = deltas(of: written, viewports)
    return .json(status, tag: String(answer.answer.revision)) { writer in
      writer.object { body in
        body.member("answer") { AnswerJSON.write(answer.answer, to: &$0) }
        body.member("layouts") { Self.write(deltas, parts: parts, to: &$0) }
      }
    }
  }

  // MARK: Batches

  /// Up to 500 operations in order, each with its own outcome; a stale one fails alone.
  func patchAnswers() async throws(Problem) -> Response {
    let evaluationID = try id("evaluationId")
    guard try precondition() == .none else {
      throw Problem(400, "invalidPrecondition", "In a batch each operation says what it saw, by ifRevision.")
    }
    let inputs = try decoded { value throws(InvalidDocument) in try AnswerJSON.decodeBatch(value) }
    let viewports = try viewportsIfNamed(of: evaluationID)
    let parts = try flag("parts")
    let retry = try retryKey()
    let operations = inputs.enumerated().map { place, input in
      // An operation without a name is named by its place in a batch that has one.
      AnswerOperation(
        operationID: input.operationID ?? retry.map { "\($0.key)/\(place)" },
        digest: SHA256.hexadecimal(of: input.encoded),
        itemID: input.itemID, precondition: input.ifRevision.map { .revisions([$0]) } ?? .none
      ) { target, current throws(StoreError) in
        try StoreError.document { () throws(InvalidDocument) in
          try AnswerJSON.decodeContent(input.content, for: target, pointer: input.pointer, merging: current.content)
        }
      }
    }
    let written = try await stored { () throws(StoreError) in
      try await api.store.writeAnswers(evaluationID, operations, by: caller, retry: retry)
    }
    let deltas = deltas(of: written, viewports)
    return .json(capacity: 4_096) { writer in
      writer.object { body in
        body.member("results") { list in
          list.array { list in
            for (result, input) in zip(written.results, inputs) { write(result, of: input, to: &list) }
          }
        }
        body.member("layouts") { Self.write(deltas, parts: parts, to: &$0) }
      }
    }
  }

  private func write(_ result: AnswerResult, of input: AnswerOperationDocument, to list: inout JSONWriter) {
    list.object { body in
      body.member("operationId", input.operationID)
      switch result.result {
      case .success(let written):
        body.member("status", written.outcome == .created ? 201 : 200)
        body.member("answer") { AnswerJSON.write(written.answer, to: &$0) }
      case .failure(let error):
        var problem = problem(error, sent: input.content)
        if case .notFound = error {
          problem = Self.takesNoAnswer(result.itemID, at: input.pointer + "/itemId")
        }
        if problem.status == 428 { problem.detail = "Say which revision you saw: ifRevision." }
        body.member("status", problem.status)
        body.member("problem") { $0.raw(problem.response(requestID: request.requestID).body) }
      }
    }
  }

  /// The evaluation is there, but its kit revision has no such item, or one that takes no answer.
  private static func takesNoAnswer(_ item: ItemID, at pointer: String = "") -> Problem {
    let message = "'\(item)' takes no answer in this evaluation."
    return Problem(
      404, "notFound", message,
      issues: [Issue(pointer: pointer, itemID: item, code: "unknownItem", message: message)])
  }

  private static func write(_ deltas: [LayoutDelta], parts: Bool, to writer: inout JSONWriter) {
    writer.array { list in for delta in deltas { LayoutJSON.write(delta, parts: parts, to: &list) } }
  }
}
