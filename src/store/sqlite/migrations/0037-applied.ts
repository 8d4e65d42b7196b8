/** Adds what an apply has made, with its set and its key in the file. */
export const applied = `
CREATE TABLE applied (
  what     TEXT NOT NULL CHECK (what IN ('app', 'group', 'service_account', 'setting', 'appearance')),
  made     TEXT NOT NULL,
  set_name TEXT NOT NULL,
  key      TEXT NOT NULL,
  PRIMARY KEY (what, made)
) STRICT;
`
