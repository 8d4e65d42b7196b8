/**
 * Icons with their digest. No version before this one wrote an icon, so there is none to keep. The picture stands last:
 * what is asked for with every app is the digest, and SQLite does not read past it.
 */
export const icon = `
DROP TABLE icon;
CREATE TABLE icon (
  client_id TEXT PRIMARY KEY NOT NULL REFERENCES client ON DELETE CASCADE,
  png_hash  TEXT NOT NULL,
  png       BLOB NOT NULL
) STRICT;
`
