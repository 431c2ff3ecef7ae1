// The whole API on one page.

import HTTP

private let page = ["limit", "cursor"]
private let viewport = ["profile", "width", "contentSize", "fontScale", "scale", "locale", "slots"]
private let kitOffers: [MediaType] = [.json, .markdown, .csv]

extension InterviewKitAPI {
  static let routes: [Route<Endpoint>] = describedRoutes + pageRoutes

  /// What `/openapi.json` describes: all but what browsers load.
  static let describedRoutes: [Route<Endpoint>] =
    kitRoutes + itemRoutes + evaluationRoutes + layoutRoutes + systemRoutes

  private static let kitRoutes: [Route<Endpoint>] = [
    Route(.get, "/v1/kits", Endpoint(Call.listKits, query: page + ["q", "status", "deleted"])),
    Route(.post, "/v1/kits", Endpoint(Call.createKit, query: ["dryRun", "title"], body: .kitDocument)),
    Route(.get, "/v1/kits/{kitId}", Endpoint(Call.readKit, offers: kitOffers)),
    Route(.put, "/v1/kits/{kitId}", Endpoint(Call.putKit, query: ["dryRun", "title"], body: .kitDocument)),
    Route(.patch, "/v1/kits/{kitId}", Endpoint(Call.patchKit, body: .mergePatch)),
    Route(.delete, "/v1/kits/{kitId}", Endpoint(Call.deleteKit)),
    Route(.post, "/v1/kits/{kitId}/restore", Endpoint(Call.restoreKit)),
    Route(.post, "/v1/kits/{kitId}/copy", Endpoint(Call.copyKit, body: .optionalJSON)),
    Route(.get, "/v1/kits/{kitId}/evaluations", Endpoint(Call.exportEvaluations, offers: Call.exportOffers)),
    Route(.get, "/v1/kits/{kitId}/diff", Endpoint(Call.readKitDiff, query: ["from", "to"])),
    Route(.get, "/v1/kits/{kitId}/revisions/{revision}", Endpoint(Call.readKitRevision, offers: kitOffers)),
  ]

  private static let itemRoutes: [Route<Endpoint>] = [
    Route(.get, "/v1/kits/{kitId}/sections", Endpoint(Call.listSections, query: page + ["deleted"])),
    Route(.post, "/v1/kits/{kitId}/sections", Endpoint(Call.createSection, body: .json)),
    Route(.get, "/v1/kits/{kitId}/sections/{itemId}", Endpoint(Call.readSection)),
    Route(.put, "/v1/kits/{kitId}/sections/{itemId}", Endpoint(Call.putSection, body: .json)),
    Route(.patch, "/v1/kits/{kitId}/sections/{itemId}", Endpoint(Call.patchSection, body: .mergePatch)),
    Route(.delete, "/v1/kits/{kitId}/sections/{itemId}", Endpoint(Call.deleteSection)),
    Route(.post, "/v1/kits/{kitId}/sections/{itemId}/restore", Endpoint(Call.restoreSection)),
    Route(.post, "/v1/kits/{kitId}/sections/{itemId}/move", Endpoint(Call.moveSection, body: .json)),
    Route(.get, "/v1/kits/{kitId}/questions", Endpoint(Call.listQuestions, query: page + ["deleted"])),
    Route(.post, "/v1/kits/{kitId}/questions", Endpoint(Call.createQuestion, body: .json)),
    Route(.get, "/v1/kits/{kitId}/questions/{itemId}", Endpoint(Call.readQuestion)),
    Route(.put, "/v1/kits/{kitId}/questions/{itemId}", Endpoint(Call.putQuestion, body: .json)),
    Route(.patch, "/v1/kits/{kitId}/questions/{itemId}", Endpoint(Call.patchQuestion, body: .mergePatch)),
    Route(.delete, "/v1/kits/{kitId}/questions/{itemId}", Endpoint(Call.deleteQuestion)),
    Route(.post, "/v1/kits/{kitId}/questions/{itemId}/restore", Endpoint(Call.restoreQuestion)),
    Route(.post, "/v1/kits/{kitId}/questions/{itemId}/move", Endpoint(Call.moveQuestion, body: .json)),
    Route(.post, "/v1/kits/{kitId}/questions/{itemId}/copy", Endpoint(Call.copyQuestion)),
  ]

  private static let evaluationRoutes: [Route<Endpoint>] = [
    Route(
      .get, "/v1/evaluations",
      Endpoint(Call.listEvaluations, query: page + ["kit", "candidate", "interviewer", "status"])),
    Route(.post, "/v1/evaluations", Endpoint(Call.createEvaluation, body: .json)),
    Route(
      .get, "/v1/evaluations/{evaluationId}",
      Endpoint(Call.readEvaluation, query: viewport + ["include", "parts"], offers: Call.exportOffers)),
    Route(.put, "/v1/evaluations/{evaluationId}", Endpoint(Call.putEvaluation, body: .json)),
    Route(.patch, "/v1/evaluations/{evaluationId}", Endpoint(Call.patchEvaluation, body: .mergePatch)),
    Route(.post, "/v1/evaluations/{evaluationId}/submit", Endpoint(Call.submit, body: .optionalJSON)),
    Route(.post, "/v1/evaluations/{evaluationId}/reopen", Endpoint(Call.reopen, body: .json)),
    Route(.post, "/v1/evaluations/{evaluationId}/withdraw", Endpoint(Call.withdraw)),
    Route(
      .put, "/v1/evaluations/{evaluationId}/kitRevision",
      Endpoint(Call.putKitRevision, query: ["dryRun"], body: .json)),
    Route(.get, "/v1/evaluations/{evaluationId}/history", Endpoint(Call.readEvaluationHistory, query: page)),
    Route(.get, "/v1/evaluations/{evaluationId}/answers", Endpoint(Call.readAnswers)),
    Route(
      .patch, "/v1/evaluations/{evaluationId}/answers",
      Endpoint(Call.patchAnswers, query: viewport + ["parts"], body: .json)),
    Route(.get, "/v1/evaluations/{evaluationId}/answers/{itemId}", Endpoint(Call.readAnswer)),
    Route(
      .put, "/v1/evaluations/{evaluationId}/answers/{itemId}",
      Endpoint(Call.putAnswer, query: viewport + ["parts"], body: .json)),
    Route(
      .patch, "/v1/evaluations/{evaluationId}/answers/{itemId}",
      Endpoint(Call.patchAnswer, query: viewport + ["parts"], body: .mergePatch)),
    Route(
      .delete, "/v1/evaluations/{evaluationId}/answers/{itemId}",
      Endpoint(Call.clearAnswer, query: viewport + ["parts"])),
    Route(
      .get, "/v1/evaluations/{evaluationId}/answers/{itemId}/history", Endpoint(Call.readAnswerHistory, query: page)),
  ]

  private static let layoutRoutes: [Route<Endpoint>] = [
    Route(.get, "/v1/kits/{kitId}/layout", Endpoint(Call.readKitLayout, query: viewport + ["parts", "all"])),
    Route(
      .get, "/v1/evaluations/{evaluationId}/layout", Endpoint(Call.readEvaluationLayout, query: viewport + ["parts"])),
    Route(
      .post, "/v1/evaluations/{evaluationId}/layout",
      Endpoint(Call.measureUnsaved, query: viewport + ["parts"], body: .json)),
    Route(.post, "/v1/measure", Endpoint(Call.measure, body: .json)),
    Route(.get, "/v1/profiles", Endpoint(Call.listProfiles, query: page)),
    Route(.get, "/v1/profiles/{name}", Endpoint(Call.readProfile)),
    Route(.put, "/v1/profiles/{name}", Endpoint(Call.putProfile, body: .json)),
    Route(.get, "/v1/fonts", Endpoint(Call.readFonts, query: ["coverage"], readsStore: false)),
  ]

  private static let systemRoutes: [Route<Endpoint>] = [
    Route(
      .get, "/v1/changes",
      Endpoint(
        Call.readChanges, query: page + ["since", "kit", "evaluation"] + viewport, offers: [.json, .eventStream])),
    Route(.get, "/healthz", Endpoint(Call.readHealth, readsStore: false)),
    Route(.get, "/readyz", Endpoint(Call.readReadiness)),
    Route(.get, "/version", Endpoint(Call.readVersion, readsStore: false)),
    Route(.get, "/openapi.json", Endpoint(Call.readOpenAPI, readsStore: false)),
    Route(.get, "/metrics", Endpoint(Call.readMetrics, offers: [MetricFamily.mediaType], readsStore: false)),
  ]

  private static let pageRoutes: [Route<Endpoint>] = [
    Route(.get, "/", Endpoint(Call.readPage, offers: [.html], readsStore: false)),
    Route(.get, "/assets/{file}", Endpoint(Call.readAsset, offers: [], readsStore: false)),
    Route(.get, "/assets/fonts/{sha256}/{index}", Endpoint(Call.readFontFile, offers: [], readsStore: false)),
  ]
}
