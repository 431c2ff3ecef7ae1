// The sixth migration: layout profiles that were sent, beside those that are files.

/// A version never changes; `content` is the whole profile, so that nothing that it extends can change it.
let profileSchema = """
  CREATE TABLE profile (
    account_id TEXT NOT NULL REFERENCES account (id), name TEXT NOT NULL, version BIGINT NOT NULL,
    content TEXT NOT NULL, written_at BIGINT NOT NULL, written_by TEXT NOT NULL,
    PRIMARY KEY (account_id, name, version)){clustered};
  """
