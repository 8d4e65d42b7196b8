/** Device grants. Every column is described in docs/storage.md. */
export const deviceGrant = `
CREATE TABLE device_grant (
  grant_id          TEXT PRIMARY KEY NOT NULL,
  device_hash       TEXT NOT NULL,
  user_code_hash    TEXT NOT NULL UNIQUE,
  client_id         TEXT NOT NULL,
  address           TEXT NOT NULL,
  asked_at          INTEGER NOT NULL,
  expires_at        INTEGER NOT NULL,
  purpose           TEXT NOT NULL,
  asked             TEXT,
  installation_name TEXT,
  step_up_token_id  TEXT,
  step_up_user_id   TEXT,
  reason            TEXT,
  state             TEXT NOT NULL,
  user_id           TEXT,
  granted           TEXT,
  answered_at       INTEGER
) STRICT;
CREATE INDEX device_grant_expires ON device_grant (expires_at);
CREATE INDEX device_grant_approved ON device_grant (user_id) WHERE state = 'approved';
`
