/** Adds the logos of the service. The row of the same key in `setting` has the digest. */
export const logos = `
CREATE TABLE logo (
  key      TEXT PRIMARY KEY NOT NULL CHECK (key IN ('appearance.logo', 'appearance.logo-dark')),
  png_hash TEXT NOT NULL,
  png      BLOB NOT NULL CHECK (substr(png, 1, 8) = x'89504e470d0a1a0a')
) STRICT;
`
