/** Adds service accounts, the apps that are bound to them, and their access tokens. */
export const serviceAccounts = `
ALTER TABLE account ADD COLUMN type TEXT NOT NULL DEFAULT 'person' CHECK (type IN ('person', 'service'));
ALTER TABLE account ADD COLUMN owner_id TEXT REFERENCES account ON DELETE SET NULL
  CHECK (owner_id IS NULL OR type = 'service');
CREATE INDEX account_of_owner ON account (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX account_service ON account (user_id) WHERE type = 'service';

ALTER TABLE client ADD COLUMN service_account_id TEXT REFERENCES account ON DELETE SET NULL
  CHECK (service_account_id IS NULL OR type = 'confidential');
ALTER TABLE client ADD COLUMN service_token_id TEXT
  CHECK (service_account_id IS NULL OR service_token_id IS NOT NULL);
CREATE INDEX client_bound ON client (service_account_id) WHERE service_account_id IS NOT NULL;

CREATE TABLE service_token (
  token_id    TEXT NOT NULL,
  place       INTEGER NOT NULL,
  access_hash TEXT NOT NULL UNIQUE,
  issued_at   INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  scope       TEXT NOT NULL CHECK (scope <> ''),
  resources   TEXT NOT NULL,
  PRIMARY KEY (token_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX service_token_expires ON service_token (expires_at);
`
