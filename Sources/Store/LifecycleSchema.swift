// The second migration: what happened to an evaluation besides answering, and which of its revisions an answer belongs to.

/// An event says how the evaluation stood after it, so that an old revision can be read again. `reason` is text about
/// people, and goes with the evaluation. An answer's `evaluation_revision` is that of the write that made it.
let lifecycleSchema = """
  CREATE TABLE evaluation_event (
    account_id TEXT NOT NULL, evaluation_id TEXT NOT NULL, revision BIGINT NOT NULL, kind TEXT NOT NULL, reason TEXT,
    status TEXT NOT NULL, kit_revision BIGINT NOT NULL, candidate_id TEXT NOT NULL, interviewer_id TEXT NOT NULL,
    answered BIGINT NOT NULL, required BIGINT NOT NULL, missing BIGINT NOT NULL, submitted_at BIGINT,
    written_at BIGINT NOT NULL, written_by TEXT NOT NULL,
    PRIMARY KEY (account_id, evaluation_id, revision),
    FOREIGN KEY (account_id, evaluation_id) REFERENCES evaluation (account_id, id)){clustered};
  ALTER TABLE answer ADD COLUMN evaluation_revision BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE answer_history ADD COLUMN evaluation_revision BIGINT NOT NULL DEFAULT 0;
  """
