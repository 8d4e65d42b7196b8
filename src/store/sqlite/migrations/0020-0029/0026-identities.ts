/** Adds the links between accounts and people at sign-in providers. */
export const identities = `
CREATE TABLE identity (
  identity_hash TEXT PRIMARY KEY NOT NULL,
  issuer        TEXT NOT NULL CHECK (issuer <> ''),
  subject       TEXT NOT NULL CHECK (subject <> ''),
  user_id       TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  provider      TEXT NOT NULL,
  shown_name    TEXT,
  linked_at     INTEGER NOT NULL,
  grants_admin  INTEGER NOT NULL CHECK (grants_admin IN (0, 1)),
  UNIQUE (issuer, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX identity_account ON identity (user_id);
CREATE INDEX identity_provider ON identity (provider, identity_hash);
`
