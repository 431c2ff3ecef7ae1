// Writes kits as temporal rows: only what a change wrote.
import InterviewKits
import SQLDatabase

/// Writes one kit's rows within a transaction.
struct KitWriteRows {
  let transaction: WriteTransaction
  let key: RowKey
  /// The revision being written, and when.
  let revision: Int
  let at: Timestamp

  init(_ kit: Kit, in transaction: WriteTransaction) {
    self.transaction = transaction
    (key, revision, at) = (transaction.key(kit.id), kit.revision, kit.updatedAt)
  }

  private var session: Session { transaction.session }
  private var author: SQLValue { .id(transaction.author.memberID) }
  /// Account and kit: `$1` and `$2` of every statement here.
  private var kit: [SQLValue] { [.id(key.accountID), .id(key.id)] }

  func insertKit(_ kit: Kit) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO kit (account_id, id, revision, title, language, status, section_count, question_count, created_at,
        created_by, updated_at, updated_by, visibility)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      """,
      self.kit + summary(kit) + [.time(kit.createdAt), author, .time(at), author, visibility(kit)])
    try insertRevision()
  }

  /// The transaction fails when the row is not what the writer's memory says.
  func updateKit(_ kit: Kit, from old: Int) throws(StoreError) {
    try session.execute(
      """
      UPDATE kit SET revision = $3, title = $4, language = $5, status = $6, section_count = $7, question_count = $8,
        updated_at = $9, updated_by = $10, visibility = $12 WHERE account_id = $1 AND id = $2 AND revision = $11
      """,
      self.kit + summary(kit) + [.time(at), author, .integer(old), visibility(kit)], expecting: 1)
    try insertRevision()
  }

  func setDeleted(_ deleted: Bool) throws(StoreError) {
    try session.execute(
      "UPDATE kit SET deleted_at = $3, deleted_by = $4 WHERE account_id = $1 AND id = $2",
      kit + [deleted ? .time(at) : .null, deleted ? author : .null])
  }

  /// Revision, title, language, status, counts.
  private func summary(_ kit: Kit) -> [SQLValue] {
    [
      .integer(revision), .text(kit.title.string), .text(kit.language), .text(kit.status.rawValue),
      .integer(kit.sections.count), .integer(kit.questionCount),
    ]
  }

  private func visibility(_ kit: Kit) -> SQLValue { .text(kit.visibility.rawValue) }

  private func insertRevision() throws(StoreError) {
    try session.execute(
      "INSERT INTO kit_revision (account_id, kit_id, revision, written_at, written_by) VALUES ($1, $2, $3, $4, $5)",
      kit + [.integer(revision), .time(at), author])
  }

  func insertHeader(_ header: Kit) throws(StoreError) {
    try session.execute(
      "INSERT INTO kit_header (account_id, kit_id, appeared, content) VALUES ($1, $2, $3, $4)",
      kit + [.integer(revision), StoredHeader.encode(header)])
  }

  func insert(_ section: Section) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO section (account_id, kit_id, ended, id, appeared, revision, order_key, title)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      """,
      kit + [
        .integer(KitRows.current), .id(section.id), .integer(revision), .integer(section.revision),
        .text(section.order.digits), .text(section.title.string),
      ])
  }

  func insert(_ question: Question, in sectionID: ItemID) throws(StoreError) {
    try session.execute(
      """
      INSERT INTO question (account_id, kit_id, ended, id, appeared, revision, section_id, order_key, content)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
      """,
      kit + [
        .integer(KitRows.current), .id(question.id), .integer(revision), .integer(question.revision), .id(sectionID),
        .text(question.order.digits), StoredQuestion.encode(question),
      ])
  }

  func endSection(_ id: ItemID) throws(StoreError) {
    try session.execute(
      "UPDATE section SET ended = $3 WHERE account_id = $1 AND kit_id = $2 AND ended = $4 AND id = $5",
      kit + [.integer(revision), .integer(KitRows.current), .id(id)])
  }

  func endQuestion(_ id: ItemID) throws(StoreError) {
    try session.execute(
      "UPDATE question SET ended = $3 WHERE account_id = $1 AND kit_id = $2 AND ended = $4 AND id = $5",
      kit + [.integer(revision), .integer(KitRows.current), .id(id)])
  }

  // MARK: IDs ever used

  /// - Parameter restoring: sections and questions that come back from the trash; others' IDs there are refused.
  func claim(_ item: KitItem, restoring: Set<ItemID>) throws(StoreError) {
    let found = try session.first(
      "SELECT kind, owner_id, deleted_revision, purged_at FROM item WHERE account_id = $1 AND kit_id = $2 AND id = $3",
      kit + [.id(item.id)]
    ) { (row) throws(StoreError) in
      (
        item: KitItem(
          id: item.id, kind: try row.word(0, KitItem.Kind.self), ownerID: try row.optionalID(1)),
        isDeleted: try row.optionalInteger(2) != nil, isPurged: try row.optionalInteger(3) != nil
      )
    }
    guard let found else { return try insert(item) }
    guard found.isDeleted else { throw .idTaken(item.id) }
    if found.isPurged { throw .gone }
    guard found.item == item, item.kind.comesBackWithItsOwner || restoring.contains(item.id) else {
      throw .deletedID(item.id)
    }
    try session.execute(
      "UPDATE item SET deleted_revision = NULL, deleted_at = NULL WHERE account_id = $1 AND kit_id = $2 AND id = $3",
      kit + [.id(item.id)])
  }

  func insert(_ item: KitItem) throws(StoreError) {
    try session.execute(
      "INSERT INTO item (account_id, kit_id, id, kind, owner_id) VALUES ($1, $2, $3, $4, $5)",
      kit + [.id(item.id), .text(item.kind.rawValue), .id(item.ownerID)])
  }

  func release(_ item: KitItem) throws(StoreError) {
    try session.execute(
      "UPDATE item SET deleted_revision = $3, deleted_at = $4 WHERE account_id = $1 AND kit_id = $2 AND id = $5",
      kit + [.integer(revision), .time(at), .id(item.id)])
  }
}

/// Anything with an ID inside a kit.
struct KitItem: Hashable {
  enum Kind: String {
    case section, question, option, criterion, scale, scalePoint

    /// Sections and questions come back by being restored; the rest by standing in their owner again.
    var comesBackWithItsOwner: Bool { self != .section && self != .question }
  }

  var id: ItemID
  var kind: Kind
  /// The question of an option or a criterion, the scale of a point; nil for the rest.
  var ownerID: ItemID?

  static func items(of question: Question) -> [KitItem] {
    [KitItem(id: question.id, kind: .question)]
      + question.options.map { KitItem(id: $0.id, kind: .option, ownerID: question.id) }
      + question.criteria.map { KitItem(id: $0.id, kind: .criterion, ownerID: question.id) }
  }

  static func items(of scales: [Scale]) -> [KitItem] {
    scales.flatMap { scale in
      [KitItem(id: scale.id, kind: .scale)]
        + scale.points.map { KitItem(id: $0.id, kind: .scalePoint, ownerID: scale.id) }
    }
  }
}
