/** Adds the logos of the service. The row of the same key in `setting` has the digest. */
export const logos = `
CREATE TABLE logo (
  key      text COLLATE "C" PRIMARY KEY CHECK (key IN ('appearance.logo', 'appearance.logo-dark')),
  png_hash text NOT NULL,
  png      bytea NOT NULL CHECK (substr(png, 1, 8) = decode('89504e470d0a1a0a', 'hex'))
);
`
