/** Adds credentials that end with the sign-in session of their consent. */
export const sessionCredentials = `
CREATE TABLE session_credential (
  ends_at      bigint NOT NULL,
  token_id     text COLLATE "C" PRIMARY KEY,
  session_hash text COLLATE "C" NOT NULL,
  user_id      text COLLATE "C" NOT NULL REFERENCES account ON DELETE CASCADE
);
CREATE INDEX session_credential_session ON session_credential (session_hash);
CREATE INDEX session_credential_account ON session_credential (user_id);
CREATE INDEX session_credential_ends ON session_credential (ends_at);
`
