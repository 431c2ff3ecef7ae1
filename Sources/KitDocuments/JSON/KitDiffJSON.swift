// Diffs, copies and moves between revisions as JSON documents.

public import InterviewKits
public import JSON

/// What a client says of a copy: nil leaves it to the service.
public struct CopyForm: Sendable, Hashable {
  public var id: ItemID?
  public var title: ExactText?

  public init(id: ItemID? = nil, title: ExactText? = nil) { (self.id, self.title) = (id, title) }
}

extension KitJSON {
  /// `{ "id", "title" }`, both of which may be absent.
  public static func decodeCopy(_ body: JSONValue) throws(InvalidDocument) -> CopyForm {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(body, at: "", issues: list) else { throw list.invalid }
    let form = CopyForm(id: reader.itemID("id").value, title: reader.text("title").value)
    reader.finish()
    guard list.issues.isEmpty else { throw list.invalid }
    return form
  }

  public static func write(
    _ diff: KitDiff, kitID: ItemID, from: Int, to: Int, to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("kitId", kitID.string)
      writer.member("from", from)
      writer.member("to", to)
      writer.member("kit") { writer in
        writer.array { writer in for name in diff.header { writer.string(name) } }
      }
      for (name, items) in [("added", diff.added), ("removed", diff.removed), ("moved", diff.moved)] {
        writer.name(name)
        writer.array { writer in for item in items { writer.object { write(item, to: &$0) } } }
      }
      writer.member("reworded") { writer in
        writer.array { writer in
          for rewording in diff.reworded {
            writer.object { writer in
              write(rewording.item, to: &writer)
              writer.member("from", rewording.from.string)
              writer.member("to", rewording.to.string)
            }
          }
        }
      }
      writer.member("retyped") { writer in
        writer.array { writer in for item in diff.retyped { writer.object { write(item, to: &$0) } } }
      }
      writer.member("changed") { writer in
        writer.array { writer in
          for alteration in diff.changed {
            writer.object { writer in
              write(alteration.item, to: &writer)
              writer.member("members") { writer in
                writer.array { writer in for name in alteration.members { writer.string(name) } }
              }
            }
          }
        }
      }
    }
  }

  private static func write(_ item: KitDiff.Item, to writer: inout JSONWriter) {
    writer.member("id", item.id.string)
    writer.member("kind", item.kind.rawValue)
    writer.member("ownerId", item.ownerID?.string)
  }
}

extension EvaluationJSON {
  /// `{ "kitRevision": n }`.
  public static func decodeKitRevision(_ body: JSONValue) throws(InvalidDocument) -> Int {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(body, at: "", issues: list) else { throw list.invalid }
    let revision = reader.requiredInteger("kitRevision")
    if let revision, revision < 1 { reader.report("kitRevision", "outOfRange", "A revision is 1 or more.") }
    reader.finish()
    guard list.issues.isEmpty, let revision else { throw list.invalid }
    return revision
  }

  /// What a move to another revision would do.
  public static func write(_ move: KitMove, evaluationID: ItemID, from: Int, to: Int, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("evaluationId", evaluationID.string)
      writer.member("from", from)
      writer.member("to", to)
      for (name, items) in [("retired", move.retired), ("restored", move.restored), ("unfitting", move.unfitting)] {
        writer.name(name)
        writer.array { writer in for id in items { writer.string(id.string) } }
      }
      writer.member("progress") { write(move.progress, to: &$0) }
    }
  }

  static func write(_ progress: Progress, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("answered", progress.answered)
      writer.member("required", progress.required)
      writer.member("missing", progress.missing)
    }
  }
}
