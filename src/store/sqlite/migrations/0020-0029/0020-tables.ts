/**
 * The schema. docs/storage.md describes every column. Constraints check only what never changes: states, flags, and
 * which columns a state fills. `verify` checks what a later version may relax (kinds of events, durations, maxima).
 * SQLite can change a constraint only by copying its table.
 */
export const tables = `
CREATE TABLE account (
  user_id       TEXT PRIMARY KEY NOT NULL,
  username      TEXT NOT NULL,
  username_key  TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  admin         INTEGER NOT NULL CHECK (admin IN (0, 1)),
  enabled       INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE client (
  client_id         TEXT PRIMARY KEY NOT NULL,
  type              TEXT NOT NULL CHECK (type IN ('public', 'confidential')),
  secret_hash       TEXT,
  name              TEXT NOT NULL,
  redirect_uris     TEXT NOT NULL,
  ceiling           TEXT NOT NULL,
  verified          INTEGER NOT NULL CHECK (verified IN (0, 1)),
  step_up           INTEGER NOT NULL CHECK (step_up IN (0, 1)),
  resource_server   INTEGER NOT NULL CHECK (resource_server IN (0, 1)),
  enabled           INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  registered_by     TEXT NOT NULL,
  owner_id          TEXT REFERENCES account ON DELETE SET NULL,
  issued_at         INTEGER NOT NULL,
  registration_hash TEXT,
  gone_at           INTEGER,
  disabled_by_owner INTEGER NOT NULL CHECK (disabled_by_owner IN (0, 1)),
  CHECK ((type = 'confidential') = (secret_hash IS NOT NULL)),
  CHECK (resource_server = 0 OR type = 'confidential'),
  CHECK (disabled_by_owner = 0 OR enabled = 0),
  CHECK (registration_hash IS NULL OR gone_at IS NOT NULL)
) STRICT;

-- Every read of an app needs the digest. The picture comes last, so that SQLite does not read it then.
CREATE TABLE icon (
  client_id TEXT PRIMARY KEY NOT NULL REFERENCES client ON DELETE CASCADE,
  png_hash  TEXT NOT NULL,
  png       BLOB NOT NULL CHECK (substr(png, 1, 8) = x'89504e470d0a1a0a')
) STRICT;

-- The numbers of accounts and apps.
CREATE TABLE name (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id     TEXT NOT NULL UNIQUE,
  gone   INTEGER NOT NULL DEFAULT 0 CHECK (gone IN (0, 1))
) STRICT;
CREATE TABLE scope (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  client INTEGER NOT NULL REFERENCES name ON DELETE CASCADE,
  names  TEXT NOT NULL CHECK (names <> ''),
  UNIQUE (client, names)
) STRICT;

-- The packed tokens come last, because only they change with a refresh. SQLite does not check constraints of columns
-- that an update leaves unchanged.
CREATE TABLE credential_row (
  id                INTEGER PRIMARY KEY,
  token_id          TEXT NOT NULL,
  client            INTEGER NOT NULL REFERENCES name,
  account           INTEGER NOT NULL REFERENCES name,
  installation_name TEXT,
  scope             ANY NOT NULL CHECK (scope <> ''),
  resources         TEXT,
  consented_at      INTEGER NOT NULL,
  ends_at           INTEGER NOT NULL,
  code_expires_at   INTEGER,
  gone              INTEGER NOT NULL,
  state             INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
  over_at           INTEGER,
  because           TEXT,
  elevated_until    INTEGER,
  code              BLOB,
  generation        INTEGER NOT NULL,
  rotated_at        INTEGER,
  rotated_from      TEXT,
  family            BLOB,
  CHECK ((code IS NULL) = (code_expires_at IS NULL)),
  CHECK ((state >= 2) = (over_at IS NOT NULL)),
  CHECK ((over_at IS NULL) = (because IS NULL)),
  CHECK (elevated_until IS NULL OR state = 1),
  CHECK (CASE state WHEN 0 THEN generation = 0 WHEN 1 THEN generation >= 1 ELSE generation >= 0 END),
  CHECK ((generation = 0) = (rotated_at IS NULL)),
  CHECK (rotated_from IS NULL OR rotated_at IS NOT NULL),
  CHECK (generation = 0 OR family IS NOT NULL)
) STRICT;
CREATE TABLE credential_aside (
  id       INTEGER PRIMARY KEY REFERENCES credential_row ON DELETE CASCADE,
  token_id TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE device_grant (
  grant_id          TEXT PRIMARY KEY NOT NULL,
  device_hash       TEXT NOT NULL,
  user_code_hash    TEXT NOT NULL UNIQUE,
  client_id         TEXT NOT NULL,
  address           TEXT NOT NULL,
  asked_at          INTEGER NOT NULL,
  expires_at        INTEGER NOT NULL,
  purpose           TEXT NOT NULL,
  asked             TEXT CHECK (asked <> ''),
  installation_name TEXT,
  step_up_token_id  TEXT,
  step_up_user_id   TEXT,
  reason            TEXT,
  state             TEXT NOT NULL,
  user_id           TEXT,
  granted           TEXT,
  answered_at       INTEGER,
  gone_at           INTEGER NOT NULL,
  CHECK (CASE purpose
    WHEN 'access' THEN asked IS NOT NULL
      AND step_up_token_id IS NULL AND step_up_user_id IS NULL AND reason IS NULL
    WHEN 'step-up' THEN step_up_token_id IS NOT NULL AND step_up_user_id IS NOT NULL
      AND asked IS NULL AND installation_name IS NULL
    ELSE 0 END),
  CHECK (CASE state
    WHEN 'pending' THEN user_id IS NULL AND granted IS NULL AND answered_at IS NULL
    WHEN 'expired' THEN user_id IS NULL AND granted IS NULL AND answered_at IS NULL
    WHEN 'approved' THEN user_id IS NOT NULL AND granted IS NOT NULL AND answered_at IS NOT NULL
    WHEN 'redeemed' THEN granted IS NULL AND answered_at IS NOT NULL
    WHEN 'denied' THEN granted IS NULL AND answered_at IS NOT NULL
    ELSE 0 END),
  CHECK (purpose = 'step-up' OR granted <> '')
) STRICT;

CREATE TABLE factor (
  factor_id     TEXT PRIMARY KEY NOT NULL,
  user_id       TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  kind          TEXT NOT NULL CHECK (kind IN ('totp', 'passkey', 'recovery')),
  name          TEXT NOT NULL,
  added_at      INTEGER NOT NULL,
  used_at       INTEGER,
  sealed_secret TEXT,
  used_step     INTEGER CHECK (used_step >= 0),
  credential_id TEXT UNIQUE,
  public_key    TEXT,
  counter       INTEGER CHECK (counter >= 0),
  transports    TEXT,
  backed_up     INTEGER CHECK (backed_up IN (0, 1)),
  codes         TEXT,
  CHECK ((kind = 'totp') = (sealed_secret IS NOT NULL)),
  CHECK ((kind = 'totp') = (used_step IS NOT NULL)),
  CHECK ((kind = 'passkey') = (credential_id IS NOT NULL)),
  CHECK ((kind = 'passkey') = (public_key IS NOT NULL)),
  CHECK ((kind = 'passkey') = (counter IS NOT NULL)),
  CHECK ((kind = 'passkey') = (transports IS NOT NULL)),
  CHECK ((kind = 'passkey') = (backed_up IS NOT NULL)),
  CHECK ((kind = 'recovery') = (codes IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
  session_hash TEXT PRIMARY KEY NOT NULL,
  user_id      TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  created_at   INTEGER NOT NULL,
  seen_at      INTEGER NOT NULL,
  gone_at      INTEGER NOT NULL,
  address      TEXT NOT NULL,
  user_agent   TEXT NOT NULL,
  proven_at    INTEGER,
  proven_by    TEXT CHECK (proven_by IN ('password', 'second-factor')),
  CHECK ((proven_at IS NULL) = (proven_by IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE known_browser (
  browser_hash TEXT NOT NULL,
  user_id      TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  seen_at      INTEGER NOT NULL,
  PRIMARY KEY (browser_hash, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE code_tries (
  user_id          TEXT PRIMARY KEY NOT NULL REFERENCES account ON DELETE CASCADE,
  unknown_failures INTEGER NOT NULL CHECK (unknown_failures >= 0),
  known_failures   INTEGER NOT NULL CHECK (known_failures >= 0),
  CHECK (unknown_failures + known_failures > 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE spent_ticket (
  ticket_id TEXT PRIMARY KEY NOT NULL,
  spent_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
  key   TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
  key   TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setup_link (
  only_one  INTEGER PRIMARY KEY CHECK (only_one = 1),
  link_hash TEXT NOT NULL,
  made_at   INTEGER NOT NULL
) STRICT;

-- The newest events are in event_new, which has no index. They are moved in batches to event_row, which has indexes.
CREATE TABLE event_row (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  at        INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  user_id   TEXT,
  client_id TEXT,
  token_id  TEXT,
  address   TEXT,
  detail    TEXT,
  actor_id  TEXT
) STRICT;
CREATE TABLE event_new (
  id        INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  user_id   TEXT,
  client_id TEXT,
  token_id  TEXT,
  address   TEXT,
  detail    TEXT,
  actor_id  TEXT
) STRICT;

-- Rows are sorted by time. A period is therefore read in one piece, and current counts are written at the end.
CREATE TABLE tally (
  grain     TEXT NOT NULL CHECK (grain IN ('minute', 'hour', 'day')),
  at        INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  name      TEXT NOT NULL,
  count     INTEGER NOT NULL CHECK (count >= 1),
  PRIMARY KEY (grain, at, client_id, name),
  CHECK (at % CASE grain WHEN 'minute' THEN 60 WHEN 'hour' THEN 3600 ELSE 86400 END = 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE invalidation (
  id  INTEGER PRIMARY KEY AUTOINCREMENT,
  of  TEXT NOT NULL CHECK (of IN ('credential', 'client', 'account')),
  key TEXT NOT NULL
) STRICT;
`
