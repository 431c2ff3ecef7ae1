// What each route does, takes and answers, for /openapi.json; a route without a line here stops its making.

import HTTP

struct OpenAPIOperation: Sendable {
  /// Whether a writer has to say what it saw.
  enum Condition: Sendable {
    /// It can't.
    case none
    /// It may.
    case optional
    /// It has to where something is changed that exists.
    case required
  }

  var id: String
  var summary: String
  /// The schema of the body it takes.
  var body: String?
  /// The schema of the body it answers with.
  var reply: String?
  var statuses: [Int]
  /// True when its replies carry an entity tag.
  private(set) var isTagged = false
  private(set) var condition = Condition.none
  /// True when it stores something.
  private(set) var writes = true
  /// The codes with which it answers 409.
  private(set) var conflicts: [String] = []
  /// The codes besides the usual ones with which it answers 422.
  private(set) var invalid: [String] = []

  init(_ id: String, _ summary: String, body: String? = nil, reply: String? = nil, _ statuses: [Int] = [200]) {
    (self.id, self.summary, self.body, self.reply, self.statuses) = (id, summary, body, reply, statuses)
  }

  /// True when a reply of this status names the address of what was made.
  func isLocated(_ status: Int) -> Bool {
    status == 201 && !id.hasSuffix("Answer") && id != "createToken" && id != "createTicket"
  }

  func tagged() -> Self { with { $0.isTagged = true } }

  func conditional(_ condition: Condition = .required) -> Self { with { $0.condition = condition } }

  func reading() -> Self { with { $0.writes = false } }

  func conflicting(_ codes: String...) -> Self { with { $0.conflicts = codes } }

  func refusing(_ codes: String...) -> Self { with { $0.invalid = codes } }

  private func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

enum OpenAPIOperations {
  static func operation(of route: Route<Endpoint>) -> OpenAPIOperation {
    let name = "\(route.method) \(route.pattern)"
    guard let operation = all[name] else { preconditionFailure("no description of \(name)") }
    return operation
  }

  static let all = kits.merging(items) { first, _ in first }.merging(evaluations) { first, _ in first }
    .merging(access) { first, _ in first }.merging(audit) { first, _ in first }.merging(others) { first, _ in first }

  private static let kits: [String: OpenAPIOperation] = [
    "GET /v1/kits": .init("listKits", "List kits, or the trash.", reply: "KitPage").reading(),
    "POST /v1/kits": .init(
      "createKit", "Create a kit from JSON, Markdown or CSV.", body: "NewKit", reply: "WrittenKit", [201, 200]
    ).tagged().conflicting("idTaken", "deletedId"),
    "GET /v1/kits/{kitId}": .init("readKit", "Read a kit.", reply: "Kit").tagged().reading(),
    "PUT /v1/kits/{kitId}": .init(
      "putKit", "Create a kit under its ID, or replace it as one revision.", body: "NewKit", reply: "WrittenKit",
      [200, 201]
    ).tagged().conditional().conflicting("idTaken", "deletedId"),
    "PATCH /v1/kits/{kitId}": .init("patchKit", "Merge members into a kit (RFC 7396).", body: "KitPatch", reply: "Kit")
      .tagged().conditional().conflicting("idTaken", "deletedId"),
    "DELETE /v1/kits/{kitId}": .init("deleteKit", "Move a kit to the trash.", [204]).conditional(),
    "POST /v1/kits/{kitId}/restore": .init("restoreKit", "Bring a kit back from the trash.", reply: "Kit").tagged(),
    "POST /v1/kits/{kitId}/copy": .init(
      "copyKit", "Copy a kit under new IDs.", body: "KitCopy", reply: "CopiedKit", [201]
    ).tagged().conflicting("idTaken", "deletedId"),
    "GET /v1/kits/{kitId}/evaluations": .init(
      "exportEvaluations", "Export all evaluations of a kit, with their answers.", reply: "EvaluationExport"
    ).reading(),
    "GET /v1/kits/{kitId}/diff": .init(
      "readKitDiff", "What differs between two revisions, item by item.", reply: "KitDiff"
    ).tagged().reading(),
    "GET /v1/kits/{kitId}/revisions/{revision}": .init("readKitRevision", "Read an old revision.", reply: "Kit")
      .tagged().reading(),
  ]

  private static let items: [String: OpenAPIOperation] = [
    "GET /v1/kits/{kitId}/sections": .init("listSections", "List sections, or the deleted ones.", reply: "SectionPage")
      .reading(),
    "POST /v1/kits/{kitId}/sections": .init(
      "createSection", "Create a section.", body: "NewSection", reply: "Section", [201]
    ).tagged().conflicting("idTaken", "deletedId"),
    "GET /v1/kits/{kitId}/sections/{itemId}": .init("readSection", "Read a section.", reply: "Section").tagged()
      .reading(),
    "PUT /v1/kits/{kitId}/sections/{itemId}": .init(
      "putSection", "Create or replace a section.", body: "NewSection", reply: "Section", [200, 201]
    ).tagged().conditional().conflicting("idTaken", "deletedId"),
    "PATCH /v1/kits/{kitId}/sections/{itemId}": .init(
      "patchSection", "Merge members into a section.", body: "SectionPatch", reply: "Section"
    ).tagged().conditional(),
    "DELETE /v1/kits/{kitId}/sections/{itemId}": .init(
      "deleteSection", "Move a section with its questions to the trash.", [204]
    ).conditional().conflicting("inUse"),
    "POST /v1/kits/{kitId}/sections/{itemId}/restore": .init(
      "restoreSection", "Bring a section back whole.", reply: "Section"
    ).tagged().conflicting("cannotRestore"),
    "POST /v1/kits/{kitId}/sections/{itemId}/move": .init(
      "moveSection", "Move a section behind another, or to the front.", body: "SectionMove", reply: "Section"
    ).tagged().conditional(),
    "GET /v1/kits/{kitId}/questions": .init(
      "listQuestions", "List questions, or the deleted ones.", reply: "QuestionPage"
    ).reading(),
    "POST /v1/kits/{kitId}/questions": .init(
      "createQuestion", "Create a question.", body: "NewQuestion", reply: "Question", [201]
    ).tagged().conflicting("idTaken", "deletedId"),
    "GET /v1/kits/{kitId}/questions/{itemId}": .init("readQuestion", "Read a question.", reply: "Question").tagged()
      .reading(),
    "PUT /v1/kits/{kitId}/questions/{itemId}": .init(
      "putQuestion", "Create or replace a question.", body: "NewQuestion", reply: "Question", [200, 201]
    ).tagged().conditional().conflicting("idTaken", "deletedId"),
    "PATCH /v1/kits/{kitId}/questions/{itemId}": .init(
      "patchQuestion", "Merge members into a question.", body: "QuestionPatch", reply: "Question"
    ).tagged().conditional().conflicting("idTaken", "deletedId"),
    "DELETE /v1/kits/{kitId}/questions/{itemId}": .init("deleteQuestion", "Move a question to the trash.", [204])
      .conditional().conflicting("inUse"),
    "POST /v1/kits/{kitId}/questions/{itemId}/restore": .init(
      "restoreQuestion", "Bring a question back to its place.", reply: "Question"
    ).tagged().conflicting("cannotRestore"),
    "POST /v1/kits/{kitId}/questions/{itemId}/copy": .init(
      "copyQuestion", "Copy a question under new IDs, right behind it.", reply: "CopiedQuestion", [201]
    ).tagged(),
    "POST /v1/kits/{kitId}/questions/{itemId}/move": .init(
      "moveQuestion", "Move a question behind another, or to the front of a section.", body: "QuestionMove",
      reply: "Question"
    ).tagged().conditional(),
  ]

  private static let evaluations: [String: OpenAPIOperation] = [
    "PUT /v1/evaluations/{evaluationId}/kitRevision": .init(
      "putKitRevision", "Move a draft to another kit revision; dryRun=true says what that would do.",
      body: "KitRevision", reply: "EvaluationOrMove"
    ).tagged().conditional().conflicting("evaluationNotDraft"),
    "GET /v1/evaluations": .init("listEvaluations", "List evaluations, without answers.", reply: "EvaluationPage")
      .reading(),
    "POST /v1/evaluations": .init(
      "createEvaluation", "Open an evaluation of a kit revision.", body: "NewEvaluation", reply: "Evaluation", [201]
    ).tagged().conflicting("idTaken", "kitArchived"),
    "GET /v1/evaluations/{evaluationId}": .init(
      "readEvaluation", "Read an evaluation; include=kit,layout is one screen.", reply: "Evaluation"
    ).tagged().reading(),
    "PUT /v1/evaluations/{evaluationId}": .init(
      "putEvaluation", "Open an evaluation under its ID; the same again changes nothing.", body: "NewEvaluation",
      reply: "Evaluation", [200, 201]
    ).tagged().conditional(.optional).conflicting("idTaken", "kitArchived"),
    "PATCH /v1/evaluations/{evaluationId}": .init(
      "patchEvaluation", "Change candidate or interviewer.", body: "EvaluationPatch", reply: "Evaluation"
    ).tagged().conditional().conflicting("evaluationNotDraft", "candidateNamed"),
    "POST /v1/evaluations/{evaluationId}/submit": .init(
      "submitEvaluation", "Freeze the answers once nothing required is missing.", body: "Submission",
      reply: "Evaluation"
    ).tagged().conditional(.optional).conflicting("evaluationNotDraft").refusing("missingAnswers"),
    "POST /v1/evaluations/{evaluationId}/reopen": .init(
      "reopenEvaluation", "Make it a draft again, with a reason that is kept.", body: "Reopening", reply: "Evaluation"
    ).tagged().conditional(.optional),
    "POST /v1/evaluations/{evaluationId}/withdraw": .init(
      "withdrawEvaluation", "Withdraw it; its answers stay readable.", reply: "Evaluation"
    ).tagged().conditional(.optional),
    "GET /v1/evaluations/{evaluationId}/history": .init(
      "readEvaluationHistory", "What happened to it besides answering, newest first.", reply: "EventPage"
    ).reading(),
    "GET /v1/evaluations/{evaluationId}/answers": .init(
      "readAnswers", "Read all answers by item ID.", reply: "Answers"
    ).tagged().reading(),
    "PATCH /v1/evaluations/{evaluationId}/answers": .init(
      "patchAnswers", "Write up to 500 answers, each with its own outcome.", body: "AnswerBatch",
      reply: "AnswerBatchResults"
    ).conflicting("evaluationNotDraft"),
    "GET /v1/evaluations/{evaluationId}/answers/{itemId}": .init("readAnswer", "Read one answer.", reply: "Answer")
      .tagged().reading(),
    "PUT /v1/evaluations/{evaluationId}/answers/{itemId}": .init(
      "putAnswer", "Write one answer; with a viewport the reply has the rows that changed.", body: "AnswerContent",
      reply: "AnswerOrWritten", [200, 201]
    ).tagged().conditional().conflicting("evaluationNotDraft"),
    "PATCH /v1/evaluations/{evaluationId}/answers/{itemId}": .init(
      "patchAnswer", "Merge members into an answer.", body: "AnswerContent", reply: "AnswerOrWritten", [200, 201]
    ).tagged().conditional().conflicting("evaluationNotDraft"),
    "DELETE /v1/evaluations/{evaluationId}/answers/{itemId}": .init(
      "clearAnswer", "Clear an answer; with a viewport the reply has the rows that changed.", reply: "AnswerOrWritten",
      [204, 200]
    ).tagged().conditional().conflicting("evaluationNotDraft"),
    "GET /v1/evaluations/{evaluationId}/answers/{itemId}/history": .init(
      "readAnswerHistory", "Every value of an answer, and those that lost a conflict, newest first.",
      reply: "AnswerHistory"
    ).reading(),
  ]

  private static let access: [String: OpenAPIOperation] = [
    "GET /v1/me": .init("readMe", "Who asks, in which role, with which token.", reply: "Me").reading(),
    "GET /v1/members": .init("listMembers", "List the account's members.", reply: "MemberPage").reading(),
    "POST /v1/members": .init("createMember", "Make a member.", body: "NewMember", reply: "Member", [201]).tagged()
      .conflicting("idTaken"),
    "GET /v1/members/{memberId}": .init("readMember", "Read a member.", reply: "Member").tagged().reading(),
    "PATCH /v1/members/{memberId}": .init(
      "patchMember", "Change a member's name or role, or end what the member's tokens are good for.",
      body: "MemberPatch", reply: "Member"
    ).tagged().conditional().conflicting("lastAdmin"),
    "GET /v1/tokens": .init("listTokens", "List the account's tokens, revoked ones too.", reply: "TokenPage").reading(),
    "POST /v1/tokens": .init(
      "createToken", "Make a token, which is shown this once; the first one of all is an admin's.", body: "NewToken",
      reply: "IssuedToken", [201]
    ).conflicting("firstTokenIsAdmins"),
    "POST /v1/tickets": .init(
      "createTicket",
      "Make a ticket, which opens one event stream within 30 seconds, for pages that can't send a token.",
      reply: "Ticket", [201]
    ).reading(),
    "DELETE /v1/tokens/{tokenId}": .init(
      "revokeToken", "End a token at once, on every connection and stream.", [204]
    ).conflicting("lastAdmin"),
  ]

  private static let audit: [String: OpenAPIOperation] = [
    "GET /v1/candidates/{candidateId}": .init("readCandidate", "Read a candidate's record.", reply: "Candidate")
      .reading(),
    "POST /v1/candidates/{candidateId}/erase": .init(
      "eraseCandidate", "Remove all text about a candidate for good: evaluations, answers, histories and names.",
      reply: "CandidateErased"
    ).reading(),
    "GET /v1/audit": .init("listAudit", "Who did what when, from which address, the last first.", reply: "AuditPage")
      .reading(),
  ]

  private static let others: [String: OpenAPIOperation] = [
    "GET /v1/kits/{kitId}/layout": .init("readKitLayout", "Row heights of the empty kit.", reply: "Layout").tagged()
      .reading(),
    "GET /v1/evaluations/{evaluationId}/layout": .init(
      "readEvaluationLayout", "Row heights with the answers' text.", reply: "Layout"
    ).tagged().reading(),
    "POST /v1/evaluations/{evaluationId}/layout": .init(
      "measureUnsaved", "Row heights with text that is not saved.", body: "UnsavedValues", reply: "Layout"
    ).reading(),
    "POST /v1/measure": .init("measure", "Heights of given texts.", body: "MeasureRequest", reply: "Measurement")
      .reading(),
    "GET /v1/profiles": .init("listProfiles", "List layout profiles, every version.", reply: "ProfilePage").tagged()
      .reading(),
    "GET /v1/profiles/{name}": .init("readProfile", "Read a layout profile.", reply: "Profile").tagged().reading(),
    "PUT /v1/profiles/{name}": .init(
      "putProfile", "Make the next version of a layout profile, or the first; versions never change.",
      body: "ProfileDocument", reply: "Profile", [200, 201]
    ).tagged().conditional().conflicting("immutableVersion", "tooManyProfiles"),
    "GET /v1/fonts": .init("readFonts", "The fonts loaded and missing.", reply: "Fonts").tagged().reading(),
    "GET /v1/changes": .init("readChanges", "What changed since a position of the feed, in order.", reply: "Changes")
      .reading(),
    "GET /healthz": .init("readHealth", "Alive.", reply: "Status").reading(),
    "GET /readyz": .init(
      "readReadiness",
      "Ready: the database answers and takes writes, or only its disk is full (200 with database full); else 503 says why.",
      reply: "Status"
    ).reading(),
    "GET /version": .init("readVersion", "Versions of program, schema, engine and fonts.", reply: "Version").tagged()
      .reading(),
    "GET /metrics": .init("readMetrics", "Figures of the running service, as Prometheus reads them.", reply: "string")
      .reading(),
    "GET /openapi.json": .init("readOpenAPI", "This document.", reply: "OpenAPI").tagged().reading(),
  ]
}
