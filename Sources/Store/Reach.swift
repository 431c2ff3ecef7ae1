// Which evaluations somebody reaches: the one place that says who sees what, for SQL and for what is in memory.
import InterviewKits
import SQLDatabase

/// No evaluation's row is read without one.
///
/// Admins see all of their account, authors none, observers what was submitted. Interviewers see their own, and of
/// others' what was submitted, as far as the kit lets them: at once, never, or once they have sight of the candidate.
struct Reach: Sendable {
  let accountID: ItemID
  private let memberID: ItemID
  private let role: Role

  init(_ caller: Caller) { (accountID, memberID, role) = (caller.accountID, caller.memberID, caller.role) }

  private init(accountID: ItemID, memberID: ItemID, role: Role) {
    (self.accountID, self.memberID, self.role) = (accountID, memberID, role)
  }

  /// For the store's own memory and its writer, who ask for a caller afterwards.
  static func everything(of account: ItemID) -> Reach {
    Reach(accountID: account, memberID: Store.service.memberID, role: .admin)
  }

  /// True when the whole account is in reach.
  var isWhole: Bool { role == .admin }

  /// Whether a summary is of the caller's own evaluation: the one that he may write.
  func owns(_ summary: EvaluationSummary) -> Bool { role == .interviewer && summary.interviewer.id == memberID }

  /// Whether the caller sees an evaluation; nil when only the database can tell.
  func sees(_ summary: EvaluationSummary) -> Bool? {
    switch role {
    case .admin: true
    case .author: false
    case .observer: summary.status == .submitted
    case .interviewer: owns(summary) ? true : summary.status == .submitted ? nil : false
    }
  }

  /// The condition on rows of `evaluation`, of the account alone; it adds its arguments.
  func condition(_ arguments: inout [SQLValue]) -> String {
    arguments.append(.id(accountID))
    let account = "evaluation.account_id = $\(arguments.count)"
    switch role {
    case .admin: return account
    case .author: return account + " AND 1 = 0"
    case .observer: return account + " AND evaluation.status = 'submitted'"
    case .interviewer:
      arguments.append(.id(memberID))
      let member = "$\(arguments.count)"
      return """
        \(account) AND (evaluation.interviewer_id = \(member) OR evaluation.status = 'submitted' AND EXISTS (
          SELECT 1 FROM kit WHERE kit.account_id = evaluation.account_id AND kit.id = evaluation.kit_id
          AND (kit.visibility = 'always' OR kit.visibility = 'afterOwnSubmission' AND EXISTS (
            SELECT 1 FROM sight WHERE sight.account_id = evaluation.account_id
            AND sight.candidate_id = evaluation.candidate_id AND sight.member_id = \(member)))))
        """
    }
  }

  /// Whose rows of `in_sight` hold all of others' evaluations that the caller sees.
  var viewers: [Viewer] {
    switch role {
    case .admin, .author: []
    case .observer: [.observers]
    case .interviewer: [.member(memberID), .interviewers]
    }
  }

  /// The member whose own evaluations the caller sees, whatever their status.
  var writer: ItemID? { role == .interviewer ? memberID : nil }

  /// The condition on rows of `change` of the account: what the caller may be told.
  func changeCondition(_ arguments: inout [SQLValue]) -> String {
    arguments += [.id(accountID), .id(memberID)]
    let (account, member) = ("$\(arguments.count - 1)", "$\(arguments.count)")
    let own = "change.account_id = \(account) AND (change.recipient_id IS NULL OR change.recipient_id = \(member))"
    if isWhole { return own }
    let kinds = ChangeKind.allCases.filter(\.isForAdmins).map { "'\($0.rawValue)'" }.joined(separator: ", ")
    // An answer to a private question is its writer's alone.
    let writer = role == .interviewer ? "evaluation.interviewer_id = \(member)" : "1 = 0"
    return """
      \(own) AND change.kind NOT IN (\(kinds)) AND (change.evaluation_id IS NULL OR EXISTS (
        SELECT 1 FROM evaluation WHERE evaluation.id = change.evaluation_id AND \(condition(&arguments))
        AND (change.private = 0 OR \(writer))))
      """
  }

  /// The column of `change` that holds the revision which the caller is told.
  func changeRevision(_ arguments: inout [SQLValue]) -> String {
    if isWhole { return "revision" }
    let told = "COALESCE(told_revision, revision)"
    guard role == .interviewer else { return told }
    arguments += [.id(accountID), .id(memberID)]
    return """
      CASE WHEN EXISTS (SELECT 1 FROM evaluation WHERE evaluation.account_id = $\(arguments.count - 1)
        AND evaluation.id = change.evaluation_id AND evaluation.interviewer_id = $\(arguments.count))
      THEN revision ELSE \(told) END
      """
  }

  /// Whether the caller may be told of a change; nil when only the database can tell.
  /// - Parameter summary: of the change's evaluation as it stands now.
  func follows(_ change: Change, summary: (ItemID) -> EvaluationSummary?) -> Bool? {
    if let recipient = change.recipientID, recipient != memberID { return false }
    if isWhole { return true }
    if change.kind.isForAdmins { return false }
    guard let id = change.evaluationID else { return true }
    guard let summary = summary(id) else { return nil }
    if change.isPrivate, !owns(summary) { return false }
    return sees(summary)
  }

  /// A change that the caller may be told of, with the revision that he is told.
  func told(_ change: Change, summary: (ItemID) -> EvaluationSummary?) -> Change {
    if isWhole { return change }
    if let summary = change.evaluationID.flatMap(summary), owns(summary) { return change }
    var told = change
    told.revision = change.toldRevision
    return told
  }

  /// Whether the caller sees private answers of an evaluation.
  func seesPrivateAnswers(of summary: EvaluationSummary) -> Bool { isWhole || owns(summary) }

  /// The evaluation as the caller sees it: as if nothing private had been answered, unless it is his own.
  func redacted(_ evaluation: Evaluation, snapshot: KitSnapshot) -> Evaluation {
    seesPrivateAnswers(of: evaluation.summary) ? evaluation : snapshot.told(evaluation)
  }
}

extension ChangeKind {
  /// Of members and tokens, and of what is no more.
  var isForAdmins: Bool {
    switch self {
    case .memberCreated, .memberChanged, .tokenCreated, .tokenRevoked, .evaluationErased, .candidateErased: true
    default: false
    }
  }
}
