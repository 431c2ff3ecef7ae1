// Which tables move from one database to another, in the order in which their references need them.
import SQLDatabase

/// One table of an export.
struct TransferTable: Sendable {
  let name: String
  /// The columns that name a row, and the order of the rows.
  let key: [String]

  static let all = [
    TransferTable("account", "id"),
    TransferTable("member", "account_id", "id"),
    TransferTable("kit", "account_id", "id"),
    TransferTable("kit_revision", "account_id", "kit_id", "revision"),
    TransferTable("kit_header", "account_id", "kit_id", "appeared"),
    TransferTable("section", "account_id", "kit_id", "ended", "id"),
    TransferTable("question", "account_id", "kit_id", "ended", "id"),
    TransferTable("item", "account_id", "kit_id", "id"),
    TransferTable("purged_kit", "account_id", "id"),
    TransferTable("candidate", "account_id", "id"),
    TransferTable("evaluation", "account_id", "id"),
    TransferTable("evaluation_event", "account_id", "evaluation_id", "revision"),
    TransferTable("answer", "account_id", "evaluation_id", "item_id"),
    TransferTable("answer_history", "account_id", "evaluation_id", "item_id", "revision"),
    TransferTable("lost_answer", "account_id", "evaluation_id", "item_id", "number"),
    TransferTable("operation", "account_id", "evaluation_id", "member_id", "operation_id"),
    TransferTable("profile", "account_id", "name", "version"),
    TransferTable("sight", "account_id", "candidate_id", "member_id"),
    TransferTable("audit", "account_id", "sequence"),
    TransferTable("erased_candidate", "account_id", "id"),
    TransferTable("erased_evaluation", "account_id", "id"),
    TransferTable("retry", "account_id", "member_id", "key"),
    TransferTable("change", "account_id", "sequence"),
    TransferTable("change_counter", "id"),
    TransferTable("feed", "id"),
    TransferTable("feed_life", "number"),
  ]

  /// Tables that stay: the schema's own state, whatever lets somebody in, and what follows from the others.
  static let staying: Set<String> = ["schema_migration", "token", "in_sight", progress]

  /// How far an import has come; the table is there as long as it is not done.
  static let progress = "import_progress"

  private init(_ name: String, _ key: String...) { (self.name, self.key) = (name, key) }

  var order: String { key.joined(separator: ", ") }
}

extension TransferTable {
  /// The columns of a row in an export: the same order in every database.
  func columns(in session: Session) throws(StoreError) -> [String] {
    let columns = try mapped { () throws(SQLError) in try session.connection.columns(of: name) }
    return columns.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}
