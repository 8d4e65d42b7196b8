/**
 * Adds the keys of clients, and the assertions that clients have used. The CHECK constraint of `client` must now accept
 * keys in place of a secret. SQLite cannot alter a constraint, so the table is copied. Dropping the old table also
 * deletes the icons, so they are saved first.
 */
const client = `
CREATE TABLE client_new (
  client_id         TEXT PRIMARY KEY NOT NULL,
  type              TEXT NOT NULL CHECK (type IN ('public', 'confidential')),
  secret_hash       TEXT,
  jwks              TEXT,
  jwks_uri          TEXT,
  signing_alg       TEXT,
  name              TEXT NOT NULL,
  redirect_uris     TEXT NOT NULL,
  ceiling           TEXT NOT NULL,
  verified          INTEGER NOT NULL CHECK (verified IN (0, 1)),
  step_up           INTEGER NOT NULL CHECK (step_up IN (0, 1)),
  resource_server   INTEGER NOT NULL CHECK (resource_server IN (0, 1)),
  enabled           INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  registered_by     TEXT NOT NULL,
  owner_id          TEXT REFERENCES account ON DELETE SET NULL,
  issued_at         INTEGER NOT NULL,
  registration_hash TEXT,
  gone_at           INTEGER,
  disabled_by_owner INTEGER NOT NULL CHECK (disabled_by_owner IN (0, 1)),
  CHECK ((secret_hash IS NOT NULL) + (jwks IS NOT NULL) + (jwks_uri IS NOT NULL) = (type = 'confidential')),
  CHECK (signing_alg IS NULL OR jwks IS NOT NULL OR jwks_uri IS NOT NULL),
  CHECK (resource_server = 0 OR type = 'confidential'),
  CHECK (disabled_by_owner = 0 OR enabled = 0),
  CHECK (registration_hash IS NULL OR gone_at IS NOT NULL)
) STRICT;
CREATE TEMP TABLE icon_kept AS SELECT * FROM icon;
INSERT INTO client_new
  (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled,
   registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner)
  SELECT client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled,
    registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner
  FROM client;
DROP TABLE client;
ALTER TABLE client_new RENAME TO client;
INSERT INTO icon (client_id, png_hash, png) SELECT client_id, png_hash, png FROM icon_kept;
DROP TABLE icon_kept;

CREATE UNIQUE INDEX client_registration ON client (registration_hash) WHERE registration_hash IS NOT NULL;
CREATE INDEX client_gone ON client (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX client_of_owner ON client (owner_id, client_id) WHERE owner_id IS NOT NULL;
CREATE INDEX client_by_registrar ON client (registered_by, client_id);
CREATE INDEX client_list ON client (client_id, name, registered_by, verified, enabled, owner_id);
CREATE INDEX client_unused ON client (gone_at, client_id)
  WHERE gone_at IS NOT NULL AND (registration_hash IS NOT NULL OR gone_at - issued_at < 31536000);
CREATE INDEX client_with_keys ON client (client_id) WHERE jwks IS NOT NULL OR jwks_uri IS NOT NULL;
CREATE TRIGGER client_unnamed AFTER DELETE ON client BEGIN
  UPDATE name SET gone = 1 WHERE id = OLD.client_id;
  DELETE FROM name WHERE id = OLD.client_id AND NOT EXISTS (SELECT 1 FROM credential_row WHERE client = number);
END;
`

export const clientKeys = `${client}
CREATE TABLE fetched_keys (
  client_id  TEXT PRIMARY KEY NOT NULL REFERENCES client ON DELETE CASCADE,
  jwks_uri   TEXT NOT NULL,
  tried_at   INTEGER NOT NULL,
  fetched_at INTEGER,
  problem    TEXT,
  jwks       TEXT,
  CHECK ((jwks IS NULL) = (fetched_at IS NULL))
) STRICT;

CREATE TABLE spent_assertion (
  assertion_hash TEXT PRIMARY KEY NOT NULL,
  body_hash      TEXT NOT NULL,
  gone_at        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_assertion_gone ON spent_assertion (gone_at);
`
