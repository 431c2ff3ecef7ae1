// The rows that the feed tells of with its changes of answers, where the client has named a viewport.

import HTTP
import InterviewKits
import JSON
import RowLayout
import Store

/// Lays out what a page of changes tells of: each evaluation once, in the state that it has when the page is read. That
/// state is never older than the change, and what is told of it is how rows stand, not how they came to: so the last
/// event of each answer leaves every reader with the rows of a fresh layout.
struct ChangeLayouts {
  private let api: InterviewKitAPI
  private let caller: Caller
  private let query: [(name: String, value: String)]
  private let isAsked: Bool
  private var known: [ItemID: (screen: Screen, viewports: [Viewport])] = [:]

  init(api: InterviewKitAPI, caller: Caller, query: [(name: String, value: String)]) {
    (self.api, self.caller, self.query) = (api, caller, query)
    isAsked = ViewportQuery.isPresent(in: query)
  }

  /// - Throws: `invalid` with what is wrong with the viewport.
  func check() throws(StoreError) {
    if isAsked { _ = try viewports(locale: nil) }
  }

  /// Reads the evaluations that a page tells of; to be called before its changes are written.
  mutating func read(_ changes: [Change], for caller: Caller) throws(StoreError) {
    known = [:]
    guard isAsked else { return }
    for change in changes where change.kind == .answerChanged {
      guard let id = change.evaluationID, known[id] == nil else { continue }
      do throws(StoreError) {
        let screen = try api.store.screen(id, for: caller)
        known[id] = (screen, try viewports(locale: screen.snapshot.kit.language))
      } catch {
        // Hidden since the page was read.
        if case .notFound = error { continue }
        throw error
      }
    }
  }

  func write(_ change: Change, to writer: inout JSONWriter) {
    guard change.kind == .answerChanged, let item = change.itemID,
      let (screen, viewports) = change.evaluationID.flatMap({ known[$0] })
    else { return Call.write(change, to: &writer) }
    Call.write(change, to: &writer) { body in
      body.member("layouts") { list in
        list.array { list in
          for viewport in viewports {
            let rows = api.layouts.rows(
              of: item, in: screen.evaluation, kit: screen.snapshot, viewport: viewport, isRedacted: screen.isRedacted)
            LayoutJSON.write(rows, of: item, to: &list)
          }
        }
      }
    }
  }

  private func viewports(locale: String?) throws(StoreError) -> [Viewport] {
    let library = try api.profiles(of: caller).library
    do { return try ViewportQuery.viewports(in: query, profiles: library, defaultLocale: locale) } catch {
      throw .invalid(error.issues)
    }
  }
}

extension Call {
  /// The layouts that the query asks the feed for.
  func changeLayouts() throws(Problem) -> ChangeLayouts {
    let layouts = ChangeLayouts(api: api, caller: caller, query: request.head.query)
    try stored { () throws(StoreError) in try layouts.check() }
    return layouts
  }
}
