/** Adds groups, who is in them, and the apps that are for groups. The view has all columns of the table. */
export const groups = `
CREATE TABLE account_group (
  name TEXT PRIMARY KEY NOT NULL,
  title TEXT,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE membership (
  user_id TEXT NOT NULL REFERENCES account (user_id) ON DELETE CASCADE,
  group_name TEXT NOT NULL REFERENCES account_group (name) ON DELETE CASCADE,
  provider TEXT NOT NULL,
  PRIMARY KEY (user_id, group_name, provider)
) STRICT, WITHOUT ROWID;
CREATE INDEX membership_of_group ON membership (group_name, user_id);
CREATE INDEX membership_of_provider ON membership (provider, user_id) WHERE provider <> '';

ALTER TABLE account ADD COLUMN groups TEXT NOT NULL DEFAULT '';
ALTER TABLE client ADD COLUMN groups TEXT NOT NULL DEFAULT '';
`
