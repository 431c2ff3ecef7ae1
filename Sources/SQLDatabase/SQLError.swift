// What a database says when it refuses: kind, the driver's code, message and SQL, never the arguments.

public struct SQLError: Error, Sendable, CustomStringConvertible {
  /// What a caller can act on; the rest is `other`.
  public enum Kind: Sendable {
    /// Another connection held the lock for longer than the stated time.
    case busy
    /// No room for more data: the disk or the database's size limit.
    case full
    /// The database can't be reached, or the connection to it was lost. What was not committed is undone; whether a commit
    /// under way was made is not known.
    case unavailable
    /// Another transaction was in the way, so that all of this one has to be run again.
    case serialization
    /// A unique, foreign key, check or not-null constraint.
    case constraint
    /// The file is damaged or is no database.
    case corrupt
    /// Reading or writing the file failed.
    case inputOutput
    case cannotOpen
    case readOnly
    /// A row holds another type than the program expects.
    case unexpectedValue
    case other
  }

  public let kind: Kind
  /// SQLite's extended result code; 0 when the error is not SQLite's. PostgreSQL's SQLSTATE stands in the message.
  public let code: Int
  public let message: String
  /// The statement with its placeholders.
  public let sql: String?

  public init(kind: Kind, code: Int = 0, message: String, sql: String? = nil) {
    (self.kind, self.code, self.message, self.sql) = (kind, code, message, sql)
  }

  public var description: String {
    var text = message
    if code != 0 { text += " (code \(code))" }
    if let sql { text += " in: \(sql)" }
    return text
  }
}
