/** Adds what credentials know of a sign-in, and the keys that sign id_tokens and JWT access tokens. Of an algorithm, one signs and one may come next. */
export const signingKeys = `
CREATE TABLE signing_key (
  kid            TEXT PRIMARY KEY NOT NULL,
  algorithm      TEXT NOT NULL CHECK (algorithm IN ('RS256', 'ES256')),
  state          TEXT NOT NULL CHECK (state IN ('next', 'signing', 'former', 'withdrawn')),
  public_jwk     TEXT NOT NULL,
  sealed_private TEXT,
  made_at        INTEGER NOT NULL,
  signs_from     INTEGER NOT NULL,
  ended_at       INTEGER,
  CHECK ((sealed_private IS NOT NULL) = (state IN ('next', 'signing'))),
  CHECK ((ended_at IS NULL) = (state IN ('next', 'signing')))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX signing_key_next ON signing_key (algorithm) WHERE state = 'next';
CREATE UNIQUE INDEX signing_key_signing ON signing_key (algorithm) WHERE state = 'signing';

ALTER TABLE credential_row ADD COLUMN openid TEXT;
ALTER TABLE device_grant ADD COLUMN openid TEXT;
DROP VIEW credential;
CREATE VIEW credential AS SELECT
  credential_row.id AS id, token_id,
  (SELECT name.id FROM name WHERE number = client) AS client_id,
  (SELECT name.id FROM name WHERE number = account) AS user_id,
  installation_name,
  CASE typeof(scope) WHEN 'integer' THEN (SELECT names FROM scope WHERE number = credential_row.scope) ELSE scope END
    AS scope,
  resources, consented_at, ends_at, code_expires_at, gone * 86400 AS gone_at,
  CASE state WHEN 0 THEN 'issued' WHEN 1 THEN 'active' WHEN 2 THEN 'revoked' WHEN 3 THEN 'ended' ELSE state END AS state,
  over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family, openid
FROM credential_row;
`
