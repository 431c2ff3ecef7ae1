// The whole API on one page.

import HTTP

private let account = ["account"]
private let page = ["limit", "cursor"]
private let viewport = ["profile", "width", "contentSize", "fontScale", "scale", "locale", "slots"]
private let importing = ["dryRun", "title", "language"]
private let kitOffers: [MediaType] = [.json, .markdown, .csv]

extension InterviewKitAPI {
  static let routes: [Route<Endpoint>] = describedRoutes + pageRoutes

  /// What `/openapi.json` describes: all but what browsers load.
  static let describedRoutes: [Route<Endpoint>] = groups.flatMap(\.routes)

  /// The groups that `/openapi.json` and `/docs` show them in.
  static let groups: [RouteGroup] = [
    RouteGroup("Kits", "Templates: their documents, revisions, copies and exports.", kitRoutes),
    RouteGroup("Sections and questions", "A kit's items, each with a revision of its own.", itemRoutes),
    RouteGroup("Evaluations", "One interviewer, one candidate, one kit revision; and its answers.", evaluationRoutes),
    RouteGroup("Heights", "Layouts, measuring, profiles and fonts.", layoutRoutes),
    RouteGroup("Access", "Who asks, members, tokens, candidates and the audit log.", accessRoutes + auditRoutes),
    RouteGroup("Service", "What changed, and how the service is.", systemRoutes),
  ]

  private static let kitRoutes: [Route<Endpoint>] = [
    Route(.get, "/v1/kits", Endpoint(.members, Call.listKits, query: page + ["q", "status", "deleted"])),
    Route(.post, "/v1/kits", Endpoint(.authors, Call.createKit, query: importing, body: .kitDocument)),
    Route(.get, "/v1/kits/{kitId}", Endpoint(.members, Call.readKit, offers: kitOffers)),
    Route(.put, "/v1/kits/{kitId}", Endpoint(.authors, Call.putKit, query: importing, body: .kitDocument)),
    Route(.patch, "/v1/kits/{kitId}", Endpoint(.authors, Call.patchKit, body: .mergePatch)),
    Route(.delete, "/v1/kits/{kitId}", Endpoint(.authors, Call.deleteKit)),
    Route(.post, "/v1/kits/{kitId}/restore", Endpoint(.authors, Call.restoreKit)),
    Route(.post, "/v1/kits/{kitId}/copy", Endpoint(.authors, Call.copyKit, body: .optionalJSON)),
    Route(.get, "/v1/kits/{kitId}/evaluations", Endpoint(.readers, Call.exportEvaluations, offers: Call.exportOffers)),
    Route(.get, "/v1/kits/{kitId}/diff", Endpoint(.members, Call.readKitDiff, query: ["from", "to"])),
    Route(.get, "/v1/kits/{kitId}/revisions/{revision}", Endpoint(.members, Call.readKitRevision, offers: kitOffers)),
  ]

  private static let itemRoutes: [Route<Endpoint>] = [
    Route(.get, "/v1/kits/{kitId}/sections", Endpoint(.members, Call.listSections, query: page + ["deleted"])),
    Route(.post, "/v1/kits/{kitId}/sections", Endpoint(.authors, Call.createSection, body: .json)),
    Route(.get, "/v1/kits/{kitId}/sections/{itemId}", Endpoint(.members, Call.readSection)),
    Route(.put, "/v1/kits/{kitId}/sections/{itemId}", Endpoint(.authors, Call.putSection, body: .json)),
    Route(.patch, "/v1/kits/{kitId}/sections/{itemId}", Endpoint(.authors, Call.patchSection, body: .mergePatch)),
    Route(.delete, "/v1/kits/{kitId}/sections/{itemId}", Endpoint(.authors, Call.deleteSection)),
    Route(.post, "/v1/kits/{kitId}/sections/{itemId}/restore", Endpoint(.authors, Call.restoreSection)),
    Route(.post, "/v1/kits/{kitId}/sections/{itemId}/move", Endpoint(.authors, Call.moveSection, body: .json)),
    Route(.get, "/v1/kits/{kitId}/questions", Endpoint(.members, Call.listQuestions, query: page + ["deleted"])),
    Route(.post, "/v1/kits/{kitId}/questions", Endpoint(.authors, Call.createQuestion, body: .json)),
    Route(.get, "/v1/kits/{kitId}/questions/{itemId}", Endpoint(.members, Call.readQuestion)),
    Route(.put, "/v1/kits/{kitId}/questions/{itemId}", Endpoint(.authors, Call.putQuestion, body: .json)),
    Route(.patch, "/v1/kits/{kitId}/questions/{itemId}", Endpoint(.authors, Call.patchQuestion, body: .mergePatch)),
    Route(.delete, "/v1/kits/{kitId}/questions/{itemId}", Endpoint(.authors, Call.deleteQuestion)),
    Route(.post, "/v1/kits/{kitId}/questions/{itemId}/restore", Endpoint(.authors, Call.restoreQuestion)),
    Route(.post, "/v1/kits/{kitId}/questions/{itemId}/move", Endpoint(.authors, Call.moveQuestion, body: .json)),
    Route(.post, "/v1/kits/{kitId}/questions/{itemId}/copy", Endpoint(.authors, Call.copyQuestion)),
  ]

  private static let evaluationRoutes: [Route<Endpoint>] = [
    Route(
      .get, "/v1/evaluations",
      Endpoint(.readers, Call.listEvaluations, query: page + ["kit", "candidate", "interviewer", "status"])),
    Route(.post, "/v1/evaluations", Endpoint(.interviewers, Call.createEvaluation, body: .json)),
    Route(
      .get, "/v1/evaluations/{evaluationId}",
      Endpoint(.readers, Call.readEvaluation, query: viewport + ["include", "parts"], offers: Call.exportOffers)),
    Route(.put, "/v1/evaluations/{evaluationId}", Endpoint(.interviewers, Call.putEvaluation, body: .json)),
    Route(.patch, "/v1/evaluations/{evaluationId}", Endpoint(.interviewers, Call.patchEvaluation, body: .mergePatch)),
    Route(.post, "/v1/evaluations/{evaluationId}/submit", Endpoint(.interviewers, Call.submit, body: .optionalJSON)),
    Route(
      .post, "/v1/evaluations/{evaluationId}/reopen",
      Endpoint(.interviewers, Call.reopen, body: .json, bodyHint: #"{ "reason": "…" }"#)),
    Route(.post, "/v1/evaluations/{evaluationId}/withdraw", Endpoint(.interviewers, Call.withdraw)),
    Route(
      .put, "/v1/evaluations/{evaluationId}/kitRevision",
      Endpoint(.interviewers, Call.putKitRevision, query: ["dryRun"], body: .json)),
    Route(.get, "/v1/evaluations/{evaluationId}/history", Endpoint(.readers, Call.readEvaluationHistory, query: page)),
    Route(.get, "/v1/evaluations/{evaluationId}/answers", Endpoint(.readers, Call.readAnswers)),
    Route(
      .patch, "/v1/evaluations/{evaluationId}/answers",
      Endpoint(.interviewers, Call.patchAnswers, query: viewport + ["parts"], body: .json)),
    Route(.get, "/v1/evaluations/{evaluationId}/answers/{itemId}", Endpoint(.readers, Call.readAnswer)),
    Route(
      .put, "/v1/evaluations/{evaluationId}/answers/{itemId}",
      Endpoint(.interviewers, Call.putAnswer, query: viewport + ["parts"], body: .json)),
    Route(
      .patch, "/v1/evaluations/{evaluationId}/answers/{itemId}",
      Endpoint(.interviewers, Call.patchAnswer, query: viewport + ["parts"], body: .mergePatch)),
    Route(
      .delete, "/v1/evaluations/{evaluationId}/answers/{itemId}",
      Endpoint(.interviewers, Call.clearAnswer, query: viewport + ["parts"])),
    Route(
      .get, "/v1/evaluations/{evaluationId}/answers/{itemId}/history",
      Endpoint(.readers, Call.readAnswerHistory, query: page)),
  ]

  private static let layoutRoutes: [Route<Endpoint>] = [
    Route(.get, "/v1/kits/{kitId}/layout", Endpoint(.members, Call.readKitLayout, query: viewport + ["parts", "all"])),
    Route(
      .get, "/v1/evaluations/{evaluationId}/layout",
      Endpoint(.readers, Call.readEvaluationLayout, query: viewport + ["parts"])),
    Route(
      .post, "/v1/evaluations/{evaluationId}/layout",
      Endpoint(.readers, Call.measureUnsaved, query: viewport + ["parts"], body: .json)),
    Route(.post, "/v1/measure", Endpoint(.members, Call.measure, body: .json)),
    Route(.get, "/v1/profiles", Endpoint(.members, Call.listProfiles, query: page)),
    Route(.get, "/v1/profiles/{name}", Endpoint(.members, Call.readProfile)),
    Route(.put, "/v1/profiles/{name}", Endpoint(.authors, Call.putProfile, body: .json)),
    Route(.get, "/v1/fonts", Endpoint(.members, Call.readFonts, query: ["coverage"], readsStore: false)),
  ]

  private static let accessRoutes: [Route<Endpoint>] = [
    Route(.get, "/v1/me", Endpoint(.members, Call.readMe)),
    Route(.get, "/v1/members", Endpoint(.admins, Call.listMembers, query: page + account)),
    Route(.post, "/v1/members", Endpoint(.admins, Call.createMember, query: account, body: .json)),
    Route(.get, "/v1/members/{memberId}", Endpoint(.admins, Call.readMember, query: account)),
    Route(.patch, "/v1/members/{memberId}", Endpoint(.admins, Call.patchMember, query: account, body: .mergePatch)),
    Route(.get, "/v1/tokens", Endpoint(.admins, Call.listTokens, query: page + account)),
    Route(.post, "/v1/tokens", Endpoint(.admins, Call.createToken, query: account, body: .json)),
    Route(.post, "/v1/tickets", Endpoint(.members, Call.createTicket)),
    Route(.delete, "/v1/tokens/{tokenId}", Endpoint(.admins, Call.revokeToken, query: account)),
  ]

  private static let auditRoutes: [Route<Endpoint>] = [
    Route(.get, "/v1/candidates/{candidateId}", Endpoint(.readers, Call.readCandidate)),
    Route(.post, "/v1/candidates/{candidateId}/erase", Endpoint(.admins, Call.eraseCandidate)),
    Route(.get, "/v1/audit", Endpoint(.admins, Call.listAudit, query: page + ["member"])),
  ]

  private static let systemRoutes: [Route<Endpoint>] = [
    Route(
      .get, "/v1/changes",
      Endpoint(
        .members, Call.readChanges, query: page + ["since", "kit", "evaluation", "ticket"] + viewport,
        offers: [.json, .eventStream])),
    Route(.get, "/healthz", Endpoint(.everybody, Call.readHealth, readsStore: false)),
    Route(.get, "/readyz", Endpoint(.everybody, Call.readReadiness)),
    Route(.get, "/version", Endpoint(.everybody, Call.readVersion, readsStore: false)),
    Route(.get, "/openapi.json", Endpoint(.members, Call.readOpenAPI, readsStore: false)),
    Route(.get, "/metrics", Endpoint(.admins, Call.readMetrics, offers: [MetricFamily.mediaType], readsStore: false)),
  ]

  private static let pageRoutes: [Route<Endpoint>] = [
    Route(.get, "/", Endpoint(.everybody, Call.readPage, offers: [.html], readsStore: false)),
    Route(.get, "/docs", Endpoint(.everybody, Call.readReference, offers: [.html], readsStore: false)),
    Route(.get, "/assets/{file}", Endpoint(.everybody, Call.readAsset, offers: [], readsStore: false)),
    Route(
      .get, "/assets/fonts/{sha256}/{index}", Endpoint(.everybody, Call.readFontFile, offers: [], readsStore: false)),
  ]
}
