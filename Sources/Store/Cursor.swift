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

/// Where a page of an answer's history ended, in its two lists. It is made of what the page's reader is told alone: a
/// revision, and the time of a lost value with its place among those that were refused then.
struct HistoryCursor {
  struct LostPlace: Equatable {
    var at: Int
    /// Counts from 0, the first refused.
    var place: Int

    static let start = LostPlace(at: .max, place: .max)
    static let end = LostPlace(at: 0, place: 0)

    static func < (one: LostPlace, other: LostPlace) -> Bool { (one.at, one.place) < (other.at, other.place) }
  }

  /// 0 for a list that is over.
  var revision: Int
  var lost: LostPlace

  init(revision: Int, lost: LostPlace) { (self.revision, self.lost) = (revision, lost) }

  init(_ text: String?) throws(StoreError) {
    guard let text else {
      self.init(revision: .max, lost: .start)
      return
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    let lost = (parts.count == 2 ? parts[1] : "").split(separator: ".", omittingEmptySubsequences: false)
    func number(_ text: Substring?) throws(StoreError) -> Int { try Cursor.revision(text.map(String.init) ?? "") }
    self.init(
      revision: try Cursor.revision(parts[0]),
      lost: LostPlace(
        at: try number(lost.first), place: try number(lost.count == 2 ? lost[1] : nil)))
  }

  var text: String { "\(revision)-\(lost.at).\(lost.place)" }

  /// The next of all lost values, which are newest first, and where they end; `end` when none are left.
  func page(of all: [LostAnswer], limit: Int) -> (page: [LostAnswer], rest: LostPlace) {
    var page: [LostAnswer] = []
    var last = LostPlace.end
    var start = 0
    while start < all.count {
      let time = all[start].at
      let end = all[start...].firstIndex { $0.at != time } ?? all.count
      for index in start..<end {
        let here = LostPlace(at: time.milliseconds, place: end - 1 - index)
        guard here < lost else { continue }
        if page.count == limit { return (page, last) }
        page.append(all[index])
        last = here
      }
      start = end
    }
    return (page, .end)
  }
}
