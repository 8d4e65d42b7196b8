/** Apps that register themselves or belong to people, what their lists are searched by, and icons with their digest. */
export const registration = `
ALTER TABLE client ADD COLUMN registration_hash TEXT;
ALTER TABLE client ADD COLUMN gone_at INTEGER;
-- What was disabled before is the administrators' matter.
ALTER TABLE client ADD COLUMN disabled_by_owner INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX client_registration ON client (registration_hash) WHERE registration_hash IS NOT NULL;
CREATE INDEX client_gone ON client (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX client_of_owner ON client (owner_id, client_id) WHERE owner_id IS NOT NULL;
CREATE INDEX client_by_registrar ON client (registered_by, client_id);
-- Anybody may register apps where that is open: a search must not read the whole rows of hundreds of thousands.
CREATE INDEX client_list ON client (client_id, name, registered_by, verified, enabled, owner_id);

-- No version before this one wrote an icon. The picture stands last: what is asked for with every app is the digest, and
-- SQLite does not read past it.
DROP TABLE icon;
CREATE TABLE icon (
  client_id TEXT PRIMARY KEY NOT NULL REFERENCES client ON DELETE CASCADE,
  png_hash  TEXT NOT NULL,
  png       BLOB NOT NULL
) STRICT;
`
