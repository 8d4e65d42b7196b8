/** Adds what an apply has made, with its set and its key in the file. */
export const applied = `
CREATE TABLE applied (
  what     text COLLATE "C" NOT NULL CHECK (what IN ('app', 'group', 'service_account', 'setting', 'appearance')),
  made     text COLLATE "C" NOT NULL,
  set_name text COLLATE "C" NOT NULL,
  key      text COLLATE "C" NOT NULL,
  PRIMARY KEY (what, made)
);
`
