// One thing that is wrong with an input, and where.

public struct Issue: Hashable, Sendable, Error {
  /// A JSON Pointer (RFC 6901) into the document that was sent.
  public var pointer: String
  public var itemID: ItemID?
  /// A stable word for programs.
  public var code: String
  /// A sentence for people: what is wrong and what would be right.
  public var message: String
  /// The line of an imported file, from 1.
  public var line: Int?
  /// The record of an imported CSV file, from 1, the header not counted.
  public var record: Int?

  public init(
    pointer: String, itemID: ItemID? = nil, code: String, message: String, line: Int? = nil, record: Int? = nil
  ) {
    (self.pointer, self.itemID, self.code, self.message) = (pointer, itemID, code, message)
    (self.line, self.record) = (line, record)
  }
}

/// An input that can't be accepted, with all that is wrong with it.
public struct InvalidDocument: Error, Hashable, Sendable {
  public var issues: [Issue]
  public init(issues: [Issue]) { self.issues = issues }
}
