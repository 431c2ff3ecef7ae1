// Evaluations as JSON documents: the create body, the patch, and writing.

public import InterviewKits
public import JSON

/// What a client says of a new evaluation.
public struct EvaluationDraft: Sendable, Hashable {
  /// Nil when the service makes the ID.
  public var id: ItemID?
  public var kitID: ItemID
  /// Nil pins the kit's current revision.
  public var kitRevision: Int?
  public var candidate: Person
  /// Nil means the author.
  public var interviewer: Person?
}

/// The JSON documents of evaluations.
public enum EvaluationJSON {
  /// Reads the body of a new evaluation: `kitId`, `candidate`, and if wanted `id`, `kitRevision`, `interviewer`.
  ///
  /// - Parameter id: The ID from the address, if it has one.
  public static func decode(_ body: JSONValue, id: ItemID? = nil) throws(InvalidDocument) -> EvaluationDraft {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(body, at: "", issues: list) else { throw list.invalid }
    let own = reader.itemID("id").value
    if let own, let id, own != id {
      reader.report("id", "idMismatch", "The ID in the document, '\(own)', is not that of the address, '\(id)'.")
    }
    let kitID = reader.requiredItemID("kitId")
    let kitRevision = reader.integer("kitRevision").value
    if let kitRevision, kitRevision < 1 { reader.report("kitRevision", "outOfRange", "A revision is 1 or more.") }
    let candidate = reader.requiredObject("candidate").map(person) ?? nil
    let interviewer = reader.object("interviewer").value.map(person) ?? nil
    reader.finish()
    guard list.issues.isEmpty, let kitID, let candidate else { throw list.invalid }
    return EvaluationDraft(
      id: id ?? own, kitID: kitID, kitRevision: kitRevision, candidate: candidate, interviewer: interviewer)
  }

  /// The evaluation with a merge patch applied: `candidate` and `interviewer` may change, all else has its own address.
  public static func patch(
    _ evaluation: EvaluationSummary, with patch: JSONValue
  ) throws(InvalidDocument) -> EvaluationSummary {
    let list = JSONIssueList()
    guard case .object = patch else {
      list.add("", "wrongType", "A merge patch of an evaluation is an object, not \(patch.kindName).")
      throw list.invalid
    }
    let people = KitJSON.document { writer in
      writer.object { writer in
        writer.member("candidate") { write(evaluation.candidate, to: &$0) }
        writer.member("interviewer") { write(evaluation.interviewer, to: &$0) }
      }
    }
    var after = evaluation
    guard var reader = JSONObjectReader(people.merged(with: patch), at: "", issues: list) else { throw list.invalid }
    // Another person does not get the name of the one before.
    func merged(_ name: String, _ before: Person, _ person: Person) -> Person {
      person.id != before.id && patch[name]?["name"] == nil ? Person(id: person.id) : person
    }
    if let person = reader.requiredObject("candidate").map(person) ?? nil {
      after.candidate = merged("candidate", evaluation.candidate, person)
    }
    if let person = reader.requiredObject("interviewer").map(person) ?? nil {
      after.interviewer = merged("interviewer", evaluation.interviewer, person)
    }
    reader.finish()
    guard list.issues.isEmpty else { throw list.invalid }
    return after
  }

  private static func person(_ object: JSONObjectReader) -> Person? {
    var reader = object
    let id = reader.requiredItemID("id")
    let name = reader.text("name").value
    if let name, name.scalarCount > KitLimits.nameScalars {
      reader.report(
        "name", "tooLong",
        "This text has \(name.scalarCount) Unicode scalars; at most \(KitLimits.nameScalars) are accepted here.")
    }
    reader.finish()
    return id.map { Person(id: $0, name: name) }
  }

  // MARK: Writing

  /// An evaluation as lists show it, without answers.
  public static func write(_ summary: EvaluationSummary, to writer: inout JSONWriter) {
    writer.object { writer in
      writeHead(of: summary, to: &writer)
      writeTail(of: summary, to: &writer)
    }
  }

  /// A whole evaluation.
  ///
  /// - Parameters:
  ///   - retired: The items that have an answer but are not in the kit revision any more.
  ///   - sequence: The cursor into the change feed at which this was read.
  ///   - more: Writes further members, such as an included kit or layout.
  public static func write(
    _ evaluation: Evaluation, retired: [ItemID], sequence: String, to writer: inout JSONWriter,
    more: (inout JSONWriter) -> Void = { _ in }
  ) {
    writer.object { writer in
      writeHead(of: evaluation.summary, to: &writer)
      writer.member("answers") { writer in
        writer.object { writer in
          for answer in evaluation.answers.sorted(by: { $0.itemID < $1.itemID }) {
            writer.name(answer.itemID.string)
            AnswerJSON.write(answer, to: &writer)
          }
        }
      }
      writer.member("retired") { writer in
        writer.array { writer in for id in retired { writer.string(id.string) } }
      }
      writer.member("sequence", sequence)
      writeTail(of: evaluation.summary, to: &writer)
      more(&writer)
    }
  }

  private static func writeHead(of summary: EvaluationSummary, to writer: inout JSONWriter) {
    writer.member("id", summary.id.string)
    writer.member("kitId", summary.kitID.string)
    writer.member("kitRevision", summary.kitRevision)
    writer.member("candidate") { write(summary.candidate, to: &$0) }
    writer.member("interviewer") { write(summary.interviewer, to: &$0) }
    writer.member("status", summary.status.rawValue)
    writer.member("recommendation") { AnswerJSON.writeValue(summary.recommendation, to: &$0) }
    writer.member("progress") { write(summary.progress, to: &$0) }
    writer.member("revision", summary.revision)
  }

  private static func writeTail(of summary: EvaluationSummary, to writer: inout JSONWriter) {
    writer.member("createdAt", summary.createdAt.rfc3339)
    writer.member("updatedAt", summary.updatedAt.rfc3339)
    writer.member("submittedAt", summary.submittedAt?.rfc3339)
    writer.member("submittedBy", summary.submittedBy)
  }

  private static func write(_ person: Person, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", person.id.string)
      writer.member("name", person.name)
    }
  }
}
