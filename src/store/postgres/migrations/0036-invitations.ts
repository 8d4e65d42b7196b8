/** Adds invitations, and mails to people without an account. */
export const invitations = `
CREATE TABLE invitation (
  invitation_id text COLLATE "C" PRIMARY KEY,
  link_hash     text COLLATE "C" NOT NULL UNIQUE,
  username      text,
  email         text,
  is_mailed     smallint NOT NULL CHECK (is_mailed IN (0, 1)),
  admin         smallint NOT NULL CHECK (admin IN (0, 1)),
  groups        text NOT NULL,
  invited_by    text COLLATE "C",
  made_at       bigint NOT NULL,
  expires_at    bigint NOT NULL
);
CREATE INDEX invitation_expires ON invitation (expires_at);

ALTER TABLE outbox ALTER COLUMN user_id DROP NOT NULL;
ALTER TABLE outbox ADD COLUMN language text;
`
