// The client's name for a write: the Idempotency-Key, and a digest of the request that it names.

import Digests
import HTTP
import JSON
import Store

extension Call {
  /// Nil when the client has named nothing.
  func retryKey() throws(Problem) -> RetryKey? {
    let values = request.head.fields.values(of: "idempotency-key")
    guard let key = values.first else { return nil }
    let isPlain = (1...255).contains(key.utf8.count) && key.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    guard values.count == 1, isPlain else {
      throw Problem(400, "invalidIdempotencyKey", "An Idempotency-Key is given once, with 1 to 255 ASCII characters.")
    }
    let head = "\(request.head.method.name) \(request.head.rawTarget)\n"
    return RetryKey(key: key, digest: SHA256.hexadecimal(of: Array(head.utf8) + bodyForDigest))
  }

  /// The body, of JSON its value: an encoder may order the members anew each time that the same request is sent.
  private var bodyForDigest: [UInt8] {
    guard !request.body.isEmpty, let value = try? JSONValue.parse(request.body) else { return request.body }
    var writer = JSONWriter(capacity: request.body.count)
    writer.value(value.withSortedMembers)
    return writer.bytes
  }
}

extension JSONValue {
  /// The same value with the members of each object ordered by the bytes of their names.
  fileprivate var withSortedMembers: JSONValue {
    switch self {
    case .object(let members):
      let sorted = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      return .object(sorted.map { JSONMember($0.name, $0.value.withSortedMembers) })
    case .array(let elements): return .array(elements.map(\.withSortedMembers))
    default: return self
    }
  }
}
