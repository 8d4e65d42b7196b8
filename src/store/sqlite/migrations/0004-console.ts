/** Self-registration, what the pages of people and administrators list, counts, and what resource servers hear of. */
export const console = `
ALTER TABLE client ADD COLUMN registration_hash TEXT;
ALTER TABLE client ADD COLUMN gone_at INTEGER;
CREATE UNIQUE INDEX client_registration ON client (registration_hash) WHERE registration_hash IS NOT NULL;
CREATE INDEX client_gone ON client (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX client_of_owner ON client (owner_id, client_id) WHERE owner_id IS NOT NULL;
CREATE INDEX client_by_registrar ON client (registered_by, client_id);

ALTER TABLE credential ADD COLUMN rotated_from TEXT;

CREATE INDEX event_of_account ON event (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX event_of_client ON event (client_id) WHERE client_id IS NOT NULL;
CREATE INDEX event_of_credential ON event (token_id) WHERE token_id IS NOT NULL;

CREATE TABLE tally (
  grain     TEXT NOT NULL,
  client_id TEXT NOT NULL,
  at        INTEGER NOT NULL,
  name      TEXT NOT NULL,
  count     INTEGER NOT NULL,
  PRIMARY KEY (grain, client_id, at, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX tally_at ON tally (grain, at);

CREATE TABLE invalidation (
  id  INTEGER PRIMARY KEY AUTOINCREMENT,
  of  TEXT NOT NULL,
  key TEXT NOT NULL
) STRICT;
`
