/** Adds the organization whose word a credential rests on, and what a person or an administrator ended of it. */
export const organizations = `
ALTER TABLE credential_row ADD COLUMN organization TEXT;
CREATE INDEX credential_of_organization ON credential_row (account) WHERE organization IS NOT NULL;
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
  over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family, openid, organization
FROM credential_row;

CREATE TABLE organization_block (
  user_id    TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  client_id  TEXT NOT NULL REFERENCES client ON DELETE CASCADE,
  provider   TEXT NOT NULL,
  blocked_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, client_id, provider)
) STRICT, WITHOUT ROWID;
CREATE INDEX organization_block_app ON organization_block (client_id);
`
