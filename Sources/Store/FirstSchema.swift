// The first migration: every table that kits, evaluations, answers and the change feed need.

/// Rows of `section` and `question` are temporal: `appeared` is the kit revision that wrote the row, `ended` the one that
/// replaced or removed it, and the largest integer while it is current. Keys begin with the account, and with `ended`
/// before the item, so that the current rows of a kit lie together.
let firstSchema = """
  CREATE TABLE schema_migration (
    version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL){clustered};

  CREATE TABLE account (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, created_at BIGINT NOT NULL){clustered};
  CREATE TABLE member (
    account_id TEXT NOT NULL REFERENCES account (id), id TEXT NOT NULL, name TEXT NOT NULL, created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, id)){clustered};
  INSERT INTO account (id, name, created_at) VALUES ('default', 'Default', 0);
  INSERT INTO member (account_id, id, name, created_at) VALUES ('default', 'anonymous', 'Anonymous', 0);

  CREATE TABLE kit (
    account_id TEXT NOT NULL REFERENCES account (id), id TEXT NOT NULL, revision BIGINT NOT NULL,
    title TEXT NOT NULL, language TEXT, status TEXT NOT NULL,
    section_count BIGINT NOT NULL, question_count BIGINT NOT NULL,
    created_at BIGINT NOT NULL, created_by TEXT NOT NULL, updated_at BIGINT NOT NULL, updated_by TEXT NOT NULL,
    deleted_at BIGINT, deleted_by TEXT,
    PRIMARY KEY (account_id, id)){clustered};
  CREATE INDEX kit_by_creation ON kit (account_id, created_at, id);

  CREATE TABLE kit_revision (
    account_id TEXT NOT NULL, kit_id TEXT NOT NULL, revision BIGINT NOT NULL, written_at BIGINT NOT NULL,
    written_by TEXT NOT NULL,
    PRIMARY KEY (account_id, kit_id, revision),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id)){clustered};

  CREATE TABLE kit_header (
    account_id TEXT NOT NULL, kit_id TEXT NOT NULL, appeared BIGINT NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (account_id, kit_id, appeared),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id)){clustered};

  CREATE TABLE section (
    account_id TEXT NOT NULL, kit_id TEXT NOT NULL, ended BIGINT NOT NULL, id TEXT NOT NULL, appeared BIGINT NOT NULL,
    revision BIGINT NOT NULL, order_key TEXT NOT NULL, title TEXT NOT NULL,
    PRIMARY KEY (account_id, kit_id, ended, id),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id)){clustered};

  CREATE TABLE question (
    account_id TEXT NOT NULL, kit_id TEXT NOT NULL, ended BIGINT NOT NULL, id TEXT NOT NULL, appeared BIGINT NOT NULL,
    revision BIGINT NOT NULL, section_id TEXT NOT NULL, order_key TEXT NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (account_id, kit_id, ended, id),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id)){clustered};

  CREATE TABLE item (
    account_id TEXT NOT NULL, kit_id TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, owner_id TEXT,
    deleted_revision BIGINT, deleted_at BIGINT,
    PRIMARY KEY (account_id, kit_id, id),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id)){clustered};
  CREATE INDEX item_in_trash ON item (account_id, kit_id, deleted_revision) WHERE deleted_revision IS NOT NULL;

  CREATE TABLE candidate (
    account_id TEXT NOT NULL REFERENCES account (id), id TEXT NOT NULL, name TEXT, created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL, updated_by TEXT NOT NULL,
    PRIMARY KEY (account_id, id)){clustered};

  CREATE TABLE evaluation (
    account_id TEXT NOT NULL, id TEXT NOT NULL, kit_id TEXT NOT NULL, kit_revision BIGINT NOT NULL,
    candidate_id TEXT NOT NULL, interviewer_id TEXT NOT NULL, interviewer_name TEXT, status TEXT NOT NULL,
    recommendation TEXT, answered BIGINT NOT NULL, required BIGINT NOT NULL, missing BIGINT NOT NULL,
    revision BIGINT NOT NULL, created_at BIGINT NOT NULL, created_by TEXT NOT NULL, updated_at BIGINT NOT NULL,
    updated_by TEXT NOT NULL, submitted_at BIGINT,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id),
    FOREIGN KEY (account_id, candidate_id) REFERENCES candidate (account_id, id)){clustered};
  CREATE INDEX evaluation_by_creation ON evaluation (account_id, created_at, id);
  CREATE INDEX evaluation_by_kit ON evaluation (account_id, kit_id, created_at, id);
  CREATE INDEX evaluation_by_candidate ON evaluation (account_id, candidate_id, created_at, id);
  CREATE INDEX evaluation_by_interviewer ON evaluation (account_id, interviewer_id, created_at, id);

  CREATE TABLE answer (
    account_id TEXT NOT NULL, evaluation_id TEXT NOT NULL, item_id TEXT NOT NULL, revision BIGINT NOT NULL,
    content TEXT NOT NULL, operation_id TEXT, updated_at BIGINT NOT NULL, updated_by TEXT NOT NULL,
    PRIMARY KEY (account_id, evaluation_id, item_id),
    FOREIGN KEY (account_id, evaluation_id) REFERENCES evaluation (account_id, id)){clustered};
  CREATE TABLE answer_history (
    account_id TEXT NOT NULL, evaluation_id TEXT NOT NULL, item_id TEXT NOT NULL, revision BIGINT NOT NULL,
    content TEXT NOT NULL, operation_id TEXT, updated_at BIGINT NOT NULL, updated_by TEXT NOT NULL,
    PRIMARY KEY (account_id, evaluation_id, item_id, revision),
    FOREIGN KEY (account_id, evaluation_id) REFERENCES evaluation (account_id, id)){clustered};

  CREATE TABLE change (
    account_id TEXT NOT NULL, sequence BIGINT NOT NULL, kind TEXT NOT NULL, kit_id TEXT, evaluation_id TEXT,
    item_id TEXT, revision BIGINT NOT NULL, deleted BIGINT NOT NULL, written_at BIGINT NOT NULL,
    written_by TEXT NOT NULL,
    PRIMARY KEY (account_id, sequence)){clustered};
  CREATE TABLE change_counter (id BIGINT NOT NULL PRIMARY KEY, sequence BIGINT NOT NULL){clustered};
  INSERT INTO change_counter (id, sequence) VALUES (1, 0);
  """
