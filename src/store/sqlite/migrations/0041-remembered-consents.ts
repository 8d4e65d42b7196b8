/** Adds the consents that an app does not ask for again. */
export const rememberedConsents = `
CREATE TABLE remembered_consent (
  id         TEXT PRIMARY KEY NOT NULL,
  user_id    TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  client_id  TEXT NOT NULL REFERENCES client ON DELETE CASCADE,
  origin     TEXT NOT NULL,
  scope      TEXT NOT NULL,
  resources  TEXT NOT NULL,
  clicked_at INTEGER NOT NULL,
  ends_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX remembered_consent_account ON remembered_consent (user_id);
CREATE INDEX remembered_consent_app ON remembered_consent (client_id);
CREATE INDEX remembered_consent_ends ON remembered_consent (ends_at);
`
