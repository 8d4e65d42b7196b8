/**
 * The schema for PostgreSQL. docs/storage.md describes it. Identifiers and digests are sorted by bytes, whatever the
 * language of the database. As on SQLite, constraints check only rules that never change. `verify` checks rules that a
 * later version may relax, so that nodes of two versions can run side by side.
 */
export const tables = `
CREATE TABLE account (
  user_id       text COLLATE "C" PRIMARY KEY,
  username      text NOT NULL,
  username_key  text COLLATE "C" NOT NULL UNIQUE,
  password_hash text NOT NULL,
  admin         smallint NOT NULL,
  enabled       smallint NOT NULL,
  created_at    bigint NOT NULL
);
CREATE INDEX account_administrator ON account (user_id) WHERE admin = 1;

CREATE TABLE client (
  client_id         text COLLATE "C" PRIMARY KEY,
  type              text NOT NULL,
  secret_hash       text,
  name              text NOT NULL,
  redirect_uris     text NOT NULL,
  ceiling           text NOT NULL,
  verified          smallint NOT NULL,
  step_up           smallint NOT NULL,
  resource_server   smallint NOT NULL,
  enabled           smallint NOT NULL,
  registered_by     text COLLATE "C" NOT NULL,
  owner_id          text COLLATE "C",
  issued_at         bigint NOT NULL,
  registration_hash text COLLATE "C",
  gone_at           bigint,
  disabled_by_owner smallint NOT NULL
);
CREATE UNIQUE INDEX client_registration ON client (registration_hash) WHERE registration_hash IS NOT NULL;
CREATE INDEX client_gone ON client (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX client_of_owner ON client (owner_id, client_id) WHERE owner_id IS NOT NULL;
CREATE INDEX client_by_registrar ON client (registered_by, client_id);
-- A search must not read whole rows, because self-registration can create hundreds of thousands of apps.
CREATE INDEX client_list ON client (client_id, name, registered_by, verified, enabled, owner_id);
-- Self-registered apps without a consent, oldest first.
CREATE INDEX client_unused ON client (gone_at, client_id)
  WHERE gone_at IS NOT NULL AND (registration_hash IS NOT NULL OR gone_at - issued_at < 31536000);

CREATE TABLE icon (
  client_id text COLLATE "C" PRIMARY KEY REFERENCES client ON DELETE CASCADE,
  png_hash  text NOT NULL,
  png       bytea NOT NULL
);

-- A refresh changes no indexed column, and every page has room for the next version of a row. Both versions then stay
-- on one page, and no index is changed. Every write increases "version". Columns of eight bytes come first, so that no
-- padding is needed.
CREATE TABLE credential (
  consented_at      bigint NOT NULL,
  ends_at           bigint NOT NULL,
  code_expires_at   bigint,
  gone_at           bigint NOT NULL,
  over_at           bigint,
  elevated_until    bigint,
  generation        bigint NOT NULL,
  rotated_at        bigint,
  version           integer NOT NULL DEFAULT 0,
  token_id          text COLLATE "C" PRIMARY KEY,
  client_id         text COLLATE "C" NOT NULL,
  user_id           text COLLATE "C" NOT NULL,
  installation_name text,
  scope             text NOT NULL,
  resources         text,
  state             text COLLATE "C" NOT NULL,
  because           text,
  rotated_from      text,
  code              bytea,
  family            bytea
) WITH (fillfactor = 80);
CREATE INDEX credential_of_account ON credential (user_id, token_id);
CREATE INDEX credential_of_client ON credential (client_id, token_id);
CREATE INDEX credential_gone ON credential (gone_at);

CREATE TABLE device_grant (
  grant_id          text COLLATE "C" PRIMARY KEY,
  device_hash       text NOT NULL,
  user_code_hash    text COLLATE "C" NOT NULL UNIQUE,
  client_id         text COLLATE "C" NOT NULL,
  address           text NOT NULL,
  asked_at          bigint NOT NULL,
  expires_at        bigint NOT NULL,
  purpose           text NOT NULL,
  asked             text,
  installation_name text,
  step_up_token_id  text COLLATE "C",
  step_up_user_id   text COLLATE "C",
  reason            text,
  state             text NOT NULL,
  user_id           text COLLATE "C",
  granted           text,
  answered_at       bigint,
  gone_at           bigint NOT NULL
);
CREATE INDEX device_grant_gone ON device_grant (gone_at);
CREATE INDEX device_grant_approved ON device_grant (user_id) WHERE state = 'approved';

CREATE TABLE factor (
  factor_id     text COLLATE "C" PRIMARY KEY,
  user_id       text COLLATE "C" NOT NULL REFERENCES account ON DELETE CASCADE,
  kind          text NOT NULL,
  name          text NOT NULL,
  added_at      bigint NOT NULL,
  used_at       bigint,
  sealed_secret text,
  used_step     bigint,
  credential_id text COLLATE "C" UNIQUE,
  public_key    text,
  counter       bigint,
  transports    text,
  backed_up     smallint,
  codes         text
);
CREATE INDEX factor_of_account ON factor (user_id, factor_id);
CREATE UNIQUE INDEX factor_recovery ON factor (user_id) WHERE kind = 'recovery';

CREATE TABLE session (
  session_hash text COLLATE "C" PRIMARY KEY,
  user_id      text COLLATE "C" NOT NULL REFERENCES account ON DELETE CASCADE,
  created_at   bigint NOT NULL,
  seen_at      bigint NOT NULL,
  gone_at      bigint NOT NULL,
  address      text NOT NULL,
  user_agent   text NOT NULL,
  proven_at    bigint,
  proven_by    text
);
CREATE INDEX session_of_account ON session (user_id);
CREATE INDEX session_gone ON session (gone_at);

CREATE TABLE known_browser (
  browser_hash text COLLATE "C" NOT NULL,
  user_id      text COLLATE "C" NOT NULL REFERENCES account ON DELETE CASCADE,
  seen_at      bigint NOT NULL,
  PRIMARY KEY (browser_hash, user_id)
);
CREATE INDEX known_browser_of_account ON known_browser (user_id);
CREATE INDEX known_browser_seen ON known_browser (seen_at);

CREATE TABLE code_tries (
  user_id          text COLLATE "C" PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  unknown_failures integer NOT NULL,
  known_failures   integer NOT NULL
);

CREATE TABLE spent_ticket (
  ticket_id text COLLATE "C" PRIMARY KEY,
  spent_at  bigint NOT NULL
);
CREATE INDEX spent_ticket_spent ON spent_ticket (spent_at);

CREATE TABLE setting (
  key   text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE meta (
  key   text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE setup_link (
  only_one  smallint PRIMARY KEY CHECK (only_one = 1),
  link_hash text NOT NULL,
  made_at   bigint NOT NULL
);

CREATE TABLE event (
  id        bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  at        bigint NOT NULL,
  kind      text COLLATE "C" NOT NULL,
  user_id   text COLLATE "C",
  client_id text COLLATE "C",
  token_id  text COLLATE "C",
  actor_id  text COLLATE "C",
  address   text,
  detail    text
);
CREATE INDEX event_of_kind ON event (kind, id);
CREATE INDEX event_at ON event (at);
CREATE INDEX event_of_account ON event (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX event_of_client ON event (client_id, id, kind) WHERE client_id IS NOT NULL;
CREATE INDEX event_of_credential ON event (token_id, id) WHERE token_id IS NOT NULL;
CREATE FUNCTION event_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'an event of the audit trail is never rewritten';
END $$;
CREATE TRIGGER event_stays BEFORE UPDATE ON event FOR EACH ROW EXECUTE FUNCTION event_stays();

-- Rows are sorted by time. A period is therefore read in one piece, and current counts are written at the end.
CREATE TABLE tally (
  grain     text COLLATE "C" NOT NULL,
  at        bigint NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  name      text COLLATE "C" NOT NULL,
  count     bigint NOT NULL,
  PRIMARY KEY (grain, at, client_id, name)
) WITH (fillfactor = 50);
CREATE INDEX tally_of_app ON tally (client_id, at) WHERE client_id <> '';

CREATE TABLE invalidation (
  id  bigint PRIMARY KEY,
  of  text NOT NULL,
  key text COLLATE "C" NOT NULL
);
-- The newest id. A writer locks this row until its commit. A reader that has seen an id has therefore seen all lower
-- ids.
CREATE TABLE invalidation_last (
  only_one smallint PRIMARY KEY CHECK (only_one = 1),
  id       bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO invalidation_last (only_one, id) VALUES (1, 0);

-- The counters that nodes share: windows of the rate limits, and poll intervals. For a poll interval, started_ms is the
-- last poll, and admitted is the number of early polls. granted is the count that the last statement received. The
-- table is unlogged, so counting starts again after a crash.
CREATE UNLOGGED TABLE spent (
  counter    text COLLATE "C" NOT NULL,
  key        text COLLATE "C" NOT NULL,
  started_ms bigint NOT NULL,
  ends_ms    bigint NOT NULL,
  most       integer NOT NULL,
  admitted   integer NOT NULL,
  granted    integer NOT NULL,
  PRIMARY KEY (counter, key)
) WITH (fillfactor = 50);
CREATE INDEX spent_ends ON spent (counter, ends_ms);

-- The keys from which the next refresh tokens are derived. The table is unlogged, so the log, its archive and replicas
-- never contain a key. After a crash the table is empty, and the nodes write their keys again.
CREATE UNLOGGED TABLE rotation_key (
  half_minute bigint PRIMARY KEY,
  key         text NOT NULL
);
`
