/** Adds clients whose client_id is the URL of a document. */
export const clientDocuments = `
CREATE TABLE client_document (
  client_id    text COLLATE "C" PRIMARY KEY REFERENCES client ON DELETE CASCADE,
  fetched_at   bigint,
  fresh_until  bigint NOT NULL,
  failed_at    bigint,
  failure      text,
  pinned       smallint NOT NULL CHECK (pinned IN (0, 1)),
  denied       smallint NOT NULL CHECK (denied IN (0, 1)),
  changed_at   bigint,
  changes      text,
  may_drop_key smallint NOT NULL CHECK (may_drop_key IN (0, 1)),
  CHECK ((failed_at IS NULL) = (failure IS NULL)),
  CHECK ((changed_at IS NULL) = (changes IS NULL)),
  CHECK (pinned = 0 OR fetched_at IS NOT NULL)
);
`
