// Row heights of kits and evaluations, for the viewport in the query.

import HTTP
import InterviewKits
import JSON
import KitDocuments
import RowLayout
import Store

extension Call {
  func readKitLayout() async throws(Problem) -> Response {
    let snapshot = try currentKit()
    let profiles = try profiles()
    let viewport = try singleViewport(for: snapshot.kit)
    let showsAll = try flag("all")
    remember([viewport], of: snapshot.kit.id)
    let layout = LayoutSubject(account: account, kit: snapshot, showsAll: showsAll)
    let response = try respond(layout, viewport, tag: "\(snapshot.kit.revision)" + (showsAll ? "-all" : ""))
    let subject = ResponseSubject.kit(
      snapshot.kit.id, account: account, revision: snapshot.kit.revision, profiles: profiles.storedCount)
    api.remember(response, for: request.head, of: account, subject: subject)
    return response.unlessKnown(to: request.head)
  }

  func readEvaluationLayout() async throws(Problem) -> Response {
    let screen = try screen()
    let viewport = try singleViewport(for: screen.snapshot.kit)
    let summary = screen.evaluation.summary
    remember([viewport], of: summary.kitID, evaluation: summary.id)
    let layout = LayoutSubject(
      account: account, kit: screen.snapshot, evaluation: screen.evaluation, isRedacted: screen.isRedacted)
    return try respond(layout, viewport, tag: "\(summary.kitRevision)-\(screen.tag(of: summary.revision))")
      .unlessKnown(to: request.head)
  }

  /// Row heights with text that is not saved: `{ "values": { itemId: value }, "slots": { name: height } }`; stores nothing.
  func measureUnsaved() async throws(Problem) -> Response {
    let screen = try screen()
    var viewport = try singleViewport(for: screen.snapshot.kit)
    let body = try json()
    var (contents, issues) = ([ItemID: AnswerContent](), [Issue]())
    do { contents = try AnswerJSON.decodeUnsaved(body, in: screen.snapshot) } catch { issues += error.issues }
    if let slots = body["slots"] {
      do { viewport = try viewport.with(slots: slots, pointer: "/slots") } catch { issues += error.issues }
    }
    guard issues.isEmpty else { throw .invalid(issues) }
    var answers = screen.evaluation.answers
    for (id, content) in contents {
      var answer = answers[id] ?? Answer(itemID: id)
      answer.content.value = content.value
      answers[id] = answer
    }
    let layout = api.layouts.layout(of: screen.snapshot, answers: answers, viewport: viewport)
    let parts = try flag("parts")
    return .json(capacity: 8_192) {
      LayoutJSON.write(layout, evaluationID: screen.evaluation.summary.id, parts: parts, to: &$0)
    }
  }

  private func respond(_ layout: LayoutSubject, _ viewport: Viewport, tag: String) throws(Problem) -> Response {
    let parts = try flag("parts")
    let tag = "\(api.layouts.fingerprint(of: viewport))-\(tag)"
    let document = api.layouts.document(of: layout, viewport: viewport, parts: parts)
    let fields = [
      Field("Content-Type", MediaType.json.description), Field("ETag", "\"\(parts ? tag + "-parts" : tag)\""),
    ]
    return Response(status: 200, fields: fields, body: document)
  }

  /// Has what changes laid out ahead in these viewports from now on.
  func remember(_ viewports: [Viewport], of kit: ItemID, evaluation: ItemID? = nil) {
    let ahead = api.layoutsAhead
    for viewport in viewports {
      ahead.remember(viewport, of: .init(account: account, kind: .kit, id: kit), for: caller)
      if let evaluation {
        ahead.remember(viewport, of: .init(account: account, kind: .evaluation, id: evaluation), for: caller)
      }
    }
  }

  // MARK: Viewports

  /// The viewports that the query names: one for each width.
  func viewports(for kit: Kit) throws(Problem) -> [Viewport] {
    let profiles = try profiles().library
    do {
      return try ViewportQuery.viewports(in: request.head.query, profiles: profiles, defaultLocale: kit.language)
    } catch { throw .invalid(error.issues) }
  }

  /// What is wrong with the viewports that a query names, if it names one.
  func viewportIssues() -> [Issue] {
    guard ViewportQuery.isPresent(in: request.head.query) else { return [] }
    do throws(Problem) {
      let profiles = try profiles().library
      do { _ = try ViewportQuery.viewports(in: request.head.query, profiles: profiles, defaultLocale: nil) } catch {
        return error.issues
      }
      return []
    } catch { return [] }
  }

  private func singleViewport(for kit: Kit) throws(Problem) -> Viewport {
    let viewports = try viewports(for: kit)
    guard viewports.count == 1, let viewport = viewports.first else {
      throw .invalid([queryIssue("width", "invalidWidth", "A layout is read for one width at a time.")])
    }
    return viewport
  }

  /// The viewports of an answer write, which may name none.
  func viewportsIfNamed(of evaluationID: ItemID) throws(Problem) -> [Viewport] {
    guard ViewportQuery.isPresent(in: request.head.query) else { return [] }
    let screen = try stored { () throws(StoreError) in try api.store.screen(evaluationID, for: caller) }
    let viewports = try viewports(for: screen.snapshot.kit)
    remember(viewports, of: screen.snapshot.kit.id, evaluation: evaluationID)
    return viewports
  }

  func deltas(of written: AnswersWritten, _ viewports: [Viewport]) -> [LayoutDelta] {
    viewports.map { viewport in
      api.layouts.delta(
        kit: written.snapshot, before: written.before, after: written.after,
        changed: Set(written.results.map(\.itemID)), viewport: viewport)
    }
  }

  // MARK: Measuring and fonts

  func measure() async throws(Problem) -> Response {
    let value = try json()
    let request: MeasureRequest
    let profiles = try profiles().library
    do { request = try api.layouts.measureRequest(value, profiles: profiles) } catch { throw .invalid(error.issues) }
    let result = api.layouts.measure(request)
    return .json(capacity: 4_096) { LayoutJSON.write(result, to: &$0) }
  }

  func readFonts() async throws(Problem) -> Response {
    let coverage = try flag("coverage")
    return constant { api.layouts.writeFonts(coverage: coverage, to: &$0) }
  }
}
