/** Factors, and what a browser has proven. Every column is described in docs/storage.md. */
export const factor = `
CREATE TABLE factor (
  factor_id     TEXT PRIMARY KEY NOT NULL,
  user_id       TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  kind          TEXT NOT NULL,
  name          TEXT NOT NULL,
  added_at      INTEGER NOT NULL,
  used_at       INTEGER,
  sealed_secret TEXT,
  used_step     INTEGER,
  credential_id TEXT UNIQUE,
  public_key    TEXT,
  counter       INTEGER,
  transports    TEXT,
  backed_up     INTEGER,
  codes         TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX factor_of_account ON factor (user_id, factor_id);
CREATE UNIQUE INDEX factor_recovery ON factor (user_id) WHERE kind = 'recovery';

ALTER TABLE session ADD COLUMN proven_at INTEGER;
ALTER TABLE session ADD COLUMN proven_by TEXT;
`
