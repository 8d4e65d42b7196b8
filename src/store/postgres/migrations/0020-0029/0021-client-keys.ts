/** Adds the keys of clients, and the assertions that clients have used. A confidential client has a secret or keys. */
export const clientKeys = `
ALTER TABLE client
  ADD COLUMN jwks text,
  ADD COLUMN jwks_uri text,
  ADD COLUMN signing_alg text,
  DROP CONSTRAINT client_check1,
  ADD CHECK (num_nonnulls(secret_hash, jwks, jwks_uri) = CASE type WHEN 'confidential' THEN 1 ELSE 0 END),
  ADD CHECK (signing_alg IS NULL OR jwks IS NOT NULL OR jwks_uri IS NOT NULL);
CREATE INDEX client_with_keys ON client (client_id) WHERE jwks IS NOT NULL OR jwks_uri IS NOT NULL;

CREATE TABLE fetched_keys (
  client_id  text COLLATE "C" PRIMARY KEY REFERENCES client ON DELETE CASCADE,
  jwks_uri   text NOT NULL,
  tried_at   bigint NOT NULL,
  fetched_at bigint,
  problem    text,
  jwks       text,
  CHECK ((jwks IS NULL) = (fetched_at IS NULL))
);

CREATE TABLE spent_assertion (
  assertion_hash text COLLATE "C" PRIMARY KEY,
  body_hash      text NOT NULL,
  gone_at        bigint NOT NULL
);
CREATE INDEX spent_assertion_gone ON spent_assertion (gone_at);
`
