// The third migration: the outcomes of writes that their clients named, and which answers may be thinned when.

/// A `retry` holds no text: whose it is, a digest of the request, what came of it, and where the
/// feed stood before it. An `operation` is kept with the
/// answer's history for good. `thin_at` is when a history row may go; nil: never.
let retrySchema = """
  CREATE TABLE retry (
    account_id TEXT NOT NULL, member_id TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, outcome TEXT NOT NULL,
    kit_id TEXT, evaluation_id TEXT, item_id TEXT, revision BIGINT NOT NULL, source_revision BIGINT,
    sequence BIGINT NOT NULL, recorded_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, member_id, key)){clustered};
  CREATE INDEX retry_by_time ON retry (recorded_at);
  CREATE TABLE operation (
    account_id TEXT NOT NULL, evaluation_id TEXT NOT NULL, member_id TEXT NOT NULL, operation_id TEXT NOT NULL,
    digest TEXT NOT NULL, item_id TEXT NOT NULL, revision BIGINT NOT NULL, outcome TEXT NOT NULL,
    PRIMARY KEY (account_id, evaluation_id, member_id, operation_id),
    FOREIGN KEY (account_id, evaluation_id) REFERENCES evaluation (account_id, id)){clustered};
  ALTER TABLE answer_history ADD COLUMN thin_at BIGINT;
  CREATE INDEX answer_history_to_thin ON answer_history (thin_at) WHERE thin_at IS NOT NULL;
  """
