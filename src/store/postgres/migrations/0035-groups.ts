/** Adds groups, who is in them, and the apps that are for groups. A view has the columns of its creation. */
export const groups = `
CREATE TABLE account_group (
  name text COLLATE "C" PRIMARY KEY,
  title text,
  created_at bigint NOT NULL
);

CREATE TABLE membership (
  user_id text COLLATE "C" NOT NULL REFERENCES account (user_id) ON DELETE CASCADE,
  group_name text COLLATE "C" NOT NULL REFERENCES account_group (name) ON DELETE CASCADE,
  provider text COLLATE "C" NOT NULL,
  PRIMARY KEY (user_id, group_name, provider)
);
CREATE INDEX membership_of_group ON membership (group_name, user_id);
CREATE INDEX membership_of_provider ON membership (provider, user_id) WHERE provider <> '';

ALTER TABLE account ADD COLUMN groups text NOT NULL DEFAULT '';
ALTER TABLE client ADD COLUMN groups text NOT NULL DEFAULT '';
CREATE OR REPLACE VIEW usable_account AS SELECT * FROM account
  WHERE import_id IS NULL OR EXISTS (SELECT 1 FROM import WHERE import.id = account.import_id AND state = 'finished');
`
