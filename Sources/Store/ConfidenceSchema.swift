// The tenth migration: which values were given in confidence, and what those are told who may not see them.

/// A value is `private` when the kit revision that the evaluation was pinned to made it so: its question was private, or
/// was shown by a private one only. It stays so whatever becomes of the question. `told_revision` and `told_at` are what
/// others are told in place of `revision` and `updated_at`: they count no private value; -1 of a lost value is none.
///
/// Values from before are filled in by the kit revision that the evaluation had then, as its events tell, and where they
/// do not reach back, by the one that it has. Numbers that were told once never go back: they stay as they were.
let confidenceSchema = """
  ALTER TABLE answer ADD COLUMN private BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE answer ADD COLUMN told_revision BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE answer_history ADD COLUMN private BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE answer_history ADD COLUMN told_revision BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE lost_answer ADD COLUMN private BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE lost_answer ADD COLUMN told_if_revision BIGINT NOT NULL DEFAULT -1;
  ALTER TABLE evaluation ADD COLUMN told_revision BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE evaluation ADD COLUMN told_at BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE evaluation ADD COLUMN private_answers BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE evaluation_event ADD COLUMN told_revision BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE change ADD COLUMN told_revision BIGINT;
  UPDATE evaluation SET told_revision = revision, told_at = updated_at;
  UPDATE evaluation_event SET told_revision = revision;

  CREATE TABLE private_item (
    account_id TEXT NOT NULL, kit_id TEXT NOT NULL, revision BIGINT NOT NULL, id TEXT NOT NULL,
    PRIMARY KEY (account_id, kit_id, revision, id)){clustered};
  INSERT INTO private_item (account_id, kit_id, revision, id)
  WITH RECURSIVE pinned (account_id, kit_id, revision) AS (
    SELECT account_id, kit_id, kit_revision FROM evaluation
    UNION SELECT evaluation.account_id, evaluation.kit_id, event.kit_revision FROM evaluation_event AS event
      JOIN evaluation ON evaluation.account_id = event.account_id AND evaluation.id = event.evaluation_id),
  hidden (account_id, kit_id, revision, id) AS (
    SELECT pinned.account_id, pinned.kit_id, pinned.revision, question.id FROM pinned JOIN question
      ON question.account_id = pinned.account_id AND question.kit_id = pinned.kit_id
      AND question.appeared <= pinned.revision AND question.ended > pinned.revision
      AND question.content LIKE '%"private":true%'
    UNION SELECT hidden.account_id, hidden.kit_id, hidden.revision, question.id FROM hidden JOIN question
      ON question.account_id = hidden.account_id AND question.kit_id = hidden.kit_id
      AND question.appeared <= hidden.revision AND question.ended > hidden.revision
      AND replace(question.content, '"visibleWhen":{"questionId":"' || hidden.id || '"', '') <> question.content)
  SELECT account_id, kit_id, revision, id FROM hidden;
  INSERT INTO private_item (account_id, kit_id, revision, id)
  SELECT private_item.account_id, private_item.kit_id, private_item.revision, item.id FROM private_item JOIN item
    ON item.account_id = private_item.account_id AND item.kit_id = private_item.kit_id
    AND item.owner_id = private_item.id AND item.kind = 'criterion';

  \(markingPrivate("answer", at: "updated_at", revision: "answer.evaluation_revision"))
  \(markingPrivate("answer_history", at: "updated_at", revision: "answer_history.evaluation_revision"))
  \(markingPrivate("lost_answer", at: "refused_at", revision: "0"))
  DROP TABLE private_item;

  UPDATE lost_answer SET told_if_revision = if_revision;
  UPDATE answer_history SET told_revision = revision WHERE private = 0;
  UPDATE answer_history SET told_revision = COALESCE((
    SELECT MAX(told.revision) FROM answer_history AS told WHERE told.account_id = answer_history.account_id
    AND told.evaluation_id = answer_history.evaluation_id AND told.item_id = answer_history.item_id
    AND told.revision < answer_history.revision AND told.private = 0), 0) WHERE private = 1;
  UPDATE answer SET told_revision = revision WHERE private = 0;
  UPDATE answer SET told_revision = COALESCE((
    SELECT MAX(told.revision) FROM answer_history AS told WHERE told.account_id = answer.account_id
    AND told.evaluation_id = answer.evaluation_id AND told.item_id = answer.item_id AND told.private = 0), 0)
  WHERE private = 1;
  UPDATE evaluation SET private_answers = (
    SELECT COUNT(*) FROM answer WHERE answer.account_id = evaluation.account_id
    AND answer.evaluation_id = evaluation.id AND answer.private = 1);
  """

/// Marks the values of a table whose item was private at the kit revision of their time.
/// - Parameter revision: the evaluation's revision that the value made; 0 where only its time is known.
private func markingPrivate(_ table: String, at time: String, revision: String) -> String {
  """
  UPDATE \(table) SET private = 1 WHERE EXISTS (
    SELECT 1 FROM evaluation JOIN private_item ON private_item.account_id = evaluation.account_id
      AND private_item.kit_id = evaluation.kit_id
    WHERE evaluation.account_id = \(table).account_id AND evaluation.id = \(table).evaluation_id
    AND private_item.id = \(table).item_id AND private_item.revision = COALESCE((
      SELECT event.kit_revision FROM evaluation_event AS event WHERE event.account_id = \(table).account_id
      AND event.evaluation_id = \(table).evaluation_id AND (
        \(revision) > 0 AND event.revision <= \(revision) OR \(revision) = 0 AND event.written_at <= \(table).\(time))
      ORDER BY event.revision DESC LIMIT 1), evaluation.kit_revision));
  """
}
