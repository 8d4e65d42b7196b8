/** Adds the organization whose word a credential rests on, and what a person or an administrator ended of it. */
export const organizations = `
ALTER TABLE credential ADD COLUMN organization text;
CREATE INDEX credential_of_organization ON credential (user_id) WHERE organization IS NOT NULL;

CREATE TABLE organization_block (
  user_id    text COLLATE "C" NOT NULL REFERENCES account ON DELETE CASCADE,
  client_id  text COLLATE "C" NOT NULL REFERENCES client ON DELETE CASCADE,
  provider   text COLLATE "C" NOT NULL,
  blocked_at bigint NOT NULL,
  PRIMARY KEY (user_id, client_id, provider)
);
CREATE INDEX organization_block_app ON organization_block (client_id);
`
