/** Adds e-mail addresses of accounts, one-time links, and the outbox. */
export const email = `
CREATE TABLE email (
  user_id     TEXT PRIMARY KEY NOT NULL REFERENCES account ON DELETE CASCADE,
  address     TEXT NOT NULL,
  address_key TEXT NOT NULL UNIQUE,
  verified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE one_time_link (
  link_hash       TEXT PRIMARY KEY NOT NULL,
  user_id         TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  purpose         TEXT NOT NULL CHECK (purpose IN ('confirm-address', 'restore-address', 'recover', 'recover-by-hand')),
  address         TEXT,
  password_digest TEXT,
  made_at         INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX one_time_link_account ON one_time_link (user_id);
CREATE INDEX one_time_link_expires ON one_time_link (expires_at);

CREATE TABLE outbox (
  mail_id         TEXT PRIMARY KEY NOT NULL,
  user_id         TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
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
  CHECK ((address IS NULL) = (next_try_at IS NULL)),
  CHECK (sealed_link IS NULL OR next_try_at IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_next ON outbox (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX outbox_link ON outbox (next_try_at) WHERE sealed_link IS NOT NULL;
CREATE INDEX outbox_account ON outbox (user_id);
CREATE INDEX outbox_gone ON outbox (gone_at);
`
