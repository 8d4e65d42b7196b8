/** Counts, and what resource servers hear of. Every column is described in docs/storage.md. */
export const counts = `
-- In the order of time: a span is read in one piece, and what is counted now is written at the end.
CREATE TABLE tally (
  grain     TEXT NOT NULL,
  at        INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  name      TEXT NOT NULL,
  count     INTEGER NOT NULL,
  PRIMARY KEY (grain, at, client_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX tally_of_app ON tally (client_id, at) WHERE client_id <> '';

CREATE TABLE invalidation (
  id  INTEGER PRIMARY KEY AUTOINCREMENT,
  of  TEXT NOT NULL,
  key TEXT NOT NULL
) STRICT;
`
