/** Adds clients whose client_id is the URL of a document. */
export const clientDocuments = `
CREATE TABLE client_document (
  client_id    TEXT PRIMARY KEY NOT NULL REFERENCES client ON DELETE CASCADE,
  fetched_at   INTEGER,
  fresh_until  INTEGER NOT NULL,
  failed_at    INTEGER,
  failure      TEXT,
  pinned       INTEGER NOT NULL CHECK (pinned IN (0, 1)),
  denied       INTEGER NOT NULL CHECK (denied IN (0, 1)),
  changed_at   INTEGER,
  changes      TEXT,
  may_drop_key INTEGER NOT NULL CHECK (may_drop_key IN (0, 1)),
  CHECK ((failed_at IS NULL) = (failure IS NULL)),
  CHECK ((changed_at IS NULL) = (changes IS NULL)),
  CHECK (pinned = 0 OR fetched_at IS NOT NULL)
) STRICT;
`
