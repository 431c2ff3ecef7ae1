// The seventh migration: values that lost a conflict, and the lives of the feed.

/// `lost_answer` is text about people, and goes with the evaluation: a value that was refused because its writer had seen
/// `if_revision` (-1: none that there is) and not what stood there. `digest` only finds the same value quickly.
///
/// A life of the feed begins with the first change that a process writes, which is `first`. Numbers beyond what a copy
/// of the database holds belong to no life that the copy knows, whoever copied it and however.
let conflictSchema = """
  CREATE TABLE lost_answer (
    account_id TEXT NOT NULL, evaluation_id TEXT NOT NULL, item_id TEXT NOT NULL, number BIGINT NOT NULL,
    content TEXT NOT NULL, digest BIGINT NOT NULL, if_revision BIGINT NOT NULL, refused_at BIGINT NOT NULL,
    refused_by TEXT NOT NULL,
    PRIMARY KEY (account_id, evaluation_id, item_id, number),
    FOREIGN KEY (account_id, evaluation_id) REFERENCES evaluation (account_id, id)){clustered};
  CREATE INDEX lost_answer_by_value ON lost_answer (
    account_id, evaluation_id, item_id, refused_by, if_revision, digest);
  CREATE TABLE feed_life (number BIGINT NOT NULL PRIMARY KEY, epoch TEXT NOT NULL, first BIGINT NOT NULL){clustered};
  INSERT INTO feed_life (number, epoch, first) SELECT 1, epoch, 1 FROM feed WHERE epoch <> '';
  ALTER TABLE feed DROP COLUMN epoch;
  """
