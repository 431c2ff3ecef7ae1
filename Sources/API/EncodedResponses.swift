// Responses kept as bytes: a read of what has not changed is a look-up and a copy.

import HTTP
import InterviewKits
import Synchronization

/// A bounded map from request targets to responses that are sent again while their subject stands.
final class EncodedResponses: Sendable {
  /// What a response shows; a new revision of it makes the response stale.
  enum Subject: Sendable {
    case kit(ItemID, account: ItemID, revision: Int)
    /// Changes only with the program.
    case constant
  }

  private struct Entry {
    let response: Response
    let subject: Subject
    let bytes: Int
  }

  private struct Contents {
    var entries: [String: Entry] = [:]
    var bytes = 0
  }

  private let contents = Mutex(Contents())
  private let limitBytes: Int

  init(limitBytes: Int) { self.limitBytes = limitBytes }

  /// The kept response, or 304 where the client has it; nil when there is none or it is stale.
  func response(to head: RequestHead, isCurrent: (Subject) -> Bool) -> Response? {
    // A client that asks for another representation than JSON is answered off the loop.
    if let accept = head.fields["accept"], accept != "*/*", accept != "application/json" { return nil }
    let target = head.rawTarget
    guard let entry = contents.withLock({ $0.entries[target] }) else { return nil }
    guard isCurrent(entry.subject) else {
      remove(target)
      return nil
    }
    return entry.response.unlessKnown(to: head)
  }

  func store(_ response: Response, for head: RequestHead, subject: Subject) {
    let target = head.rawTarget
    let bytes = response.body.count + target.utf8.count + 256
    guard bytes <= limitBytes / 8 else { return }
    contents.withLock { contents in
      contents.bytes += bytes - (contents.entries[target]?.bytes ?? 0)
      contents.entries[target] = Entry(response: response, subject: subject, bytes: bytes)
      // Any entry may go: what is read often comes back at once.
      while contents.bytes > limitBytes, let victim = contents.entries.first(where: { $0.key != target }) {
        contents.entries[victim.key] = nil
        contents.bytes -= victim.value.bytes
      }
    }
  }

  private func remove(_ target: String) {
    contents.withLock { contents in
      if let entry = contents.entries.removeValue(forKey: target) { contents.bytes -= entry.bytes }
    }
  }
}
