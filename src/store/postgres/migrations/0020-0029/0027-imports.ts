/** Adds what moving in from another service needs: staged accounts, ids of removed accounts, and imported tokens. */
export const imports = `
CREATE TABLE import (
  id            bigint PRIMARY KEY,
  source        text NOT NULL,
  state         text NOT NULL CHECK (state IN ('staging', 'abandoned', 'finished')),
  begun_at      bigint NOT NULL,
  seen_at       bigint NOT NULL,
  sealed_secret text
);

ALTER TABLE account ADD COLUMN import_id bigint;
CREATE INDEX account_import ON account (import_id) WHERE import_id IS NOT NULL;

-- The accounts without those of an import that has not finished.
CREATE VIEW usable_account AS SELECT * FROM account
  WHERE import_id IS NULL OR EXISTS (SELECT 1 FROM import WHERE import.id = account.import_id AND state = 'finished');

CREATE TABLE removed_account (
  user_id text COLLATE "C" PRIMARY KEY
);
INSERT INTO removed_account (user_id)
  SELECT DISTINCT user_id FROM event WHERE kind = 'account-removed' AND user_id IS NOT NULL;

CREATE TABLE imported_token (
  token_hash text COLLATE "C" PRIMARY KEY,
  import_id  bigint NOT NULL,
  token_id   text COLLATE "C" NOT NULL,
  client_id  text COLLATE "C" NOT NULL,
  user_id    text COLLATE "C" NOT NULL,
  scope      text NOT NULL CHECK (scope <> ''),
  ends_at    bigint NOT NULL,
  used_at    bigint
);
CREATE INDEX imported_token_client ON imported_token (client_id);
CREATE INDEX imported_token_import ON imported_token (import_id);
CREATE INDEX imported_token_ends ON imported_token (ends_at);
`
