// The fourth migration: which life of the feed this is, and from where on it is kept.

/// `epoch` is empty in a copy of the database, and made anew when the copy is opened: whoever read further than the copy
/// goes is told so. Changes up to `forgotten` are no longer kept.
let feedSchema = """
  CREATE TABLE feed (id BIGINT NOT NULL PRIMARY KEY, epoch TEXT NOT NULL, forgotten BIGINT NOT NULL){clustered};
  INSERT INTO feed (id, epoch, forgotten) VALUES (1, '', 0);
  """
