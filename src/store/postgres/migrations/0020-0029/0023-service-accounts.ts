/** Adds service accounts, the apps that are bound to them, and their access tokens. */
export const serviceAccounts = `
ALTER TABLE account
  ADD COLUMN type text NOT NULL DEFAULT 'person',
  ADD COLUMN owner_id text COLLATE "C" REFERENCES account ON DELETE SET NULL,
  ADD CHECK (type IN ('person', 'service')),
  ADD CHECK (owner_id IS NULL OR type = 'service');
CREATE INDEX account_of_owner ON account (owner_id) WHERE owner_id IS NOT NULL;
CREATE INDEX account_service ON account (user_id) WHERE type = 'service';

ALTER TABLE client
  ADD COLUMN service_account_id text COLLATE "C" REFERENCES account ON DELETE SET NULL,
  ADD COLUMN service_token_id text COLLATE "C",
  ADD CHECK (service_account_id IS NULL OR type = 'confidential'),
  ADD CHECK (service_account_id IS NULL OR service_token_id IS NOT NULL);
CREATE INDEX client_bound ON client (service_account_id) WHERE service_account_id IS NOT NULL;

CREATE TABLE service_token (
  place       bigint NOT NULL,
  issued_at   bigint NOT NULL,
  expires_at  bigint NOT NULL,
  token_id    text COLLATE "C" NOT NULL,
  access_hash text COLLATE "C" NOT NULL UNIQUE,
  scope       text NOT NULL CHECK (scope <> ''),
  resources   text NOT NULL,
  PRIMARY KEY (token_id, place)
);
CREATE INDEX service_token_expires ON service_token (expires_at);
`
