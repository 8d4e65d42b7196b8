/** Adds the consents that an app does not ask for again. */
export const rememberedConsents = `
CREATE TABLE remembered_consent (
  id         text COLLATE "C" PRIMARY KEY,
  user_id    text COLLATE "C" NOT NULL REFERENCES account ON DELETE CASCADE,
  client_id  text COLLATE "C" NOT NULL REFERENCES client ON DELETE CASCADE,
  origin     text NOT NULL,
  scope      text NOT NULL,
  resources  text NOT NULL,
  clicked_at bigint NOT NULL,
  ends_at    bigint NOT NULL
);
CREATE INDEX remembered_consent_account ON remembered_consent (user_id);
CREATE INDEX remembered_consent_app ON remembered_consent (client_id);
CREATE INDEX remembered_consent_ends ON remembered_consent (ends_at);
`
