
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
  disabled_by_owner smallint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX client_registration ON client (registration_hash) WHERE registration_hash IS NOT NULL;
CREATE INDEX client_gone ON client (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX client_of_owner ON client (owner_id, client_id) WHERE owner_id IS NOT NULL;
CREATE INDEX client_by_registrar ON client (registered_by, client_id);
-- Anybody may register apps where that is open: a search must not read the whole rows of hundreds of thousands.
CREATE INDEX client_list ON client (client_id, name, registered_by, verified, enabled, owner_id);

CREATE TABLE icon (
  client_id text COLLATE "C" PRIMARY KEY REFERENCES client ON DELETE CASCADE,
  png_hash  text NOT NULL,
  png       bytea NOT NULL
);

-- A refresh changes no indexed column, and a page keeps room for the row's next version: both stay on one page, and no
-- index is touched. Every write raises "version". What is as wide as a word stands first: nothing is padded.
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
  answered_at       bigint
);
CREATE INDEX device_grant_expires ON device_grant (expires_at);
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

-- In the order of time: a span is read in one piece, and what is counted now is written at the end.
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
-- The number of the newest. Whoever writes one holds this row until the commit: a reader that has seen a number has
-- seen all before it.
CREATE TABLE invalidation_last (
  only_one smallint PRIMARY KEY CHECK (only_one = 1),
  id       bigint NOT NULL
) WITH (fillfactor = 10);
INSERT INTO invalidation_last (only_one, id) VALUES (1, 0);

-- What nodes count together: windows of the budget and of guesses, and how fast machines poll (a pace has its last poll in
-- started_ms and its early ones in admitted). granted is what the last statement was given of what it asked for. Not worth
-- a log: a server that crashed begins anew.
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


ALTER TABLE device_grant ADD COLUMN gone_at bigint NOT NULL DEFAULT extract(epoch FROM now())::bigint + 4200;
UPDATE device_grant SET gone_at = CASE state
  WHEN 'denied' THEN answered_at + 86400
  WHEN 'redeemed' THEN answered_at + 604800
  WHEN 'approved' THEN answered_at + 605400
  ELSE expires_at + 3600
END;
DROP INDEX device_grant_expires;
CREATE INDEX device_grant_gone ON device_grant (gone_at);


CREATE UNLOGGED TABLE rotation_key (
  half_minute bigint PRIMARY KEY,
  key         text NOT NULL
);

-- The bytes of a counted text in a packed family: its length is in the upper six bits of its first byte.
CREATE FUNCTION pg_temp.counted_bytes(family bytea, place integer) RETURNS integer LANGUAGE sql IMMUTABLE AS
  'SELECT (((get_byte(family, place) >> 2) + 4) & ~3) * 3 / 4';
CREATE FUNCTION pg_temp.without_nonce(family bytea, place integer) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT overlay(family PLACING
    set_byte(decode(repeat('00', pg_temp.counted_bytes(family, place)), 'hex'), 0, get_byte(family, place) & 252)
    FROM place + 1 FOR pg_temp.counted_bytes(family, place))
$$;
-- Head (3 bytes), digest (33), key, digest of the retired token (33), nonce. docs/storage.md
UPDATE credential SET version = version + 1,
  family = pg_temp.without_nonce(family, 36 + pg_temp.counted_bytes(family, 36) + 33)
WHERE family IS NOT NULL AND length(family) > 36 AND get_byte(family, 0) = 4 AND get_byte(family, 2) & 1 = 1;


CREATE INDEX client_unused ON client (gone_at, client_id)
  WHERE gone_at IS NOT NULL AND (registration_hash IS NOT NULL OR gone_at - issued_at < 31536000);


CREATE TABLE code_tries (
  user_id          text COLLATE "C" PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  unknown_failures integer NOT NULL,
  known_failures   integer NOT NULL
);
CREATE TABLE schema_version (version integer NOT NULL);
DELETE FROM invalidation_last;
INSERT INTO account (user_id, username, username_key, password_hash, admin, enabled, created_at) VALUES ('01mcc5rm00t6d79z2kt8wb637y', 'ada', 'ada', '$argon2id$v=19$m=19456,t=2,p=1$VODZYDQlzAEZtHGnOiy7gw$z8fAJub8P39C/+VQk+wFNZHPdb642L/JkHWoTnMcmZY', 1, 1, 1800000000);
INSERT INTO account (user_id, username, username_key, password_hash, admin, enabled, created_at) VALUES ('01mcc5rm01wwpj3pxcxp5g33gz', 'bob', 'bob', '$argon2id$v=19$m=19456,t=2,p=1$uKSCxTVWlybMKa7pVMzJTQ$oB/4Zn4+wN51Hc89gAv4vIZK8aswBcVc3IU2npL7Cfw', 0, 1, 1800000000);
INSERT INTO account (user_id, username, username_key, password_hash, admin, enabled, created_at) VALUES ('01mcc5rm02h25778ffcyva1ptq', 'carol', 'carol', '$argon2id$v=19$m=19456,t=2,p=1$sODIHCmtZ5VWBL/i9zTpqg$XY7NzS9DKRRquuSRussGx7sqKiJggtDeNdB/GGNP6GE', 0, 1, 1800000000);
INSERT INTO account (user_id, username, username_key, password_hash, admin, enabled, created_at) VALUES ('0000000000a000000000000000', 'Ada 0', 'ada 0', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', 0, 1, 1800000000);
INSERT INTO account (user_id, username, username_key, password_hash, admin, enabled, created_at) VALUES ('0000000001a000000000000001', 'Öde', 'öde', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', 0, 0, 1800000000);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('01mcc5rnygpwzcvhbwnpd9xdx6', 'public', NULL, 'Paperclip', '["http://127.0.0.1/callback","https://app.example/callback"]', 'account:read credentials:read files:write', 0, 1, 0, 1, 'administrator', NULL, 1800000002, NULL, NULL, 0);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('01mcc5rnyh1bwq5edsprcn24gt', 'confidential', 'tZ2KkbMt2iMxYi0zp_6o04KsU6iHf7vdjA1eDuLhupU', 'Server', '["https://app.example/callback"]', 'account:read files:write', 0, 0, 0, 1, 'administrator', '01mcc5rm01wwpj3pxcxp5g33gz', 1800000002, NULL, NULL, 0);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('01mcc5rnyjaeky2qzdqhkk9kga', 'confidential', 'V7olv-l706S1MZeuyJiK7Bpm8k0Gtj6AWLuiaoU4EtQ', 'Files', '[]', '', 0, 0, 1, 1, 'administrator', NULL, 1800000002, NULL, NULL, 0);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('01mcc5rnyke2vj1e79yzqn77qk', 'public', NULL, 'Paper tool', '["http://127.0.0.1/callback","https://app.example/callback"]', 'account:read account:write credentials:read credentials:write apps:read apps:write workers:read files:read files:write', 0, 0, 0, 1, 'itself', NULL, 1800000002, NULL, 1839312030, 0);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('01mcc5sh9nxmjfg0rjmp9qfkpp', 'public', NULL, 'Unused', '["https://app.example/callback"]', 'account:read account:write credentials:read credentials:write apps:read apps:write workers:read files:read files:write', 0, 0, 0, 1, 'itself', NULL, 1800000030, '9B_Bv1EUuz-u-0mh8R7zAqW8j3mPWmLCHkP1MP6rmWU', 1807776030, 0);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('0000000000c000000000000000', 'public', NULL, 'Häusliche App', '["http://127.0.0.1/callback","app.example:/back"]', 'account:read apps:read', 0, 0, 0, 1, 'administrator', NULL, 1800000000, NULL, NULL, 0);
INSERT INTO icon (client_id, png_hash, png) VALUES ('0000000000c000000000000000', 'icon_______________________________________', '\x89504e470d0a1a0a000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff');
INSERT INTO credential (consented_at, ends_at, code_expires_at, gone_at, over_at, elevated_until, generation, rotated_at, version, token_id, client_id, user_id, installation_name, scope, resources, state, because, rotated_from, code, family) VALUES (1800000002, 1831536002, 1800000602, 1808438400, NULL, NULL, 1, 1800000002, 1, '01mcc5rnypehseqhsmcba3pnsq', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5rm00t6d79z2kt8wb637y', NULL, 'account:read credentials:read workers:read files:read files:write', NULL, 'active', NULL, '127.0.0.1', '\x041000e710a6d2815c3395cad9074682cff71cabcaa20177baa614f829d890e1b8cb9600', '\x0410005f94cd7c248208c4fc6cfc249f265d398da51df6c33eacc4864bcaeb723a22550058dc559590fdeccce3d0226822f315f1d000225e00851de63c3e66df47c4eaa49505fbd4dec5ab64ae32b7acdbfdf74eeda20006b49d20206b49e012');
INSERT INTO credential (consented_at, ends_at, code_expires_at, gone_at, over_at, elevated_until, generation, rotated_at, version, token_id, client_id, user_id, installation_name, scope, resources, state, because, rotated_from, code, family) VALUES (1800000002, 1831536002, 1800000602, 1808438400, NULL, NULL, 5, 1800000030, 5, '01mcc5rnyqbkkt90vma1x1na1h', '01mcc5rnyh1bwq5edsprcn24gt', '01mcc5rm01wwpj3pxcxp5g33gz', NULL, 'account:read workers:read files:read', NULL, 'active', NULL, '127.0.0.1', '\x0410008d390db9e42f88dee472c208cafb71a688992028676407a441de79ab35dd2f0300', '\x045101841cfff54d3ac3453362f10ccbfd06146ab149178e472c9efdb693bbb8567626005af2b67412abbd9a3c6095fc5c2ec029f800dd4f179bef39a75fdbfe6dfaccdd0d1599d78d86585ef0868c202484add259f60000000000000000406b49d21e00000000306b49d21700000000206b49d21000000000106b49d209afb309e7c9c507f55c56de3aaab601bcb50a114ac1b8d14d6841d4395974654c0006b49d21e06b49e02ee5b4a763d6bbd310759fe82772730e757ce481317797c3dafdd71452894ad7d20106b49d21706b49e027426a1cfefa169061c6e195aba08d386bcc8010e7824b64eebd82bcb37ff942d40006b49d21006b49e020a71f08d5df0b6c50f4f45d9e6058133a0e79404c5c704564aa45f8f193513cf70006b49d20906b49e01958a505d43622fef78298a82a4b24657eecd1057672a6e79b332c333d68ac2fa90006b49d20206b49e0126163636f756e743a726561640a');
INSERT INTO credential (consented_at, ends_at, code_expires_at, gone_at, over_at, elevated_until, generation, rotated_at, version, token_id, client_id, user_id, installation_name, scope, resources, state, because, rotated_from, code, family) VALUES (1800000030, 1831536030, 1800000630, 1808438400, NULL, 1800000930, 1, 1800000030, 2, '01mcc5sh9g9fgsv2kj3w8n4dv2', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5rm01wwpj3pxcxp5g33gz', NULL, 'account:read credentials:read workers:read files:read files:write', NULL, 'active', NULL, '127.0.0.1', '\x0410008581993169aa787798dd9413a3393502cb96492a16c40e6c8bbf62a4257fe1bc00', '\x04100065622d57483ccf5c2f74a71d3b449c5a9e72e1d1574b5c269984fe765125dc9b005a0fb06e883296d7bbf343ee449cc61144002211ebe20d06641f574068cb238ab86536eb0d48cf2a367fd7bc6ca793dda0740006b49d21e06b49e02e');
INSERT INTO credential (consented_at, ends_at, code_expires_at, gone_at, over_at, elevated_until, generation, rotated_at, version, token_id, client_id, user_id, installation_name, scope, resources, state, because, rotated_from, code, family) VALUES (1800000030, 1831536030, 1800000630, 1808438400, NULL, NULL, 1, 1800000030, 1, '01mcc5sh9kj295h74hwd0mc36t', '01mcc5rnyke2vj1e79yzqn77qk', '01mcc5rm00t6d79z2kt8wb637y', NULL, 'account:read account:write credentials:read credentials:write apps:read apps:write workers:read files:read files:write', NULL, 'active', NULL, '127.0.0.1', '\x041000609fdccb412dfd8310c7d62b85fd2ba5e1067391c66ef75d469b0a0e209169d300', '\x0410005c743cfdb3e8e82f654e139a6107890b9699ca28ea93d8da6bdb2e96fffd4d27005aeb529e16e4889e4cf9ee278baeccf1600019f679ad12e54d0357857fa4173caefc2f1b36354d1d023bef9ca3e8350bc1cf0006b49d21e06b49e02e');
INSERT INTO credential (consented_at, ends_at, code_expires_at, gone_at, over_at, elevated_until, generation, rotated_at, version, token_id, client_id, user_id, installation_name, scope, resources, state, because, rotated_from, code, family) VALUES (1800000030, 1831536030, 1800000630, 1800662400, 1800000030, NULL, 1, 1800000030, 2, '01mcc5sh9m18f58qjmr4fh36jf', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5rm00t6d79z2kt8wb637y', NULL, 'account:read credentials:read workers:read files:read files:write', NULL, 'revoked', 'app', '127.0.0.1', '\x041000a333237bf645e74e0b65f374985d3c1680b870ab40b82730e8b56db870a3809600', '\x041000642bba0d830f08a55198730fbb3a9972604c3700e7d9b94748bdd8e002ce65630059178341f28fbfa62ece2fc6ac3b94a1f80092d04c7c7d4b0b10666b89fa6ef80fca472ce90a98df623e4c13a20c697124630006b49d21e06b49e02e');
INSERT INTO credential (consented_at, ends_at, code_expires_at, gone_at, over_at, elevated_until, generation, rotated_at, version, token_id, client_id, user_id, installation_name, scope, resources, state, because, rotated_from, code, family) VALUES (1800000030, 1831536030, 1800000630, 1800662400, NULL, NULL, 0, NULL, 0, '01mcc5sh9ptjezctzxrxx7v3yr', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5rm00t6d79z2kt8wb637y', NULL, 'account:read credentials:read workers:read files:read files:write', NULL, 'issued', NULL, NULL, '\x040000c431a11d0fd6650542b66be56c64936214be9d17406cdb7ad768172d0758791500355ccb99163dd6de6a1f779c0f56a9e8c4c907a5db76708a9f2a22747b88b6890068747470733a2f2f6170702e6578616d706c652f63616c6c6261636b', NULL);
INSERT INTO credential (consented_at, ends_at, code_expires_at, gone_at, over_at, elevated_until, generation, rotated_at, version, token_id, client_id, user_id, installation_name, scope, resources, state, because, rotated_from, code, family) VALUES (1800000030, 1831536030, 1800000630, 1800662400, NULL, NULL, 0, NULL, 0, '01mcc5sh9qsjgs8y7ctqkq2239', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5rm00t6d79z2kt8wb637y', NULL, 'account:read credentials:read workers:read files:read files:write', NULL, 'issued', NULL, NULL, '\x04000034664bfd9140570a80e66ce3e8c931bf75864d2b853e43a872a9c9668672e8f500aa0b27b8bbc4b6cd44a4fafc64f207bf508d0b014f82d02ea74033e3f357c5430068747470733a2f2f6170702e6578616d706c652f63616c6c6261636b', NULL);
INSERT INTO credential (consented_at, ends_at, code_expires_at, gone_at, over_at, elevated_until, generation, rotated_at, version, token_id, client_id, user_id, installation_name, scope, resources, state, because, rotated_from, code, family) VALUES (1800000000, 1831536000, 1800000600, 1800662400, NULL, NULL, 0, NULL, 0, '0000000000t000000000000000', '0000000000c000000000000000', '0000000000a000000000000000', NULL, 'account:read', NULL, 'issued', NULL, NULL, '\x04000072875effffffffffffffffffffffffffffffffffffffffffffffffffffffffffc07216a595e9e07bffffffffffffffffffffffffffffffffffffffffffffffffffc0687474703a2f2f3132372e302e302e313a35313233342f63616c6c6261636b', NULL);
INSERT INTO credential (consented_at, ends_at, code_expires_at, gone_at, over_at, elevated_until, generation, rotated_at, version, token_id, client_id, user_id, installation_name, scope, resources, state, because, rotated_from, code, family) VALUES (1800000000, 1831536000, 1800000600, 1808438400, NULL, NULL, 1, 1800000000, 0, '0000000001t000000000000001', '0000000000c000000000000000', '0000000000a000000000000000', 'Häusliches Gerät', 'account:read', NULL, 'active', NULL, '192.0.2.7', '\x04100072875effffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0', '\x04100072eaeb7a7b7fffffffffffffffffffffffffffffffffffffffffffffffffffffc00e47b269c71eb2cfffffffffffffffffffffffffffffffffffffffffffffffffffffffc006b49d20006b49e010');
INSERT INTO credential (consented_at, ends_at, code_expires_at, gone_at, over_at, elevated_until, generation, rotated_at, version, token_id, client_id, user_id, installation_name, scope, resources, state, because, rotated_from, code, family) VALUES (1800000000, 1831536000, 1800000600, 1800662400, 1800000033, NULL, 1, 1800000000, 0, '0000000002t000000000000002', '0000000000c000000000000000', '0000000000a000000000000000', NULL, 'account:read', NULL, 'revoked', 'app', '192.0.2.7', '\x04100072875effffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0', '\x04100072eaeb7a7b7fffffffffffffffffffffffffffffffffffffffffffffffffffffc00e47b269c71eb2cfffffffffffffffffffffffffffffffffffffffffffffffffffffffc006b49d20006b49e010');
INSERT INTO credential (consented_at, ends_at, code_expires_at, gone_at, over_at, elevated_until, generation, rotated_at, version, token_id, client_id, user_id, installation_name, scope, resources, state, because, rotated_from, code, family) VALUES (1800000000, 1831536000, 1800000600, 1800662400, 1800000033, NULL, 0, NULL, 0, '0000000003t000000000000003', '0000000000c000000000000000', '0000000000a000000000000000', NULL, 'account:read', NULL, 'ended', 'code-expired', NULL, '\x04000072875effffffffffffffffffffffffffffffffffffffffffffffffffffffffffc07216a595e9e07bffffffffffffffffffffffffffffffffffffffffffffffffffc0687474703a2f2f3132372e302e302e313a35313233342f63616c6c6261636b', NULL);
INSERT INTO device_grant (grant_id, device_hash, user_code_hash, client_id, address, asked_at, expires_at, purpose, asked, installation_name, step_up_token_id, step_up_user_id, reason, state, user_id, granted, answered_at, gone_at) VALUES ('01mcc5sh9hs5vdhjbqkz0p9ker', 'LQpeFaKVywZb3EIkl54sWazRSrvVEueaEY-dMAXvEOs', 'JGYJDdTaghn0QaaMgdyG4sHAiF9rI61ogyrS2aDa4YM', '01mcc5rnygpwzcvhbwnpd9xdx6', '127.0.0.1', 1800000030, 1800000630, 'step-up', NULL, NULL, '01mcc5sh9g9fgsv2kj3w8n4dv2', '01mcc5rm01wwpj3pxcxp5g33gz', NULL, 'approved', '01mcc5rm01wwpj3pxcxp5g33gz', '', 1800000030, 1800605430);
INSERT INTO device_grant (grant_id, device_hash, user_code_hash, client_id, address, asked_at, expires_at, purpose, asked, installation_name, step_up_token_id, step_up_user_id, reason, state, user_id, granted, answered_at, gone_at) VALUES ('01mcc5sh9rge6j5kgd4h0s0vy2', '7tub2WKOrAnQu-5xSOAjSGpFgCFLM_BfYOB-B4sTO9s', 'H1Ar36xIhMKc3CYP47IabqJNb16gIY_RbroW29TPzLI', '01mcc5rnygpwzcvhbwnpd9xdx6', '127.0.0.1', 1800000030, 1800000630, 'access', 'account:read credentials:read workers:read files:read files:write', NULL, NULL, NULL, NULL, 'pending', NULL, NULL, NULL, 1800004230);
INSERT INTO device_grant (grant_id, device_hash, user_code_hash, client_id, address, asked_at, expires_at, purpose, asked, installation_name, step_up_token_id, step_up_user_id, reason, state, user_id, granted, answered_at, gone_at) VALUES ('01mcc5sh9s4yfxs9efkq0qfwjb', 'm1zu0LRj5CWzund9IySNXG0QlKpW2xnKdLc-977muos', 'fHD6gF3jLitBsTTKzHWaDFKDSHcQ6KMkKL4p99H6sLA', '01mcc5rnygpwzcvhbwnpd9xdx6', '127.0.0.1', 1800000030, 1800000630, 'access', 'account:read credentials:read workers:read files:read files:write', NULL, NULL, NULL, NULL, 'approved', '01mcc5rm00t6d79z2kt8wb637y', 'account:read credentials:read workers:read files:read files:write', 1800000030, 1800605430);
INSERT INTO device_grant (grant_id, device_hash, user_code_hash, client_id, address, asked_at, expires_at, purpose, asked, installation_name, step_up_token_id, step_up_user_id, reason, state, user_id, granted, answered_at, gone_at) VALUES ('01mcc5sh9v2ratv6txbhvgzjky', 'cPGgEikTAEuaG_JuUOR6NTAu6kejfTZubrWaaTYZKSU', 'hESELAqOSZASBr79K_k-9KDRg1DBS2UrebwpXhppeBA', '01mcc5rnygpwzcvhbwnpd9xdx6', '127.0.0.1', 1800000030, 1800000630, 'access', 'account:read credentials:read workers:read files:read files:write', NULL, NULL, NULL, NULL, 'denied', '01mcc5rm00t6d79z2kt8wb637y', NULL, 1800000030, 1800086430);
INSERT INTO factor (factor_id, user_id, kind, name, added_at, used_at, sealed_secret, used_step, credential_id, public_key, counter, transports, backed_up, codes) VALUES ('01mcc5rm030hjte6w2fee12f13', '01mcc5rm02h25778ffcyva1ptq', 'totp', 'Authenticator app', 1800000000, NULL, 'Y96RobYKndk0yE6Bgwh8i9yljWa3owLPnK5CCBhKZeDfSWK8RJrzMPZGv0gEKNjU58Pqd2rTd33sn5Bz', 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO factor (factor_id, user_id, kind, name, added_at, used_at, sealed_secret, used_step, credential_id, public_key, counter, transports, backed_up, codes) VALUES ('0000000001f000000000000001', '0000000000a000000000000000', 'passkey', 'Häusliches 1', 1800000000, NULL, NULL, NULL, 'credential', 'publicKey', 0, 'usb nfc', 0, NULL);
INSERT INTO factor (factor_id, user_id, kind, name, added_at, used_at, sealed_secret, used_step, credential_id, public_key, counter, transports, backed_up, codes) VALUES ('0000000002f000000000000002', '0000000000a000000000000000', 'recovery', 'Häusliches 2', 1800000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'one________________________________________ two________________________________________');
INSERT INTO code_tries (user_id, unknown_failures, known_failures) VALUES ('0000000000a000000000000000', 100, 3);
INSERT INTO session (session_hash, user_id, created_at, seen_at, gone_at, address, user_agent, proven_at, proven_by) VALUES ('sAlJLrT-ITXWbBkNvEqWr2XKAuqyQqMjiJW30R1oZq8', '01mcc5rm00t6d79z2kt8wb637y', 1800000002, 1800000002, 1801267200, '127.0.0.1', 'node', 1800000002, 'password');
INSERT INTO session (session_hash, user_id, created_at, seen_at, gone_at, address, user_agent, proven_at, proven_by) VALUES ('0i66EJEaNcE-veDGAPcseJg08LJQkBTxmmOJZvWbck8', '01mcc5rm01wwpj3pxcxp5g33gz', 1800000002, 1800000002, 1801267200, '127.0.0.1', 'node', 1800000002, 'password');
INSERT INTO session (session_hash, user_id, created_at, seen_at, gone_at, address, user_agent, proven_at, proven_by) VALUES ('session0___________________________________', '0000000000a000000000000000', 1800000000, 1800000000, 1801267200, '192.0.2.7', convert_from('\x5c4e205c2e200920746162200a206c696e65200d0a205c74202271756f74656422202773696e676c6527203b202d2d20e29c9320f09f91a9e2808df09f9a8020c3a4cc8120f48fbfbf20080b0c017f', 'UTF8'), NULL, NULL);
INSERT INTO session (session_hash, user_id, created_at, seen_at, gone_at, address, user_agent, proven_at, proven_by) VALUES ('session1___________________________________', '0000000000a000000000000000', 1800000000, 1800000000, 1801267200, '192.0.2.7', 'A browser', 1800000033, 'password');
INSERT INTO known_browser (browser_hash, user_id, seen_at) VALUES ('j4ORpDIOM-DQDuKUX1ItP49OhhrTB7F91l3ZJQ1Wjyw', '01mcc5rm00t6d79z2kt8wb637y', 1800000002);
INSERT INTO known_browser (browser_hash, user_id, seen_at) VALUES ('DJO5VSLDhiiEerxd9Eyx0CmWTvZaAKlZ1o7Ere0Mw-0', '01mcc5rm01wwpj3pxcxp5g33gz', 1800000002);
INSERT INTO known_browser (browser_hash, user_id, seen_at) VALUES ('browser____________________________________', '0000000000a000000000000000', 1800000033);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5rnypehseqhsmcba3pnsq', 1800000002);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5rnyqbkkt90vma1x1na1h', 1800000002);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5sh9g9fgsv2kj3w8n4dv2', 1800000030);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5sh9kj295h74hwd0mc36t', 1800000030);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5sh9m18f58qjmr4fh36jf', 1800000030);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5sh9ptjezctzxrxx7v3yr', 1800000030);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5sh9qsjgs8y7ctqkq2239', 1800000030);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('0000000000t000000000000000', 1800000033);
INSERT INTO setting (key, value) VALUES ('registration.open', 'on');
INSERT INTO setting (key, value) VALUES ('registration.permissions', '*');
INSERT INTO meta (key, value) VALUES ('believed_time', '1795453979 ');
INSERT INTO setup_link (only_one, link_hash, made_at) VALUES (1, 'link_______________________________________', 1800000033);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (1, 1800000000, 'account-added', '01mcc5rm00t6d79z2kt8wb637y', NULL, NULL, NULL, NULL, 'administrator');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (2, 1800000000, 'account-added', '01mcc5rm01wwpj3pxcxp5g33gz', NULL, NULL, NULL, NULL, NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (3, 1800000000, 'account-added', '01mcc5rm02h25778ffcyva1ptq', NULL, NULL, NULL, NULL, NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (4, 1800000000, 'factor-added', '01mcc5rm02h25778ffcyva1ptq', NULL, NULL, NULL, NULL, 'totp: Authenticator app');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (5, 1800000000, 'setting-changed', NULL, NULL, NULL, NULL, NULL, 'registration.open = on');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (6, 1800000001, 'setting-changed', NULL, NULL, NULL, NULL, NULL, 'registration.permissions = *');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (7, 1800000002, 'app-registered', NULL, '01mcc5rnygpwzcvhbwnpd9xdx6', NULL, NULL, NULL, NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (8, 1800000002, 'app-registered', '01mcc5rm01wwpj3pxcxp5g33gz', '01mcc5rnyh1bwq5edsprcn24gt', NULL, NULL, NULL, NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (9, 1800000002, 'app-registered', NULL, '01mcc5rnyjaeky2qzdqhkk9kga', NULL, NULL, NULL, NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (10, 1800000002, 'app-registered', NULL, '01mcc5rnyke2vj1e79yzqn77qk', NULL, NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (11, 1800000002, 'signed-in', '01mcc5rm00t6d79z2kt8wb637y', NULL, NULL, NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (12, 1800000002, 'signed-in', '01mcc5rm01wwpj3pxcxp5g33gz', NULL, NULL, NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (13, 1800000002, 'consented', '01mcc5rm00t6d79z2kt8wb637y', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5rnypehseqhsmcba3pnsq', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (14, 1800000002, 'code-exchanged', '01mcc5rm00t6d79z2kt8wb637y', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5rnypehseqhsmcba3pnsq', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (15, 1800000002, 'consented', '01mcc5rm01wwpj3pxcxp5g33gz', '01mcc5rnyh1bwq5edsprcn24gt', '01mcc5rnyqbkkt90vma1x1na1h', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (16, 1800000002, 'code-exchanged', '01mcc5rm01wwpj3pxcxp5g33gz', '01mcc5rnyh1bwq5edsprcn24gt', '01mcc5rnyqbkkt90vma1x1na1h', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (17, 1800000030, 'consented', '01mcc5rm01wwpj3pxcxp5g33gz', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5sh9g9fgsv2kj3w8n4dv2', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (18, 1800000030, 'code-exchanged', '01mcc5rm01wwpj3pxcxp5g33gz', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5sh9g9fgsv2kj3w8n4dv2', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (19, 1800000030, 'elevated', '01mcc5rm01wwpj3pxcxp5g33gz', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5sh9g9fgsv2kj3w8n4dv2', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (20, 1800000030, 'consented', '01mcc5rm00t6d79z2kt8wb637y', '01mcc5rnyke2vj1e79yzqn77qk', '01mcc5sh9kj295h74hwd0mc36t', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (21, 1800000030, 'code-exchanged', '01mcc5rm00t6d79z2kt8wb637y', '01mcc5rnyke2vj1e79yzqn77qk', '01mcc5sh9kj295h74hwd0mc36t', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (22, 1800000030, 'consented', '01mcc5rm00t6d79z2kt8wb637y', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5sh9m18f58qjmr4fh36jf', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (23, 1800000030, 'code-exchanged', '01mcc5rm00t6d79z2kt8wb637y', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5sh9m18f58qjmr4fh36jf', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (24, 1800000030, 'credential-revoked', '01mcc5rm00t6d79z2kt8wb637y', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5sh9m18f58qjmr4fh36jf', NULL, '127.0.0.1', 'app');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (25, 1800000030, 'app-registered', NULL, '01mcc5sh9nxmjfg0rjmp9qfkpp', NULL, NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (26, 1800000030, 'consented', '01mcc5rm00t6d79z2kt8wb637y', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5sh9ptjezctzxrxx7v3yr', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (27, 1800000030, 'consented', '01mcc5rm00t6d79z2kt8wb637y', '01mcc5rnygpwzcvhbwnpd9xdx6', '01mcc5sh9qsjgs8y7ctqkq2239', NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (28, 1800000030, 'device-approved', '01mcc5rm00t6d79z2kt8wb637y', '01mcc5rnygpwzcvhbwnpd9xdx6', NULL, NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (29, 1800000030, 'device-refused', '01mcc5rm00t6d79z2kt8wb637y', '01mcc5rnygpwzcvhbwnpd9xdx6', NULL, NULL, '127.0.0.1', NULL);
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (30, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, convert_from('\x5c4e205c2e200920746162200a206c696e65200d0a205c74202271756f74656422202773696e676c6527203b202d2d20e29c9320f09f91a9e2808df09f9a8020c3a4cc8120f48fbfbf20080b0c017f', 'UTF8'));
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (31, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '1');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (32, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '2');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (33, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '3');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (34, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '4');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (35, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '5');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (36, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '6');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (37, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '7');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (38, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '8');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (39, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '9');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (40, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '10');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (41, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '11');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (42, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '12');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (43, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '13');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (44, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '14');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (45, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '15');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (46, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '16');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (47, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '17');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (48, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '18');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (49, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '19');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (50, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '20');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (51, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '21');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (52, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '22');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (53, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '23');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (54, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '24');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (55, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '25');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (56, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '26');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (57, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '27');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (58, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '28');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (59, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '29');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (60, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '30');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (61, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '31');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (62, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '32');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (63, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '33');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (64, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '34');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (65, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '35');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (66, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '36');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (67, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '37');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (68, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '38');
INSERT INTO event (id, at, kind, user_id, client_id, token_id, actor_id, address, detail) VALUES (69, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, NULL, '39');
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '0000000000c000000000000000', 'credential.issued', 3);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygpwzcvhbwnpd9xdx6', 'app.registered', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygpwzcvhbwnpd9xdx6', 'consent.granted', 5);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygpwzcvhbwnpd9xdx6', 'credential.issued', 3);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygpwzcvhbwnpd9xdx6', 'credential.revoked', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygpwzcvhbwnpd9xdx6', 'device.approved', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygpwzcvhbwnpd9xdx6', 'device.asked', 3);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygpwzcvhbwnpd9xdx6', 'device.refused', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygpwzcvhbwnpd9xdx6', 'step-up.asked', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygpwzcvhbwnpd9xdx6', 'step-up.proven', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyh1bwq5edsprcn24gt', 'app.registered', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyh1bwq5edsprcn24gt', 'consent.granted', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyh1bwq5edsprcn24gt', 'credential.issued', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyh1bwq5edsprcn24gt', 'credential.refreshed', 4);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyjaeky2qzdqhkk9kga', 'app.registered', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyke2vj1e79yzqn77qk', 'app.registered', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyke2vj1e79yzqn77qk', 'consent.granted', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyke2vj1e79yzqn77qk', 'credential.issued', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5sh9nxmjfg0rjmp9qfkpp', 'app.registered', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('hour', 1800000000, '', 'app.registered', 5);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('hour', 1800000000, '', 'consent.granted', 7);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('hour', 1800000000, '', 'credential.issued', 8);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('hour', 1800000000, '', 'credential.refreshed', 4);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('hour', 1800000000, '', 'credential.revoked', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('hour', 1800000000, '', 'device.approved', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('hour', 1800000000, '', 'device.asked', 3);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('hour', 1800000000, '', 'device.refused', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('hour', 1800000000, '', 'sign-in.done', 2);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('hour', 1800000000, '', 'step-up.asked', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('hour', 1800000000, '', 'step-up.proven', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('minute', 1800000000, '', 'app.registered', 5);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('minute', 1800000000, '', 'consent.granted', 7);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('minute', 1800000000, '', 'credential.issued', 8);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('minute', 1800000000, '', 'credential.refreshed', 4);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('minute', 1800000000, '', 'credential.revoked', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('minute', 1800000000, '', 'device.approved', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('minute', 1800000000, '', 'device.asked', 3);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('minute', 1800000000, '', 'device.refused', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('minute', 1800000000, '', 'sign-in.done', 2);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('minute', 1800000000, '', 'step-up.asked', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('minute', 1800000000, '', 'step-up.proven', 1);
INSERT INTO invalidation (id, of, key) VALUES (1, 'client', '01mcc5rnyke2vj1e79yzqn77qk');
INSERT INTO invalidation (id, of, key) VALUES (2, 'credential', '01mcc5sh9m18f58qjmr4fh36jf');
INSERT INTO invalidation (id, of, key) VALUES (3, 'client', '0000000001c000000000000001');
INSERT INTO invalidation_last (only_one, id) VALUES (1, 3);
INSERT INTO spent (counter, key, started_ms, ends_ms, most, admitted, granted) VALUES ('guesses', 'sign-in account ada', 3000, 603000, 10, 0, 0);
INSERT INTO spent (counter, key, started_ms, ends_ms, most, admitted, granted) VALUES ('guesses', 'user code account 01mcc5rm00t6d79z2kt8wb637y', 31000, 631000, 5, 0, 0);
INSERT INTO spent (counter, key, started_ms, ends_ms, most, admitted, granted) VALUES ('guesses', 'user code address 127.0.0.1', 31000, 631000, 10, 0, 0);
INSERT INTO spent (counter, key, started_ms, ends_ms, most, admitted, granted) VALUES ('guesses', 'sign-in account bob', 3000, 603000, 10, 0, 0);
INSERT INTO spent (counter, key, started_ms, ends_ms, most, admitted, granted) VALUES ('guesses', 'sign-in address 127.0.0.1', 3000, 603000, 30, 0, 0);
INSERT INTO spent (counter, key, started_ms, ends_ms, most, admitted, granted) VALUES ('guesses', 'user code account 01mcc5rm01wwpj3pxcxp5g33gz', 31000, 631000, 5, 0, 0);
INSERT INTO spent (counter, key, started_ms, ends_ms, most, admitted, granted) VALUES ('guesses', 'factor password 01mcc5rm01wwpj3pxcxp5g33gz', 31000, 631000, 10, 0, 1);
INSERT INTO spent (counter, key, started_ms, ends_ms, most, admitted, granted) VALUES ('budget', '600/60 127.0.0.1', 3000, 63000, 600, 16, 1);
INSERT INTO rotation_key (half_minute, key) VALUES (60000000, 'j9NEJdNVvalynD3LafOQzuwDwuyp8GGpMr5CNAUMS6M');
INSERT INTO rotation_key (half_minute, key) VALUES (60000001, 'gCUtnVTJ2-0-MAlzSnXU3_PlIZJghkMEnHVvpTA9avM');
INSERT INTO rotation_key (half_minute, key) VALUES (60000002, 'QJ2w9RE3B3s6hqcoJUq9C2hpMHftDp43Dv_rb-99mU8');
INSERT INTO schema_version (version) VALUES (5);
SELECT setval('event_id_seq', 69);
