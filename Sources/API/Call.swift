// One request on its way through an endpoint: what it names, asks and carries.

import HTTP
import InterviewKits
import JSON
import KitDocuments
import Store

struct Call: Sendable {
  let api: InterviewKitAPI
  let request: Request
  let parameters: PathParameters
  /// Who asks; nil where everybody may.
  private let member: Caller?

  init(api: InterviewKitAPI, request: Request, parameters: PathParameters, caller: Caller?) {
    (self.api, self.request, self.parameters, member) = (api, request, parameters, caller)
  }

  var caller: Caller {
    guard let member else { preconditionFailure("a route for everybody asks for nobody") }
    return member
  }

  /// Whose kept replies these are.
  var account: ItemID { member?.accountID ?? Store.defaultAccount }
  var now: Timestamp { api.clock() }

  // MARK: Names

  /// The ID in the path; what has no ID's form names nothing.
  func id(_ parameter: String) throws(Problem) -> ItemID {
    guard let id = ItemID(parameters[parameter]) else {
      throw .notFound("'\(parameters[parameter])' names nothing here.")
    }
    return id
  }

  /// The ID in the path of what may be created: its form is checked.
  func newID(_ parameter: String) throws(Problem) -> ItemID {
    guard let id = ItemID(parameters[parameter]) else {
      throw .invalid(
        "", "invalidId",
        "'\(parameters[parameter])' is no ID: 1 to 64 of A-Z a-z 0-9 . _ : -, beginning with a letter or digit.")
    }
    return id
  }

  // MARK: Query

  func query(_ name: String) -> String? { request.head.queryValue(name) }

  /// Throws all that is wrong with the query at once, but for cursors: those are their lists'.
  func checkQuery(_ known: [String]) throws(Problem) {
    var seen: Set<String> = []
    var issues: [Issue] = []
    for (name, _) in request.head.query {
      if !known.contains(name) {
        // Bodies and paths say candidateId and kitId; a query says candidate and kit.
        let bare = name.hasSuffix("Id") ? String(name.dropLast(2)) : name
        let ending = Suggestion.ending(for: known.contains(bare) ? bare : name, among: known)
        issues.append(queryIssue(name, "unknownParameter", "There is no query parameter '\(name)' here\(ending)"))
      } else if !seen.insert(name).inserted {
        issues.append(queryIssue(name, "doubledParameter", "The query parameter '\(name)' is given twice."))
      } else {
        do throws(Problem) { try checkParameter(name, among: known) } catch { issues += error.issues }
      }
    }
    guard !issues.isEmpty else { return }
    if known.contains("width") { issues += viewportIssues() }
    throw .invalid(issues)
  }

  /// Of the parameters whose form is the same wherever they are taken.
  private func checkParameter(_ name: String, among known: [String]) throws(Problem) {
    switch name {
    case "limit": _ = try pageLimit()
    case "all", "coverage", "deleted", "dryRun", "parts": _ = try flag(name)
    case "kit", "candidate", "evaluation", "member": _ = try queryID(name)
    case "status" where known.contains("candidate"): _ = try queryWord(name, EvaluationStatus.self)
    case "status": _ = try queryWord(name, KitStatus.self)
    default: break
    }
  }

  func queryIssue(_ name: String, _ code: String, _ message: String) -> Issue {
    Issue(pointer: "/query/\(name)", code: code, message: message)
  }

  func flag(_ name: String) throws(Problem) -> Bool {
    switch query(name) {
    case nil, "false": return false
    case "true": return true
    case let other?: throw .invalid([queryIssue(name, "invalidParameter", "\(name) is true or false, not '\(other)'.")])
    }
  }

  func queryID(_ name: String) throws(Problem) -> ItemID? {
    guard let text = query(name) else { return nil }
    guard let id = ItemID(text) else { throw .invalid([queryIssue(name, "invalidId", "'\(text)' is no ID.")]) }
    return id
  }

  func queryWord<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _: Word.Type) throws(Problem) -> Word? {
    guard let text = query(name) else { return nil }
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue)
      let ending = Suggestion.ending(for: text, among: words)
      let message = "\(name) is one of \(words.joined(separator: ", ")), not '\(text)'\(ending)"
      throw .invalid([queryIssue(name, "invalidParameter", message)])
    }
    return word
  }

  func pageLimit() throws(Problem) -> Int {
    guard let text = query("limit") else { return APILimits.pageSize }
    guard let limit = Int(digits: text), (1...APILimits.largestPageSize).contains(limit) else {
      let message = "limit is a whole number from 1 to \(APILimits.largestPageSize), not '\(text)'."
      throw .invalid([queryIssue("limit", "invalidParameter", message)])
    }
    return limit
  }

  /// A whole number in the path, such as a revision; anything else names nothing.
  func number(_ parameter: String) throws(Problem) -> Int {
    let text = parameters[parameter]
    // Without leading zeros: a revision has one address.
    guard text.utf8.first != 0x30, let number = Int(digits: text) else { throw .notFound("'\(text)' is no revision.") }
    return number
  }

  // MARK: Body

  func json() throws(Problem) -> JSONValue {
    do { return try JSONValue.parse(request.body) } catch { throw Problem(error) }
  }

  /// Where no body is taken, only an empty one or an empty object passes.
  func checkEmptyBody() throws(Problem) {
    if request.body.isEmpty { return }
    guard case .object(let members) = try json(), members.isEmpty else {
      throw .invalid("", "unexpectedBody", "\(request.head.method) takes no body here.")
    }
  }

  // MARK: Preconditions

  /// What the writer says it saw.
  func precondition() throws(Problem) -> Precondition {
    let conditions: Conditions
    do { conditions = try Conditions(request.head) } catch { throw Problem(error) }
    switch (conditions.ifMatch, conditions.ifNoneMatch) {
    case (nil, nil): return .none
    case (.any, nil): return .exists
    case (.tags(let tags), nil): return .revisions(tags.compactMap(\.revision))
    case (nil, .any): return .createOnly
    case (nil, .tags): throw Problem(400, "invalidPrecondition", "If-None-Match takes only * on a write.")
    case (.some, .some):
      throw Problem(400, "invalidPrecondition", "If-Match and If-None-Match contradict each other here.")
    }
  }
}

extension Screen {
  /// The mark, in a tag, of what those are told who may not see private answers.
  static let toldMark = "told"

  /// The tag of a revision of this. What is told without private answers counts revisions of its own, so that a number
  /// of the one may be one of the other: whoever sees more or less than before has no copy of what he is told now.
  func tag(of revision: Int) -> String { isRedacted ? "\(revision)-\(Self.toldMark)" : "\(revision)" }
}

extension EntityTag {
  /// True for the tag of what is told without private answers: it names no revision that a write may have seen.
  var isOfTold: Bool { opaque.split(separator: "-").dropFirst().contains { $0 == Screen.toldMark } }

  /// The revision that a strong tag names: `"7"`, or `"7-gzip"`, `"7-csv"` … of another representation of it.
  var revision: Int? {
    guard !isWeak, !isOfTold else { return nil }
    let digits = opaque.prefix { $0 != "-" }
    guard let revision = Int(digits: digits) else { return nil }
    // Tags are compared byte for byte: "07" is no tag of revision 7.
    return String(revision).utf8.elementsEqual(digits.utf8) ? revision : nil
  }
}

// MARK: Responses

extension Response {
  /// A JSON response, with the entity tag of a revision where there is one.
  static func json(
    _ status: Int = 200, tag: String? = nil, location: String? = nil, capacity: Int = 1_024,
    _ write: (inout JSONWriter) throws -> Void
  ) rethrows -> Response {
    var writer = JSONWriter(capacity: capacity)
    try write(&writer)
    var fields = [Field("Content-Type", MediaType.json.description)]
    if let tag { fields.append(Field("ETag", "\"\(tag)\"")) }
    if let location { fields.append(Field("Location", location)) }
    return Response(status: status, fields: fields, body: writer.bytes)
  }
}
