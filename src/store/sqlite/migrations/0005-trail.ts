/** Who did it and from where; the audit trail by account, app and credential, and nothing in it rewritten. */
export const trail = `
ALTER TABLE credential ADD COLUMN rotated_from TEXT;

ALTER TABLE event ADD COLUMN actor_id TEXT;
CREATE INDEX event_of_account ON event (user_id) WHERE user_id IS NOT NULL;
-- The events of one app of one kind are picked out of the index: an app has a hundred thousand, and of a rare kind none.
CREATE INDEX event_of_client ON event (client_id, id, kind) WHERE client_id IS NOT NULL;
CREATE INDEX event_of_credential ON event (token_id) WHERE token_id IS NOT NULL;
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN
  SELECT RAISE(ABORT, 'an event of the audit trail is never rewritten');
END;
`
