/**
 * What the list of apps is searched by, in the order of the list: anybody may register apps where that is open, and a
 * search must not read the whole rows of hundreds of thousands.
 */
export const clientList = `
CREATE INDEX client_list ON client (client_id, name, registered_by, verified, enabled, owner_id);
`
