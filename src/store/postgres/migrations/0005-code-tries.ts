/** Codes that failed in a row, by account. Every column is described in docs/storage.md. */
export const codeTries = `
CREATE TABLE code_tries (
  user_id          text COLLATE "C" PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  unknown_failures integer NOT NULL,
  known_failures   integer NOT NULL
);
`
