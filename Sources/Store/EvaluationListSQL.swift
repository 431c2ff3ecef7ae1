// The statement that reads a page of evaluations, newest first, without passing over what is hidden.
import InterviewKits
import SQLDatabase

/// Who reaches the whole account reads one index of `evaluation`. For everybody else the page is put together from the
/// first rows of a few ranges that hold nothing but what he sees: his own evaluations, and his rows of `in_sight`. So the
/// time of a page tells nothing of what is hidden. The reach's condition still has the last word.
struct EvaluationListSQL {
  let text: String
  private(set) var arguments: [SQLValue]

  /// Nil when there is nothing to look at.
  init?(_ query: EvaluationQuery, before cursor: Cursor, limit: Int, within reach: Reach) {
    arguments = [.time(cursor.createdAt), .text(cursor.id), .integer(limit)]
    let order = "ORDER BY evaluation.created_at DESC, evaluation.id DESC LIMIT $3"
    if reach.isWhole {
      let select = EvaluationRows.select(within: reach, &arguments)
      let filter = Self.filter(query, &arguments) + Self.filter(query.status)
      text = "\(select) AND (evaluation.created_at, evaluation.id) < ($1, $2)\(filter) \(order)"
      return
    }
    let ranges = Self.own(query, within: reach, &arguments) + Self.inSight(query, within: reach, &arguments)
    if ranges.isEmpty { return nil }
    let found = ranges.enumerated().map { "SELECT * FROM (\($1)) AS range\($0)" }.joined(separator: " UNION ")
    text = "\(EvaluationRows.select(within: reach, from: found, &arguments)) \(order)"
  }

  /// The range of the caller's own evaluations.
  private static func own(
    _ query: EvaluationQuery, within reach: Reach, _ arguments: inout [SQLValue]
  ) -> [String] {
    guard let writer = reach.writer, query.interviewerID == nil || query.interviewerID == writer else { return [] }
    let range = filter([("account_id", reach.accountID), ("interviewer_id", writer)], &arguments)
    // Expressions, so that neither database takes the index of a kit or a candidate, in whose ranges hidden rows lie.
    let rest = filter([("kit_id || ''", query.kitID), ("candidate_id || ''", query.candidateID)], &arguments)
    return [
      """
      SELECT created_at, id AS evaluation_id FROM evaluation
      WHERE (created_at, id) < ($1, $2)\(range)\(rest)\(filter(query.status)) ORDER BY created_at DESC, id DESC LIMIT $3
      """
    ]
  }

  /// The ranges of others' evaluations, which were all submitted.
  private static func inSight(
    _ query: EvaluationQuery, within reach: Reach, _ arguments: inout [SQLValue]
  ) -> [String] {
    let isOwn = query.interviewerID != nil && query.interviewerID == reach.writer
    if reach.viewers.isEmpty || isOwn || (query.status ?? .submitted) != .submitted { return [] }
    let filter = filter([("account_id", reach.accountID)], &arguments) + filter(query, &arguments)
    return reach.viewers.map { viewer in
      let name: String
      switch viewer {
      case .member(let id):
        arguments.append(.id(id))
        name = "$\(arguments.count)"
      // A word of the statement, so that the roles' own indexes are of use.
      case .role(let word): name = "'\(word)'"
      }
      return """
        SELECT created_at, evaluation_id FROM in_sight
        WHERE (created_at, evaluation_id) < ($1, $2)\(filter) AND viewer = \(name)
        ORDER BY created_at DESC, evaluation_id DESC LIMIT $3
        """
    }
  }

  private static func filter(_ query: EvaluationQuery, _ arguments: inout [SQLValue]) -> String {
    filter(
      [("kit_id", query.kitID), ("candidate_id", query.candidateID), ("interviewer_id", query.interviewerID)],
      &arguments)
  }

  private static func filter(_ columns: [(name: String, id: ItemID?)], _ arguments: inout [SQLValue]) -> String {
    var filter = ""
    for case (let name, let id?) in columns {
      arguments.append(.id(id))
      filter += " AND \(name) = $\(arguments.count)"
    }
    return filter
  }

  private static func filter(_ status: EvaluationStatus?) -> String {
    status.map { " AND status = '\($0.rawValue)'" } ?? ""
  }
}
