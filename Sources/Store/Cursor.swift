// Where a page of a list ended: opaque to clients, and true however many items are created meanwhile.
import InterviewKits

/// The last item of a page of a list that is ordered by creation, newest first.
struct Cursor {
  var createdAt: Timestamp
  var id: String

  /// Before everything.
  static let start = Cursor(createdAt: Timestamp(milliseconds: .max), id: "")

  init(createdAt: Timestamp, id: String) { (self.createdAt, self.id) = (createdAt, id) }

  /// - Throws: `invalid` with the code `invalidCursor`.
  init(_ text: String?) throws(StoreError) {
    guard let text else {
      self = .start
      return
    }
    guard let bytes = Self.decode(text), let dot = bytes.firstIndex(of: 0x2E),
      let milliseconds = Int(String(decoding: bytes[..<dot], as: UTF8.self)),
      let id = ItemID(String(decoding: bytes[(dot + 1)...], as: UTF8.self))
    else {
      throw .invalid([
        Issue(pointer: "/query/cursor", code: "invalidCursor", message: "This is not a cursor of this list.")
      ])
    }
    self.init(createdAt: Timestamp(milliseconds: milliseconds), id: id.string)
  }

  /// Reads the cursor of a list that is ordered by revision, newest first.
  static func revision(_ cursor: String?) throws(StoreError) -> Int {
    guard let cursor else { return .max }
    guard cursor.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let revision = Int(cursor) else {
      let message = "This is not a cursor of this list."
      throw .invalid([Issue(pointer: "/query/cursor", code: "invalidCursor", message: message)])
    }
    return revision
  }

  var text: String {
    let bytes = "\(createdAt.milliseconds).\(id)".utf8
    return String(decoding: bytes.flatMap { [Self.digit($0 >> 4), Self.digit($0 & 15)] }, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x57 + value }

  private static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in text.utf8 {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x61...0x66: value = digit - 0x57
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return high == nil ? bytes : nil
  }
}

/// Where a page of an answer's history ended, in its two lists: 0 for a list that is over.
struct HistoryCursor {
  var revision: Int
  var number: Int

  init(revision: Int, number: Int) { (self.revision, self.number) = (revision, number) }

  init(_ text: String?) throws(StoreError) {
    guard let text else {
      self.init(revision: .max, number: .max)
      return
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    self.init(
      revision: try Cursor.revision(parts.first.map(String.init)),
      number: try Cursor.revision(parts.count == 2 ? String(parts[1]) : "invalid"))
  }

  var text: String { "\(revision)-\(number)" }
}
