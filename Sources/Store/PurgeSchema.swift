// The fifth migration: what was removed for good.

/// A kit that was purged leaves its ID behind; a section or question of a kit that lives on leaves its rows, which old
/// revisions show, and can't be restored any more.
let purgeSchema = """
  CREATE TABLE purged_kit (
    account_id TEXT NOT NULL, id TEXT NOT NULL, purged_at BIGINT NOT NULL, PRIMARY KEY (account_id, id)){clustered};
  CREATE INDEX kit_in_trash ON kit (deleted_at) WHERE deleted_at IS NOT NULL;
  ALTER TABLE item ADD COLUMN purged_at BIGINT;
  CREATE INDEX item_to_purge ON item (deleted_at) WHERE deleted_at IS NOT NULL AND purged_at IS NULL;
  """
