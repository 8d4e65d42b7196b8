/** Adds invitations, and mails to people without an account. SQLite cannot make a column optional in place. */
export const invitations = `
CREATE TABLE invitation (
  invitation_id TEXT PRIMARY KEY NOT NULL,
  link_hash     TEXT NOT NULL UNIQUE,
  username      TEXT,
  email         TEXT,
  is_mailed     INTEGER NOT NULL CHECK (is_mailed IN (0, 1)),
  admin         INTEGER NOT NULL CHECK (admin IN (0, 1)),
  groups        TEXT NOT NULL,
  invited_by    TEXT,
  made_at       INTEGER NOT NULL,
  expires_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX invitation_expires ON invitation (expires_at);

CREATE TABLE new_outbox (
  mail_id         TEXT PRIMARY KEY NOT NULL,
  user_id         TEXT REFERENCES account ON DELETE CASCADE,
  address         TEXT,
  kind            TEXT NOT NULL,
  client_id       TEXT,
  redirect_host   TEXT,
  network_address TEXT,
  sealed_link     TEXT,
  queued_at       INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL,
  tries           INTEGER NOT NULL,
  next_try_at     INTEGER,
  problem         TEXT,
  gone_at         INTEGER NOT NULL,
  language        TEXT,
  CHECK ((address IS NULL) = (next_try_at IS NULL)),
  CHECK (sealed_link IS NULL OR next_try_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
INSERT INTO new_outbox SELECT *, NULL FROM outbox;
DROP TABLE outbox;
ALTER TABLE new_outbox RENAME TO outbox;
CREATE INDEX outbox_next ON outbox (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX outbox_link ON outbox (next_try_at) WHERE sealed_link IS NOT NULL;
CREATE INDEX outbox_account ON outbox (user_id);
CREATE INDEX outbox_gone ON outbox (gone_at);
`
