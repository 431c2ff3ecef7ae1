// Values that a client shows and has not saved, for measuring them.

public import InterviewKits
public import JSON

extension AnswerJSON {
  /// Reads `{ "values": { itemId: value } }`, each value as an answer write takes it.
  public static func decodeUnsaved(
    _ body: JSONValue, in snapshot: KitSnapshot
  ) throws(InvalidDocument) -> [ItemID: AnswerContent] {
    let list = JSONIssueList()
    guard var reader = JSONObjectReader(body, at: "", issues: list) else { throw list.invalid }
    var found: [Issue] = []
    var contents: [ItemID: AnswerContent] = [:]
    // Whose rows have slots is for the layout to say.
    reader.ignore("slots")
    let sent = reader.value("values")
    let values = sent.isAbsent ? .object([]) : sent.value ?? .null
    if sent.isAbsent { reader.report("values", "missingMember", "The member \"values\" is missing.") }
    reader.finish()
    if case .object(let members) = values {
      for member in members {
        if found.count >= JSONLimits.issues { break }
        let pointer = JSONPointer.appending(member.name, to: "/values")
        guard let id = ItemID(member.name), let target = snapshot.answerTarget(id) else {
          let message = "'\(member.name.shortened(to: JSONLimits.tokenScalars))' takes no answer in this evaluation."
          found.append(Issue(pointer: pointer, code: "unknownItem", message: message))
          continue
        }
        do throws(InvalidDocument) {
          let content = JSONValue.object([JSONMember("value", member.value)])
          contents[id] = try decodeContent(content, for: target, pointer: "", merging: nil)
        } catch {
          found += error.issues.map { issue in
            var issue = issue
            issue.pointer = pointer + issue.pointer.dropFirst("/value".count)
            return issue
          }
        }
      }
    } else {
      list.add("/values", "wrongType", "values must be an object, not \(values.kindName).")
    }
    found = list.domainIssues() + found
    guard found.isEmpty else { throw InvalidDocument(issues: found) }
    return contents
  }
}
