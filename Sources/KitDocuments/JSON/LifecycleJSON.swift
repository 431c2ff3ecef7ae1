// The steps of an evaluation's lifecycle as JSON documents.

public import InterviewKits
public import JSON

public enum LifecycleJSON {
  /// `{ "ifRevision": n }`; nil when the client does not say what it saw.
  public static func decodeSubmission(_ body: JSONValue) throws(InvalidDocument) -> Int? {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(body, at: "", issues: list) else { throw list.invalid }
    let ifRevision = reader.integer("ifRevision").value
    if let ifRevision, ifRevision < 1 { reader.report("ifRevision", "outOfRange", "A revision is 1 or more.") }
    reader.finish()
    guard list.issues.isEmpty else { throw list.invalid }
    return ifRevision
  }

  /// `{ "reason": "…" }`, a text with something to read.
  public static func decodeReason(_ body: JSONValue) throws(InvalidDocument) -> ExactText {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(body, at: "", issues: list) else { throw list.invalid }
    let reason = reader.requiredString("reason").map { ExactText($0) }
    if let reason {
      if reason.isBlank { reader.report("reason", "blank", "The reason says nothing.") }
      if reason.string.utf8.contains(0) {
        reader.report("reason", "containsNUL", "The text holds the character U+0000, which cannot be kept.")
      }
      if reason.scalarCount > KitLimits.reasonScalars {
        let (count, limit) = (reason.scalarCount, KitLimits.reasonScalars)
        reader.report(
          "reason", "tooLong", "This text has \(count) Unicode scalars; at most \(limit) are accepted here.")
      }
    }
    reader.finish()
    guard list.issues.isEmpty, let reason else { throw list.invalid }
    return reason
  }

  public static func write(_ event: EvaluationEvent, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("kind", event.kind.rawValue)
      writer.member("revision", event.revision)
      writer.member("status", event.status.rawValue)
      writer.member("kitRevision", event.kitRevision)
      writer.member("reason", event.reason)
      writer.member("at", event.at.rfc3339)
      writer.member("by", event.by.string)
    }
  }
}
