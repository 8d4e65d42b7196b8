/** Adds credentials that end with the sign-in session of their consent. */
export const sessionCredentials = `
CREATE TABLE session_credential (
  token_id     TEXT PRIMARY KEY NOT NULL,
  session_hash TEXT NOT NULL,
  user_id      TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  ends_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_credential_session ON session_credential (session_hash);
CREATE INDEX session_credential_account ON session_credential (user_id);
CREATE INDEX session_credential_ends ON session_credential (ends_at);
`
