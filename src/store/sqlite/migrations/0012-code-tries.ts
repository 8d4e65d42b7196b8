/** Codes that failed in a row, by account. Every column is described in docs/storage.md. */
export const codeTries = `
CREATE TABLE code_tries (
  user_id          TEXT PRIMARY KEY NOT NULL REFERENCES account ON DELETE CASCADE,
  unknown_failures INTEGER NOT NULL,
  known_failures   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`
