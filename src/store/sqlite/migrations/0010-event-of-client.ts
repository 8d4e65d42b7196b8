/** The events of one app of one kind are picked out of the index: an app has a hundred thousand, and of a rare kind none. */
export const eventOfClient = `
DROP INDEX event_of_client;
CREATE INDEX event_of_client ON event (client_id, id, kind) WHERE client_id IS NOT NULL;
`
