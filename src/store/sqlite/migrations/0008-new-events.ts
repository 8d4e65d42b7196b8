/**
 * The newest events apart, where no index is kept: what is written all day is appended, and carried into the indexes in
 * batches. Every column is described in docs/storage.md.
 */
export const newEvents = `
DROP INDEX event_of_account;
ALTER TABLE event RENAME TO event_row;
-- Behind one another in the order of time, so that a batch writes a few pages however many accounts it is of: of an index
-- by account alone every event has a page to itself.
CREATE INDEX event_of_account ON event_row (id / 8192, user_id) WHERE user_id IS NOT NULL;

CREATE TABLE event_new (
  id        INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  user_id   TEXT,
  client_id TEXT,
  token_id  TEXT,
  address   TEXT,
  detail    TEXT,
  actor_id  TEXT
) STRICT;
CREATE TRIGGER event_new_stays BEFORE UPDATE ON event_new BEGIN
  SELECT RAISE(ABORT, 'an event of the audit trail is never rewritten');
END;

CREATE VIEW event AS
  SELECT id, at, kind, user_id, client_id, token_id, actor_id, address, detail FROM event_row
  UNION ALL
  SELECT id, at, kind, user_id, client_id, token_id, actor_id, address, detail FROM event_new;
`
