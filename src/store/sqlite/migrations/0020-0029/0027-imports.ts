/** Adds what moving in from another service needs: staged accounts, ids of removed accounts, and imported tokens. */
export const imports = `
CREATE TABLE import (
  id            INTEGER PRIMARY KEY,
  source        TEXT NOT NULL,
  state         TEXT NOT NULL CHECK (state IN ('staging', 'abandoned', 'finished')),
  begun_at      INTEGER NOT NULL,
  seen_at       INTEGER NOT NULL,
  sealed_secret TEXT
) STRICT;

ALTER TABLE account ADD COLUMN import_id INTEGER;
CREATE INDEX account_import ON account (import_id) WHERE import_id IS NOT NULL;

-- The accounts without those of an import that has not finished.
CREATE VIEW usable_account AS SELECT * FROM account
  WHERE import_id IS NULL OR EXISTS (SELECT 1 FROM import WHERE import.id = account.import_id AND state = 'finished');

CREATE TABLE removed_account (
  user_id TEXT PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO removed_account (user_id)
  SELECT user_id FROM event WHERE kind = 'account-removed' AND user_id IS NOT NULL;

CREATE TABLE imported_token (
  token_hash TEXT PRIMARY KEY NOT NULL,
  import_id  INTEGER NOT NULL,
  token_id   TEXT NOT NULL,
  client_id  TEXT NOT NULL,
  user_id    TEXT NOT NULL,
  scope      TEXT NOT NULL CHECK (scope <> ''),
  ends_at    INTEGER NOT NULL,
  used_at    INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX imported_token_client ON imported_token (client_id);
CREATE INDEX imported_token_import ON imported_token (import_id);
CREATE INDEX imported_token_ends ON imported_token (ends_at);

-- An account may have the same id as an app. Both then share a number, which is deleted with the last of them.
DROP TRIGGER account_unnamed;
CREATE TRIGGER account_unnamed AFTER DELETE ON account
WHEN NOT EXISTS (SELECT 1 FROM client WHERE client_id = OLD.user_id) BEGIN
  UPDATE name SET gone = 1 WHERE id = OLD.user_id;
  DELETE FROM name WHERE id = OLD.user_id
    AND NOT EXISTS (SELECT 1 FROM credential_row WHERE account = number)
    AND NOT EXISTS (SELECT 1 FROM credential_row WHERE client = number);
END;
DROP TRIGGER client_unnamed;
CREATE TRIGGER client_unnamed AFTER DELETE ON client
WHEN NOT EXISTS (SELECT 1 FROM account WHERE user_id = OLD.client_id) BEGIN
  UPDATE name SET gone = 1 WHERE id = OLD.client_id;
  DELETE FROM name WHERE id = OLD.client_id
    AND NOT EXISTS (SELECT 1 FROM credential_row WHERE client = number)
    AND NOT EXISTS (SELECT 1 FROM credential_row WHERE account = number);
END;
`
