// The ninth migration: which erasures have reached the database's pages and its log, too.

/// `scrubbed_at` is set once no page and no log holds the text any more; while it is not, that is still to be done.
let erasureSchema = """
  ALTER TABLE erased_candidate ADD COLUMN scrubbed_at BIGINT;
  """
