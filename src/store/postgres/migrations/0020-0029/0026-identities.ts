/** Adds the links between accounts and people at sign-in providers. */
export const identities = `
CREATE TABLE identity (
  linked_at     bigint NOT NULL,
  grants_admin  smallint NOT NULL CHECK (grants_admin IN (0, 1)),
  identity_hash text COLLATE "C" PRIMARY KEY,
  issuer        text COLLATE "C" NOT NULL CHECK (issuer <> ''),
  subject       text COLLATE "C" NOT NULL CHECK (subject <> ''),
  user_id       text COLLATE "C" NOT NULL REFERENCES account ON DELETE CASCADE,
  provider      text COLLATE "C" NOT NULL,
  shown_name    text,
  UNIQUE (issuer, subject)
);
CREATE INDEX identity_account ON identity (user_id);
CREATE INDEX identity_provider ON identity (provider, identity_hash);
`
