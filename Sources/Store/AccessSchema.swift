// The eighth migration: roles, tokens, who sees what, who did what from where, and what was erased.

/// A `sight` says that a member sees others' submitted evaluations of a candidate. A change with a `recipient_id` is that
/// member's alone; a `private` one tells of an answer to a private question. `audit` holds what changes tell of who did
/// what, longer than they are kept themselves. An `erasure` is never removed: it holds IDs, and a copy of the database
/// from before it is brought up to it.
let accessSchema = """
  ALTER TABLE member ADD COLUMN role TEXT NOT NULL DEFAULT 'admin';
  ALTER TABLE member ADD COLUMN active BIGINT NOT NULL DEFAULT 1;
  ALTER TABLE member ADD COLUMN built_in BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE member ADD COLUMN revision BIGINT NOT NULL DEFAULT 1;
  ALTER TABLE member ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
  UPDATE member SET built_in = 1 WHERE account_id = 'default' AND id = 'anonymous';

  CREATE TABLE token (
    account_id TEXT NOT NULL, id TEXT NOT NULL, member_id TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL,
    created_at BIGINT NOT NULL, created_by TEXT NOT NULL, expires_at BIGINT, last_used_at BIGINT, revoked_at BIGINT,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, member_id) REFERENCES member (account_id, id)){clustered};
  CREATE UNIQUE INDEX token_by_digest ON token (digest);

  ALTER TABLE kit ADD COLUMN visibility TEXT NOT NULL DEFAULT 'afterOwnSubmission';
  UPDATE kit SET visibility = 'always' WHERE EXISTS (
    SELECT 1 FROM kit_header AS header WHERE header.account_id = kit.account_id AND header.kit_id = kit.id
    AND header.content LIKE '%"visibility":"always"%' AND header.appeared = (
      SELECT MAX(newest.appeared) FROM kit_header AS newest
      WHERE newest.account_id = kit.account_id AND newest.kit_id = kit.id));
  UPDATE kit SET visibility = 'never' WHERE EXISTS (
    SELECT 1 FROM kit_header AS header WHERE header.account_id = kit.account_id AND header.kit_id = kit.id
    AND header.content LIKE '%"visibility":"never"%' AND header.appeared = (
      SELECT MAX(newest.appeared) FROM kit_header AS newest
      WHERE newest.account_id = kit.account_id AND newest.kit_id = kit.id));

  ALTER TABLE evaluation ADD COLUMN submitted_by TEXT;
  UPDATE evaluation SET submitted_by = (
    SELECT event.written_by FROM evaluation_event AS event WHERE event.account_id = evaluation.account_id
    AND event.evaluation_id = evaluation.id AND event.kind = 'submitted' ORDER BY event.revision DESC LIMIT 1)
  WHERE submitted_at IS NOT NULL;

  CREATE TABLE sight (
    account_id TEXT NOT NULL, candidate_id TEXT NOT NULL, member_id TEXT NOT NULL, opened_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, candidate_id, member_id)){clustered};

  ALTER TABLE change ADD COLUMN recipient_id TEXT;
  ALTER TABLE change ADD COLUMN candidate_id TEXT;
  ALTER TABLE change ADD COLUMN private BIGINT NOT NULL DEFAULT 0;
  ALTER TABLE change ADD COLUMN token_id TEXT;
  ALTER TABLE change ADD COLUMN address TEXT;

  CREATE TABLE audit (
    account_id TEXT NOT NULL, sequence BIGINT NOT NULL, kind TEXT NOT NULL, kit_id TEXT, evaluation_id TEXT,
    item_id TEXT, candidate_id TEXT, revision BIGINT NOT NULL, written_at BIGINT NOT NULL, written_by TEXT NOT NULL,
    token_id TEXT, address TEXT,
    PRIMARY KEY (account_id, sequence)){clustered};

  CREATE TABLE erased_candidate (
    account_id TEXT NOT NULL, id TEXT NOT NULL, erased_at BIGINT NOT NULL, erased_by TEXT NOT NULL,
    PRIMARY KEY (account_id, id)){clustered};
  CREATE TABLE erased_evaluation (
    account_id TEXT NOT NULL, id TEXT NOT NULL, candidate_id TEXT NOT NULL, PRIMARY KEY (account_id, id)){clustered};
  """
