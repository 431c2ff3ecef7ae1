// Every problem that a client can meet, each with its status and a document as the service sends it, for /openapi.json.

extension OpenAPIProblems {
  static let all: [OpenAPIProblem] = unreadable + refused + conflicts + ofService

  /// What any request may meet, and what the service itself fails at.
  static let ofAnyRequest = ofService.map(\.code)

  private static let unreadable: [OpenAPIProblem] = [
    .init(
      code: "invalidTarget", status: 400, detail: "An escape in the request target is broken, is %00 or is not UTF-8."),
    .init(code: "invalidField", status: 400, detail: "A field value holds a control character."),
    .init(
      code: "tokenInAddress", status: 400,
      detail: "A token is sent in Authorization, not in the address, which is kept."),
    json("invalidJSON", "A member's name in quotation marks is needed."),
    json("doubledMember", #"The member "title" is there twice."#, at: "/title"),
    json("tooDeep", "Arrays and objects are nested deeper than 64 levels."),
    json("invalidUTF8", "The text is not valid UTF-8 at byte 12."),
    json("loneSurrogate", "A surrogate stands alone; it is half of a character.", at: "/title"),
    .init(code: "invalidUTF16", status: 400, detail: "The file looks like UTF-16LE, but ends within a character."),
    .init(code: "partialPut", status: 400, detail: "A PUT replaces the whole: Content-Range has no meaning here."),
    .init(
      code: "invalidEntityTag", status: 400,
      detail: "If-Match is neither * nor a list of entity tags; with its quotes this is \"3\"."),
    .init(code: "invalidPrecondition", status: 400, detail: "If-None-Match takes only * on a write."),
    .init(
      code: "invalidIdempotencyKey", status: 400,
      detail: "An Idempotency-Key is given once, with 1 to 255 ASCII characters."),
    .init(code: "invalidLastEventId", status: 400, detail: "'7' is no event's ID of this feed."),
  ]

  private static func json(_ code: String, _ message: String, at pointer: String = "") -> OpenAPIProblem {
    let quoted = message.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: #"\""#)
    return OpenAPIProblem(
      code: code, status: 400, detail: "The body is not acceptable JSON: \(message)",
      errors: #"[{"pointer":"\#(pointer)","itemId":null,"code":"\#(code)","message":"\#(quoted)","line":1}]"#)
  }

  private static let refused: [OpenAPIProblem] = [
    .init(code: "unauthorized", status: 401, detail: "This needs a token: Authorization: Bearer TOKEN."),
    .init(
      code: "tokenInAddress", status: 401,
      detail: "A token is sent in Authorization, not in the address, which is kept."),
    .init(code: "roleForbids", status: 403, detail: "This is for admin, interviewer; yours is author."),
    .init(code: "otherAccount", status: 403, detail: "Only the command line sees other accounts than its own."),
    .init(code: "notYours", status: 403, detail: "Only an evaluation's interviewer and admins write it."),
    .init(
      code: "originForbidden", status: 403,
      detail:
        "A page of another origin may not use a service without tokens; the setting allowedOrigins lists those that may."
    ),
    .init(code: "notFound", status: 404, detail: "'/v1/kits/backend' does not exist."),
    .init(
      code: "notAcceptable", status: 406, detail: "There is application/json here, none of which 'image/png' accepts."),
    .init(
      code: "purged", status: 410, detail: "This was deleted and is gone for good; its ID is not used again."),
    .init(code: "contentTooLarge", status: 413, detail: "The body is longer than 1048576 bytes."),
    .init(
      code: "chunkFramingTooLarge", status: 413, detail: "The framing of the chunked body is longer than 65536 bytes."),
    .init(
      code: "unsupportedMediaType", status: 415,
      detail: "A body of type 'image/png' is not taken here; taken are application/json."),
    .init(
      code: "invalidDocument", status: 422, detail: "The request can't be accepted: 1 thing is wrong.",
      errors:
        #"[{"pointer":"/bogus","itemId":null,"code":"unknownMember","message":"There is no member \"bogus\" here."}]"#
    ),
    .init(
      code: "missingAnswers", status: 422, detail: "The evaluation can't be submitted: 1 required item has no answer.",
      errors:
        #"[{"pointer":"/answers/built","itemId":"built","code":"required","message":"'built' is required and has no answer."}]"#
    ),
    .init(
      code: "idempotencyKeyReused", status: 422,
      detail: "This key or operationId was given to another request before."),
    .init(code: "tooManyRequests", status: 429, detail: "You sent more than 600 requests in 60 seconds."),
  ]

  private static let conflicts: [OpenAPIProblem] = [
    .init(code: "idTaken", status: 409, detail: "The ID 'backend' is taken already."),
    .init(code: "deletedId", status: 409, detail: "'backend' is deleted: restore it, or choose another ID."),
    .init(
      code: "inUse", status: 409, detail: "Others name it; change them first.",
      errors:
        #"[{"pointer":"/overallQuestionId","itemId":"hire","code":"inUse","message":"The kit names 'hire' as its overall question."}]"#
    ),
    .init(
      code: "cannotRestore", status: 409,
      detail: "The kit has changed since, so that the item no longer fits; restore or change what it needs first.",
      errors:
        #"[{"pointer":"/visibleWhen/questionId","itemId":"then","code":"unknownQuestion","message":"There is no question 'gate'."}]"#
    ),
    .init(code: "kitArchived", status: 409, detail: "The kit is archived: it takes no new evaluations."),
    .init(
      code: "evaluationNotDraft", status: 409,
      detail: "The evaluation is submitted, so that it takes no changes; reopen it first."),
    .init(
      code: "candidateNamed", status: 409,
      detail: "The candidate was named by somebody else: who did, or an admin, changes it."),
    .init(
      code: "immutableVersion", status: 409, detail: "A version never changes: PUT /v1/profiles/ios makes a new one."),
    .init(
      code: "tooManyProfiles", status: 409,
      detail: "Versions are kept for good: at most 1000, and 16777216 bytes."),
    .init(
      code: "lastAdmin", status: 409,
      detail: "Nobody else could administer the account; give another admin a token first."),
    .init(
      code: "firstTokenIsAdmins", status: 409,
      detail: "The first token of an account is an active admin's; then every request needs one."),
    .init(code: "preconditionFailed", status: 412, detail: "It is not what you saw any more."),
    .init(
      code: "preconditionRequired", status: 428, detail: "Say which state you saw: If-Match with its ETag, or *."),
  ]

  private static let ofService: [OpenAPIProblem] = [
    .init(
      code: "methodNotAllowed", status: 405, detail: "DELETE is not possible here; possible are GET, HEAD, OPTIONS."),
    .init(code: "requestTimeout", status: 408, detail: "The request did not arrive in time."),
    .init(code: "targetTooLong", status: 414, detail: "The request line is longer than 16384 bytes."),
    .init(code: "unknownExpectation", status: 417, detail: "The only expectation met here is 100-continue."),
    .init(
      code: "misdirectedRequest", status: 421,
      detail:
        "While no token exists, this service answers as localhost only: make the first token, an admin's."
    ),
    .init(code: "fieldsTooLarge", status: 431, detail: "A field is longer than 16384 bytes."),
    .init(
      code: "internalError", status: 500, detail: "Something went wrong inside; the log has it under this requestId."),
    .init(code: "unknownMethod", status: 501, detail: "The request method is not known here."),
    .init(code: "unknownTransferCoding", status: 501, detail: "The only transfer coding understood here is chunked."),
    .init(code: "busy", status: 503, detail: "The database is busy; nothing was changed. Try again."),
    .init(
      code: "databaseUnavailable", status: 503,
      detail:
        "The database can't be reached now. Whether a write was stored is not known: repeat it under its name later."),
    .init(
      code: "databaseFailing", status: 503,
      detail:
        "The disk fails under the database. A write is stored whole or not at all: send it again, with the same Idempotency-Key."
    ),
    .init(
      code: "databaseDamaged", status: 503,
      detail: "The database is damaged: it takes no writes, and what is readable is read."),
    .init(code: "tooManyTickets", status: 503, detail: "Too many tickets wait to be used."),
    .init(code: "tooManyBodies", status: 503, detail: "The bodies of all requests together take too much memory now."),
    .init(code: "tooManyConnections", status: 503, detail: "Too many connections are open."),
    .init(code: "unsupportedVersion", status: 505, detail: "Only HTTP/1.1 and HTTP/1.0 are spoken here."),
    .init(code: "diskFull", status: 507, detail: "The disk is full; nothing was changed."),
  ]
}
