/** The first schema. Every column is described in docs/storage.md. */
export const initial = `
CREATE TABLE account (
  user_id       TEXT PRIMARY KEY NOT NULL,
  username      TEXT NOT NULL,
  username_key  TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  admin         INTEGER NOT NULL,
  enabled       INTEGER NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX account_administrator ON account (enabled) WHERE admin = 1;

CREATE TABLE client (
  client_id       TEXT PRIMARY KEY NOT NULL,
  type            TEXT NOT NULL,
  secret_hash     TEXT,
  name            TEXT NOT NULL,
  redirect_uris   TEXT NOT NULL,
  ceiling         TEXT NOT NULL,
  verified        INTEGER NOT NULL,
  step_up         INTEGER NOT NULL,
  resource_server INTEGER NOT NULL,
  enabled         INTEGER NOT NULL,
  registered_by   TEXT NOT NULL,
  owner_id        TEXT,
  issued_at       INTEGER NOT NULL
) STRICT;

CREATE TABLE icon (
  client_id TEXT PRIMARY KEY NOT NULL REFERENCES client ON DELETE CASCADE,
  png       BLOB NOT NULL
) STRICT;

-- A rowid table: ids are time-ordered, and the row stays where it is for its whole life.
CREATE TABLE credential (
  id                INTEGER PRIMARY KEY,
  token_id          TEXT NOT NULL UNIQUE,
  client_id         TEXT NOT NULL,
  user_id           TEXT NOT NULL,
  installation_name TEXT,
  scope             TEXT NOT NULL,
  resources         TEXT,
  consented_at      INTEGER NOT NULL,
  ends_at           INTEGER NOT NULL,
  code_hash         TEXT,
  code_challenge    TEXT,
  code_redirect_uri TEXT,
  code_expires_at   INTEGER,
  gone_at           INTEGER NOT NULL,
  state             TEXT NOT NULL,
  over_at           INTEGER,
  because           TEXT,
  elevated_until    INTEGER,
  generation        INTEGER NOT NULL,
  current_hash      TEXT,
  family_key        TEXT,
  rotated_at        INTEGER,
  retired_hash      TEXT,
  retired_nonce     TEXT,
  answered_scope    TEXT,
  retirements       TEXT,
  access_tokens     TEXT
) STRICT;
CREATE INDEX credential_of_account ON credential (user_id, token_id);
CREATE INDEX credential_of_client ON credential (client_id, token_id);
CREATE INDEX credential_gone ON credential (gone_at);

CREATE TABLE session (
  session_hash TEXT PRIMARY KEY NOT NULL,
  user_id      TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  created_at   INTEGER NOT NULL,
  seen_at      INTEGER NOT NULL,
  gone_at      INTEGER NOT NULL,
  address      TEXT NOT NULL,
  user_agent   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_of_account ON session (user_id);
CREATE INDEX session_gone ON session (gone_at);

CREATE TABLE known_browser (
  browser_hash TEXT NOT NULL,
  user_id      TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  seen_at      INTEGER NOT NULL,
  PRIMARY KEY (browser_hash, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX known_browser_of_account ON known_browser (user_id);
CREATE INDEX known_browser_seen ON known_browser (seen_at);

CREATE TABLE spent_ticket (
  ticket_id TEXT PRIMARY KEY NOT NULL,
  spent_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_ticket_spent ON spent_ticket (spent_at);

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

CREATE TABLE event (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  at        INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  user_id   TEXT,
  client_id TEXT,
  token_id  TEXT,
  address   TEXT,
  detail    TEXT
) STRICT;
CREATE INDEX event_of_kind ON event (kind);
CREATE INDEX event_at ON event (at);
`
