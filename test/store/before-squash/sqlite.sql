CREATE TABLE account (
  user_id       TEXT PRIMARY KEY NOT NULL,
  username      TEXT NOT NULL,
  username_key  TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  admin         INTEGER NOT NULL,
  enabled       INTEGER NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE client (
  client_id       TEXT PRIMARY KEY NOT NULL,
  type            TEXT NOT NULL,
  secret_hash     TEXT,
  name            TEXT NOT NULL,
  redirect_uris   TEXT NOT NULL,
  ceiling         TEXT NOT NULL,
  verified        INTEGER NOT NULL,
  step_up         INTEGER NOT NULL,
  resource_server INTEGER NOT NULL,
  enabled         INTEGER NOT NULL,
  registered_by   TEXT NOT NULL,
  owner_id        TEXT,
  issued_at       INTEGER NOT NULL
, registration_hash TEXT, gone_at INTEGER, disabled_by_owner INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE session (
  session_hash TEXT PRIMARY KEY NOT NULL,
  user_id      TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  created_at   INTEGER NOT NULL,
  seen_at      INTEGER NOT NULL,
  gone_at      INTEGER NOT NULL,
  address      TEXT NOT NULL,
  user_agent   TEXT NOT NULL
, proven_at INTEGER, proven_by TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE known_browser (
  browser_hash TEXT NOT NULL,
  user_id      TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  seen_at      INTEGER NOT NULL,
  PRIMARY KEY (browser_hash, user_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE spent_ticket (
  ticket_id TEXT PRIMARY KEY NOT NULL,
  spent_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE setting (
  key   TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE meta (
  key   TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE setup_link (
  only_one  INTEGER PRIMARY KEY CHECK (only_one = 1),
  link_hash TEXT NOT NULL,
  made_at   INTEGER NOT NULL
) STRICT;
CREATE TABLE "event_row" (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  at        INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  user_id   TEXT,
  client_id TEXT,
  token_id  TEXT,
  address   TEXT,
  detail    TEXT
, actor_id TEXT) STRICT;
CREATE TABLE device_grant (
  grant_id          TEXT PRIMARY KEY NOT NULL,
  device_hash       TEXT NOT NULL,
  user_code_hash    TEXT NOT NULL UNIQUE,
  client_id         TEXT NOT NULL,
  address           TEXT NOT NULL,
  asked_at          INTEGER NOT NULL,
  expires_at        INTEGER NOT NULL,
  purpose           TEXT NOT NULL,
  asked             TEXT,
  installation_name TEXT,
  step_up_token_id  TEXT,
  step_up_user_id   TEXT,
  reason            TEXT,
  state             TEXT NOT NULL,
  user_id           TEXT,
  granted           TEXT,
  answered_at       INTEGER
, gone_at INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE factor (
  factor_id     TEXT PRIMARY KEY NOT NULL,
  user_id       TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
  kind          TEXT NOT NULL,
  name          TEXT NOT NULL,
  added_at      INTEGER NOT NULL,
  used_at       INTEGER,
  sealed_secret TEXT,
  used_step     INTEGER,
  credential_id TEXT UNIQUE,
  public_key    TEXT,
  counter       INTEGER,
  transports    TEXT,
  backed_up     INTEGER,
  codes         TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE icon (
  client_id TEXT PRIMARY KEY NOT NULL REFERENCES client ON DELETE CASCADE,
  png_hash  TEXT NOT NULL,
  png       BLOB NOT NULL
) STRICT;
CREATE TABLE tally (
  grain     TEXT NOT NULL,
  at        INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  name      TEXT NOT NULL,
  count     INTEGER NOT NULL,
  PRIMARY KEY (grain, at, client_id, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE invalidation (
  id  INTEGER PRIMARY KEY AUTOINCREMENT,
  of  TEXT NOT NULL,
  key TEXT NOT NULL
) STRICT;
CREATE TABLE name (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id     TEXT NOT NULL UNIQUE,
  gone   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE scope (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  client INTEGER NOT NULL REFERENCES name ON DELETE CASCADE,
  names  TEXT NOT NULL,
  UNIQUE (client, names)
) STRICT;
CREATE TABLE credential_row (
  id                INTEGER PRIMARY KEY,
  token_id          TEXT NOT NULL,
  client            INTEGER NOT NULL,
  account           INTEGER NOT NULL,
  installation_name TEXT,
  scope             ANY NOT NULL,
  resources         TEXT,
  consented_at      INTEGER NOT NULL,
  ends_at           INTEGER NOT NULL,
  code_expires_at   INTEGER,
  gone              INTEGER NOT NULL,
  state             INTEGER NOT NULL,
  over_at           INTEGER,
  because           TEXT,
  elevated_until    INTEGER,
  code              BLOB,
  generation        INTEGER NOT NULL,
  rotated_at        INTEGER,
  rotated_from      TEXT,
  family            BLOB
) STRICT;
CREATE TABLE credential_aside (
  id       INTEGER PRIMARY KEY,
  token_id TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE event_new (
  id        INTEGER PRIMARY KEY,
  at        INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  user_id   TEXT,
  client_id TEXT,
  token_id  TEXT,
  address   TEXT,
  detail    TEXT,
  actor_id  TEXT
) STRICT;
CREATE TABLE code_tries (
  user_id          TEXT PRIMARY KEY NOT NULL REFERENCES account ON DELETE CASCADE,
  unknown_failures INTEGER NOT NULL,
  known_failures   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO account (user_id, username, username_key, password_hash, admin, enabled, created_at) VALUES ('0000000000a000000000000000', 'Ada 0', 'ada 0', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', 0, 1, 1800000000);
INSERT INTO account (user_id, username, username_key, password_hash, admin, enabled, created_at) VALUES ('0000000001a000000000000001', 'Öde', 'öde', '$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA', 0, 0, 1800000000);
INSERT INTO account (user_id, username, username_key, password_hash, admin, enabled, created_at) VALUES ('01mcc5rm0066m0zxaerzwr3m1x', 'ada', 'ada', '$argon2id$v=19$m=19456,t=2,p=1$FHg30XalEdt4lTMU+p2AXQ$W9zUbuX5aOtJJ7d9symgzGjX21lWdZwR5VQYaFF9SiY', 1, 1, 1800000000);
INSERT INTO account (user_id, username, username_key, password_hash, admin, enabled, created_at) VALUES ('01mcc5rm01nsp0r8zs474t8pny', 'bob', 'bob', '$argon2id$v=19$m=19456,t=2,p=1$AMSsen8pVT0lJ0oPCaIfug$CQh6XByntL+31TjM82Y7YPOd/O99i5skrKZAkMa4eUw', 0, 1, 1800000000);
INSERT INTO account (user_id, username, username_key, password_hash, admin, enabled, created_at) VALUES ('01mcc5rm0262vch2n3z0a7qzt0', 'carol', 'carol', '$argon2id$v=19$m=19456,t=2,p=1$yDFqq3DHuZeossKWWhVqAw$O8+p/t1UF4FoBU7EqpFCEH+KGSdR78Zgxjexh5hZF8M', 0, 1, 1800000000);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('01mcc5rnygmaehr1c1xw6xvxzk', 'public', NULL, 'Paperclip', '["http://127.0.0.1/callback","https://app.example/callback"]', 'account:read credentials:read files:write', 0, 1, 0, 1, 'administrator', NULL, 1800000002, NULL, NULL, 0);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('01mcc5rnyhbkgammggphhe9ck9', 'confidential', 'tosqNl0BCKskI61HGuiHnAWR1SktDGTQFtQdXmmxkVU', 'Server', '["https://app.example/callback"]', 'account:read files:write', 0, 0, 0, 1, 'administrator', '01mcc5rm01nsp0r8zs474t8pny', 1800000002, NULL, NULL, 0);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('01mcc5rnyj6ek3jmybd1jbbwsa', 'confidential', '-hDIEEjeP6ZYMVUhdAEZfzoZv59Hrx4RhcYABq7Pj0c', 'Files', '[]', '', 0, 0, 1, 1, 'administrator', NULL, 1800000002, NULL, NULL, 0);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('01mcc5rnyke7fzmc69npmgv7mt', 'public', NULL, 'Paper tool', '["http://127.0.0.1/callback","https://app.example/callback"]', 'account:read account:write credentials:read credentials:write apps:read apps:write workers:read files:read files:write', 0, 0, 0, 1, 'itself', NULL, 1800000002, NULL, 1839312030, 0);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('01mcc5sh9n5ezf2qg8fqbycf0q', 'public', NULL, 'Unused', '["https://app.example/callback"]', 'account:read account:write credentials:read credentials:write apps:read apps:write workers:read files:read files:write', 0, 0, 0, 1, 'itself', NULL, 1800000030, '9B_Bv1EUuz-u-0mh8R7zAqW8j3mPWmLCHkP1MP6rmWU', 1807776030, 0);
INSERT INTO client (client_id, type, secret_hash, name, redirect_uris, ceiling, verified, step_up, resource_server, enabled, registered_by, owner_id, issued_at, registration_hash, gone_at, disabled_by_owner) VALUES ('0000000000c000000000000000', 'public', NULL, 'Häusliche App', '["http://127.0.0.1/callback","app.example:/back"]', 'account:read apps:read', 0, 0, 0, 1, 'administrator', NULL, 1800000000, NULL, NULL, 0);
INSERT INTO session (session_hash, user_id, created_at, seen_at, gone_at, address, user_agent, proven_at, proven_by) VALUES ('bDLyRAQZujK4AtFnZ_tBNhWrxMPHGZMU-tNJAhiHTPE', '01mcc5rm0066m0zxaerzwr3m1x', 1800000002, 1800000002, 1801267200, '127.0.0.1', 'node', 1800000002, 'password');
INSERT INTO session (session_hash, user_id, created_at, seen_at, gone_at, address, user_agent, proven_at, proven_by) VALUES ('sE3aVtDmjUsVGoiiKMch6LYIetalX6KI6Q-UdnD2TxQ', '01mcc5rm01nsp0r8zs474t8pny', 1800000002, 1800000002, 1801267200, '127.0.0.1', 'node', 1800000002, 'password');
INSERT INTO session (session_hash, user_id, created_at, seen_at, gone_at, address, user_agent, proven_at, proven_by) VALUES ('session0___________________________________', '0000000000a000000000000000', 1800000000, 1800000000, 1801267200, '192.0.2.7', CAST(x'5c4e205c2e200920746162200a206c696e65200d0a205c74202271756f74656422202773696e676c6527203b202d2d20e29c9320f09f91a9e2808df09f9a8020c3a4cc8120f48fbfbf20080b0c017f' AS TEXT), NULL, NULL);
INSERT INTO session (session_hash, user_id, created_at, seen_at, gone_at, address, user_agent, proven_at, proven_by) VALUES ('session1___________________________________', '0000000000a000000000000000', 1800000000, 1800000000, 1801267200, '192.0.2.7', 'A browser', 1800000033, 'password');
INSERT INTO known_browser (browser_hash, user_id, seen_at) VALUES ('PoC95FFfgV-CLPcB3rfBAJyvUODdfXGCs-hwF0k_B44', '01mcc5rm0066m0zxaerzwr3m1x', 1800000002);
INSERT INTO known_browser (browser_hash, user_id, seen_at) VALUES ('xSAYFPGMEb1FXRHrKz2lm3LlSytVcZ8FpKKH3t7L6no', '01mcc5rm01nsp0r8zs474t8pny', 1800000002);
INSERT INTO known_browser (browser_hash, user_id, seen_at) VALUES ('browser____________________________________', '0000000000a000000000000000', 1800000033);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5rnyp9jvkrkqj5qmc94ed', 1800000002);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5rnyqv7vdw7b7s91t6sbx', 1800000002);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5sh9gjtk1ttkayjex9571', 1800000030);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5sh9k8dv1a4et6pxr6nh9', 1800000030);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5sh9mtrk72w5cvez4cnk7', 1800000030);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5sh9pdfm4tx9cstrbbybx', 1800000030);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('01mcc5sh9qpx0ecw54k3w0sj41', 1800000030);
INSERT INTO spent_ticket (ticket_id, spent_at) VALUES ('0000000000t000000000000000', 1800000033);
INSERT INTO setting (key, value) VALUES ('registration.open', 'on');
INSERT INTO setting (key, value) VALUES ('registration.permissions', '*');
INSERT INTO meta (key, value) VALUES ('believed_time', '1800000000 ');
INSERT INTO setup_link (only_one, link_hash, made_at) VALUES (1, 'link_______________________________________', 1800000033);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (1, 1800000000, 'account-added', '01mcc5rm0066m0zxaerzwr3m1x', NULL, NULL, NULL, 'administrator', NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (2, 1800000000, 'account-added', '01mcc5rm01nsp0r8zs474t8pny', NULL, NULL, NULL, NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (3, 1800000000, 'account-added', '01mcc5rm0262vch2n3z0a7qzt0', NULL, NULL, NULL, NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (4, 1800000000, 'factor-added', '01mcc5rm0262vch2n3z0a7qzt0', NULL, NULL, NULL, 'totp: Authenticator app', NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (5, 1800000000, 'setting-changed', NULL, NULL, NULL, NULL, 'registration.open = on', NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (6, 1800000001, 'setting-changed', NULL, NULL, NULL, NULL, 'registration.permissions = *', NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (7, 1800000002, 'app-registered', NULL, '01mcc5rnygmaehr1c1xw6xvxzk', NULL, NULL, NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (8, 1800000002, 'app-registered', '01mcc5rm01nsp0r8zs474t8pny', '01mcc5rnyhbkgammggphhe9ck9', NULL, NULL, NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (9, 1800000002, 'app-registered', NULL, '01mcc5rnyj6ek3jmybd1jbbwsa', NULL, NULL, NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (10, 1800000002, 'app-registered', NULL, '01mcc5rnyke7fzmc69npmgv7mt', NULL, '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (11, 1800000002, 'signed-in', '01mcc5rm0066m0zxaerzwr3m1x', NULL, NULL, '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (12, 1800000002, 'signed-in', '01mcc5rm01nsp0r8zs474t8pny', NULL, NULL, '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (13, 1800000002, 'consented', '01mcc5rm0066m0zxaerzwr3m1x', '01mcc5rnygmaehr1c1xw6xvxzk', '01mcc5rnyp9jvkrkqj5qmc94ed', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (14, 1800000002, 'code-exchanged', '01mcc5rm0066m0zxaerzwr3m1x', '01mcc5rnygmaehr1c1xw6xvxzk', '01mcc5rnyp9jvkrkqj5qmc94ed', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (15, 1800000002, 'consented', '01mcc5rm01nsp0r8zs474t8pny', '01mcc5rnyhbkgammggphhe9ck9', '01mcc5rnyqv7vdw7b7s91t6sbx', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (16, 1800000002, 'code-exchanged', '01mcc5rm01nsp0r8zs474t8pny', '01mcc5rnyhbkgammggphhe9ck9', '01mcc5rnyqv7vdw7b7s91t6sbx', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (17, 1800000030, 'consented', '01mcc5rm01nsp0r8zs474t8pny', '01mcc5rnygmaehr1c1xw6xvxzk', '01mcc5sh9gjtk1ttkayjex9571', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (18, 1800000030, 'code-exchanged', '01mcc5rm01nsp0r8zs474t8pny', '01mcc5rnygmaehr1c1xw6xvxzk', '01mcc5sh9gjtk1ttkayjex9571', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (19, 1800000030, 'elevated', '01mcc5rm01nsp0r8zs474t8pny', '01mcc5rnygmaehr1c1xw6xvxzk', '01mcc5sh9gjtk1ttkayjex9571', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (20, 1800000030, 'consented', '01mcc5rm0066m0zxaerzwr3m1x', '01mcc5rnyke7fzmc69npmgv7mt', '01mcc5sh9k8dv1a4et6pxr6nh9', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (21, 1800000030, 'code-exchanged', '01mcc5rm0066m0zxaerzwr3m1x', '01mcc5rnyke7fzmc69npmgv7mt', '01mcc5sh9k8dv1a4et6pxr6nh9', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (22, 1800000030, 'consented', '01mcc5rm0066m0zxaerzwr3m1x', '01mcc5rnygmaehr1c1xw6xvxzk', '01mcc5sh9mtrk72w5cvez4cnk7', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (23, 1800000030, 'code-exchanged', '01mcc5rm0066m0zxaerzwr3m1x', '01mcc5rnygmaehr1c1xw6xvxzk', '01mcc5sh9mtrk72w5cvez4cnk7', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (24, 1800000030, 'credential-revoked', '01mcc5rm0066m0zxaerzwr3m1x', '01mcc5rnygmaehr1c1xw6xvxzk', '01mcc5sh9mtrk72w5cvez4cnk7', '127.0.0.1', 'app', NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (25, 1800000030, 'app-registered', NULL, '01mcc5sh9n5ezf2qg8fqbycf0q', NULL, '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (26, 1800000030, 'consented', '01mcc5rm0066m0zxaerzwr3m1x', '01mcc5rnygmaehr1c1xw6xvxzk', '01mcc5sh9pdfm4tx9cstrbbybx', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (27, 1800000030, 'consented', '01mcc5rm0066m0zxaerzwr3m1x', '01mcc5rnygmaehr1c1xw6xvxzk', '01mcc5sh9qpx0ecw54k3w0sj41', '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (28, 1800000030, 'device-approved', '01mcc5rm0066m0zxaerzwr3m1x', '01mcc5rnygmaehr1c1xw6xvxzk', NULL, '127.0.0.1', NULL, NULL);
INSERT INTO event_row (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (29, 1800000030, 'device-refused', '01mcc5rm0066m0zxaerzwr3m1x', '01mcc5rnygmaehr1c1xw6xvxzk', NULL, '127.0.0.1', NULL, NULL);
INSERT INTO device_grant (grant_id, device_hash, user_code_hash, client_id, address, asked_at, expires_at, purpose, asked, installation_name, step_up_token_id, step_up_user_id, reason, state, user_id, granted, answered_at, gone_at) VALUES ('01mcc5sh9hy5ga6h1affb2w3g7', 'ZyCTKu8Rz-pn4Pj87-oc3tXLPtDgc3fTWwD2uPGva70', 'y0djH0y-Ntp84R3slV4OGjBHYrdCgcWlTJPP65NM_G0', '01mcc5rnygmaehr1c1xw6xvxzk', '127.0.0.1', 1800000030, 1800000630, 'step-up', NULL, NULL, '01mcc5sh9gjtk1ttkayjex9571', '01mcc5rm01nsp0r8zs474t8pny', NULL, 'approved', '01mcc5rm01nsp0r8zs474t8pny', '', 1800000030, 1800605430);
INSERT INTO device_grant (grant_id, device_hash, user_code_hash, client_id, address, asked_at, expires_at, purpose, asked, installation_name, step_up_token_id, step_up_user_id, reason, state, user_id, granted, answered_at, gone_at) VALUES ('01mcc5sh9rbq81hx4mmfmwrv2c', 'orjTwpRO8mEXrQ6z-x8dO31luOSN0NQkmVookyBTqPU', 'vf-KBIDIfWU1vH7hvl6DH3S_zedPmEnFpWwT9OOWn0I', '01mcc5rnygmaehr1c1xw6xvxzk', '127.0.0.1', 1800000030, 1800000630, 'access', 'account:read credentials:read workers:read files:read files:write', NULL, NULL, NULL, NULL, 'pending', NULL, NULL, NULL, 1800004230);
INSERT INTO device_grant (grant_id, device_hash, user_code_hash, client_id, address, asked_at, expires_at, purpose, asked, installation_name, step_up_token_id, step_up_user_id, reason, state, user_id, granted, answered_at, gone_at) VALUES ('01mcc5sh9s7grw7yhd53d4yqs4', 'gS7c8MOCqDJIwoSKi1yUUnEGQmj-5b8pIwtDfpo45Wk', 'sKKkmAnJTob0PgndWyJzkyy3jCSj9Z3ZoQQsDwh0b1s', '01mcc5rnygmaehr1c1xw6xvxzk', '127.0.0.1', 1800000030, 1800000630, 'access', 'account:read credentials:read workers:read files:read files:write', NULL, NULL, NULL, NULL, 'approved', '01mcc5rm0066m0zxaerzwr3m1x', 'account:read credentials:read workers:read files:read files:write', 1800000030, 1800605430);
INSERT INTO device_grant (grant_id, device_hash, user_code_hash, client_id, address, asked_at, expires_at, purpose, asked, installation_name, step_up_token_id, step_up_user_id, reason, state, user_id, granted, answered_at, gone_at) VALUES ('01mcc5sh9vb8gk4v55v3hfvkw9', 'N0gPw3COHrFZ7p7488uerS7D6-FUAUbX0aZ-6fuUKRA', '9Ba2ZaKKwVD8Nj_L31Vdo3akA4JMOWGX-eQvAl0t-EE', '01mcc5rnygmaehr1c1xw6xvxzk', '127.0.0.1', 1800000030, 1800000630, 'access', 'account:read credentials:read workers:read files:read files:write', NULL, NULL, NULL, NULL, 'denied', '01mcc5rm0066m0zxaerzwr3m1x', NULL, 1800000030, 1800086430);
INSERT INTO factor (factor_id, user_id, kind, name, added_at, used_at, sealed_secret, used_step, credential_id, public_key, counter, transports, backed_up, codes) VALUES ('0000000001f000000000000001', '0000000000a000000000000000', 'passkey', 'Häusliches 1', 1800000000, NULL, NULL, NULL, 'credential', 'publicKey', 0, 'usb nfc', 0, NULL);
INSERT INTO factor (factor_id, user_id, kind, name, added_at, used_at, sealed_secret, used_step, credential_id, public_key, counter, transports, backed_up, codes) VALUES ('0000000002f000000000000002', '0000000000a000000000000000', 'recovery', 'Häusliches 2', 1800000000, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'one________________________________________ two________________________________________');
INSERT INTO factor (factor_id, user_id, kind, name, added_at, used_at, sealed_secret, used_step, credential_id, public_key, counter, transports, backed_up, codes) VALUES ('01mcc5rm0381ah4ckwmen0jse8', '01mcc5rm0262vch2n3z0a7qzt0', 'totp', 'Authenticator app', 1800000000, NULL, '9DNnHiT2iOv5opZUf7z_T447sYLgQ8_sWQuV9PNdlZcnOcHsSpDu2qnkuxVqAaIpp3g7ZabVYN_GXEZf', 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO icon (client_id, png_hash, png) VALUES ('0000000000c000000000000000', 'icon_______________________________________', x'89504e470d0a1a0a000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff');
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '0000000000c000000000000000', 'credential.issued', 3);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygmaehr1c1xw6xvxzk', 'app.registered', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygmaehr1c1xw6xvxzk', 'consent.granted', 5);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygmaehr1c1xw6xvxzk', 'credential.issued', 3);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygmaehr1c1xw6xvxzk', 'credential.revoked', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygmaehr1c1xw6xvxzk', 'device.approved', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygmaehr1c1xw6xvxzk', 'device.asked', 3);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygmaehr1c1xw6xvxzk', 'device.refused', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygmaehr1c1xw6xvxzk', 'step-up.asked', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnygmaehr1c1xw6xvxzk', 'step-up.proven', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyhbkgammggphhe9ck9', 'app.registered', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyhbkgammggphhe9ck9', 'consent.granted', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyhbkgammggphhe9ck9', 'credential.issued', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyhbkgammggphhe9ck9', 'credential.refreshed', 4);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyj6ek3jmybd1jbbwsa', 'app.registered', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyke7fzmc69npmgv7mt', 'app.registered', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyke7fzmc69npmgv7mt', 'consent.granted', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5rnyke7fzmc69npmgv7mt', 'credential.issued', 1);
INSERT INTO tally (grain, at, client_id, name, count) VALUES ('day', 1799971200, '01mcc5sh9n5ezf2qg8fqbycf0q', 'app.registered', 1);
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
INSERT INTO invalidation (id, of, key) VALUES (1, 'client', '01mcc5rnyke7fzmc69npmgv7mt');
INSERT INTO invalidation (id, of, key) VALUES (2, 'credential', '01mcc5sh9mtrk72w5cvez4cnk7');
INSERT INTO invalidation (id, of, key) VALUES (3, 'client', '0000000001c000000000000001');
INSERT INTO name (number, id, gone) VALUES (1, '01mcc5rnygmaehr1c1xw6xvxzk', 0);
INSERT INTO name (number, id, gone) VALUES (2, '01mcc5rm0066m0zxaerzwr3m1x', 0);
INSERT INTO name (number, id, gone) VALUES (3, '01mcc5rnyhbkgammggphhe9ck9', 0);
INSERT INTO name (number, id, gone) VALUES (4, '01mcc5rm01nsp0r8zs474t8pny', 0);
INSERT INTO name (number, id, gone) VALUES (5, '01mcc5rnyke7fzmc69npmgv7mt', 0);
INSERT INTO name (number, id, gone) VALUES (6, '0000000000c000000000000000', 0);
INSERT INTO name (number, id, gone) VALUES (7, '0000000000a000000000000000', 0);
INSERT INTO scope (number, client, names) VALUES (1, 1, 'account:read credentials:read workers:read files:read files:write');
INSERT INTO scope (number, client, names) VALUES (2, 3, 'account:read workers:read files:read');
INSERT INTO scope (number, client, names) VALUES (3, 5, 'account:read account:write credentials:read credentials:write apps:read apps:write workers:read files:read files:write');
INSERT INTO scope (number, client, names) VALUES (4, 6, 'account:read');
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family) VALUES (52, '0000000000t000000000000000', 6, 7, NULL, 4, NULL, 1800000000, 1831536000, 1800000600, 20841, 0, NULL, NULL, NULL, x'04000072875effffffffffffffffffffffffffffffffffffffffffffffffffffffffffc07216a595e9e07bffffffffffffffffffffffffffffffffffffffffffffffffffc0687474703a2f2f3132372e302e302e313a35313233342f63616c6c6261636b', 0, NULL, NULL, x'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family) VALUES (117, '0000000001t000000000000001', 6, 7, 'Häusliches Gerät', 4, NULL, 1800000000, 1831536000, 1800000600, 20931, 1, NULL, NULL, NULL, x'04100072875effffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0', 1, 1800000000, '192.0.2.7', x'04100072eaeb7a7b7fffffffffffffffffffffffffffffffffffffffffffffffffffffc00e47b269c71eb2cfffffffffffffffffffffffffffffffffffffffffffffffffffffffc006b49d20006b49e010');
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family) VALUES (182, '0000000002t000000000000002', 6, 7, NULL, 4, NULL, 1800000000, 1831536000, 1800000600, 20841, 2, 1800000033, 'app', NULL, x'04100072875effffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0', 1, 1800000000, '192.0.2.7', x'04100072eaeb7a7b7fffffffffffffffffffffffffffffffffffffffffffffffffffffc00e47b269c71eb2cfffffffffffffffffffffffffffffffffffffffffffffffffffffffc006b49d20006b49e010');
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family) VALUES (247, '0000000003t000000000000003', 6, 7, NULL, 4, NULL, 1800000000, 1831536000, 1800000600, 20841, 3, 1800000033, 'code-expired', NULL, x'04000072875effffffffffffffffffffffffffffffffffffffffffffffffffffffffffc07216a595e9e07bffffffffffffffffffffffffffffffffffffffffffffffffffc0687474703a2f2f3132372e302e302e313a35313233342f63616c6c6261636b', 0, NULL, NULL, NULL);
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family) VALUES (117964800131481, '01mcc5rnyp9jvkrkqj5qmc94ed', 1, 2, NULL, 1, NULL, 1800000002, 1831536002, 1800000602, 20931, 1, NULL, NULL, NULL, x'04100082bddf6c47e5235ee758dd1be779215e09ef96f1cc0085f1e2d434107069cc9600', 1, 1800000002, '127.0.0.1', x'04100044b6b57d67ab7bcad7ac93cde515d77831c64bd44d59643db338ffde7caee5740059e9057fee987f04a29174479c0443c870000fb39a06733869ac0a6f15261063592917b5301899bb9d458103b67a9e6597020006b49d20206b49e012');
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family) VALUES (117964800131582, '01mcc5rnyqv7vdw7b7s91t6sbx', 3, 4, NULL, 2, NULL, 1800000002, 1831536002, 1800000602, 20931, 1, NULL, NULL, NULL, x'041000d4fa3c4c40d46a715a62f8316192fd45126fa2a2ea98fd6ba92d857688daa1b500', 5, 1800000030, '127.0.0.1', x'04510169db8d0f9e67dadde702dfd917f233aa34829741be86558a1f6ea2bf0b3460c80058bd1ef358b8c13e3b5764297ce59f28e80094365b007b49beee47ac01962ef05dc276d6a600e3df4709bb839aa23f7626fd0000000000000000406b49d21e00000000306b49d21700000000206b49d21000000000106b49d2098d27ba75781a7a9e881cad8fd62b2285340db9e52089e30f053cc169a334e2fc0006b49d21e06b49e02e7a0ebe665a7ee76618c516d4fcac3e6f0ff6e9ed631d0bf037ae70bbdcacebc40106b49d21706b49e0272c6c96706a31f4e5a5efd2c13c65a2ae9f8229f93c3291c4a16bf82345cfaeeb0006b49d21006b49e020ce83e7506fe455e8204476d7ebb05d386acb1bd4828c46b155185f5bb7e5f35d0006b49d20906b49e0192b1da7957eb22f4d6f6c051f0309a2d072be42baa59d9a3f8354b757b5b9cb2d0006b49d20206b49e0126163636f756e743a726561640a');
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family) VALUES (117964801966118, '01mcc5sh9gjtk1ttkayjex9571', 1, 4, NULL, 1, NULL, 1800000030, 1831536030, 1800000630, 20931, 1, NULL, NULL, 1800000930, x'0410004cfc38ac0b33b803289b8ad38c744177a4150a061d4928877fd174b8a64357cb00', 1, 1800000030, '127.0.0.1', x'041000eb16ce092ea2256cdaa0c394ba9bd5f8409b19bc7aeabcc1d7a0a71f0bb50fe700596959f4a8f943f768f4045a30b9c13d10005cf6d48580cd7990a15dcd6703224a8f32711549f0e998bf89b4ce0780a9c23e0006b49d21e06b49e02e');
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family) VALUES (117964801966292, '01mcc5sh9k8dv1a4et6pxr6nh9', 5, 2, NULL, 3, NULL, 1800000030, 1831536030, 1800000630, 20931, 1, NULL, NULL, NULL, x'041000337da48a19a1834ea6bfbc3d24bffb7ac538af4dd34daf3cfaf53740c369995300', 1, 1800000030, '127.0.0.1', x'041000f07c111c9577d64a5b320294dd771d578c0ebdfb5e6c8b82575a5005dbecd599005b5a59cbfbf09c818411e4fa3b0d925d5000626532a4b764dd057126b50a4e506817a53776035de1c0a100f1cedd8b9e5ee10006b49d21e06b49e02e');
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family) VALUES (117964801966394, '01mcc5sh9mtrk72w5cvez4cnk7', 1, 2, NULL, 1, NULL, 1800000030, 1831536030, 1800000630, 20841, 2, 1800000030, 'app', NULL, x'04100078ccb8305d364ba7ef39974989691f2e7423c7e5be48f414073c478386fd914700', 1, 1800000030, '127.0.0.1', x'0410009d23a6c8890841a77e2ad0824aa97d5b61052157d5bcd1eb3cdd6a91c2e8ecec005b44fff12c9b8fba8b50ce7f04d262e85c000150996fdb152b41553f2b914d3294a0870b962146b8e9250ee4b2d6602702cc0006b49d21e06b49e02e');
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family) VALUES (117964801966497, '01mcc5sh9pdfm4tx9cstrbbybx', 1, 2, NULL, 1, NULL, 1800000030, 1831536030, 1800000630, 20841, 0, NULL, NULL, NULL, x'040000536eb060b6118cb8068f0be4a28c105771aaffba62a46e5d8b3fa4a54745db840032e066616389cfdee972ad7b78a91f004cf5434cead025fb98814ed13fc402fc0068747470733a2f2f6170702e6578616d706c652f63616c6c6261636b', 0, NULL, NULL, x'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO credential_row (id, token_id, client, account, installation_name, scope, resources, consented_at, ends_at, code_expires_at, gone, state, over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family) VALUES (117964801966581, '01mcc5sh9qpx0ecw54k3w0sj41', 1, 2, NULL, 1, NULL, 1800000030, 1831536030, 1800000630, 20841, 0, NULL, NULL, NULL, x'040000a8c0b98abf1391cf44f8a9439087f6cc26c7a9c2e0b4ebe472d746b590bcfa89005f379fde37d0b586d70ecca51b24ae89e0070e0f2df2d578a2f995e2574bb13d0068747470733a2f2f6170702e6578616d706c652f63616c6c6261636b', 0, NULL, NULL, x'0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (30, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, CAST(x'5c4e205c2e200920746162200a206c696e65200d0a205c74202271756f74656422202773696e676c6527203b202d2d20e29c9320f09f91a9e2808df09f9a8020c3a4cc8120f48fbfbf20080b0c017f' AS TEXT), NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (31, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '1', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (32, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '2', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (33, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '3', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (34, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '4', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (35, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '5', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (36, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '6', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (37, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '7', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (38, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '8', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (39, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '9', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (40, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '10', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (41, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '11', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (42, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '12', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (43, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '13', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (44, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '14', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (45, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '15', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (46, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '16', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (47, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '17', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (48, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '18', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (49, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '19', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (50, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '20', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (51, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '21', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (52, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '22', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (53, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '23', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (54, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '24', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (55, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '25', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (56, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '26', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (57, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '27', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (58, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '28', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (59, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '29', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (60, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '30', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (61, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '31', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (62, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '32', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (63, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '33', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (64, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '34', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (65, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '35', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (66, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '36', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (67, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '37', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (68, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '38', NULL);
INSERT INTO event_new (id, at, kind, user_id, client_id, token_id, address, detail, actor_id) VALUES (69, 1800000033, 'signed-in', '0000000000a000000000000000', NULL, NULL, NULL, '39', NULL);
INSERT INTO code_tries (user_id, unknown_failures, known_failures) VALUES ('0000000000a000000000000000', 100, 3);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES ('name', 7);
INSERT INTO sqlite_sequence VALUES ('scope', 4);
INSERT INTO sqlite_sequence VALUES ('invalidation', 3);
INSERT INTO sqlite_sequence VALUES ('event_row', 29);
CREATE INDEX account_administrator ON account (enabled) WHERE admin = 1;
CREATE INDEX session_of_account ON session (user_id);
CREATE INDEX session_gone ON session (gone_at);
CREATE INDEX known_browser_of_account ON known_browser (user_id);
CREATE INDEX known_browser_seen ON known_browser (seen_at);
CREATE INDEX spent_ticket_spent ON spent_ticket (spent_at);
CREATE INDEX event_of_kind ON "event_row" (kind);
CREATE INDEX event_at ON "event_row" (at);
CREATE INDEX device_grant_approved ON device_grant (user_id) WHERE state = 'approved';
CREATE INDEX factor_of_account ON factor (user_id, factor_id);
CREATE UNIQUE INDEX factor_recovery ON factor (user_id) WHERE kind = 'recovery';
CREATE UNIQUE INDEX client_registration ON client (registration_hash) WHERE registration_hash IS NOT NULL;
CREATE INDEX client_gone ON client (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX client_of_owner ON client (owner_id, client_id) WHERE owner_id IS NOT NULL;
CREATE INDEX client_by_registrar ON client (registered_by, client_id);
CREATE INDEX client_list ON client (client_id, name, registered_by, verified, enabled, owner_id);
CREATE INDEX event_of_client ON "event_row" (client_id, id, kind) WHERE client_id IS NOT NULL;
CREATE INDEX event_of_credential ON "event_row" (token_id) WHERE token_id IS NOT NULL;
CREATE TRIGGER event_stays BEFORE UPDATE ON "event_row" BEGIN
  SELECT RAISE(ABORT, 'an event of the audit trail is never rewritten');
END;
CREATE INDEX tally_of_app ON tally (client_id, at) WHERE client_id <> '';
CREATE INDEX credential_of_account ON credential_row (account);
CREATE INDEX credential_of_client ON credential_row (client);
CREATE INDEX credential_gone ON credential_row (gone);
CREATE TRIGGER account_unnamed AFTER DELETE ON account BEGIN
  UPDATE name SET gone = 1 WHERE id = OLD.user_id;
  DELETE FROM name WHERE id = OLD.user_id AND NOT EXISTS (SELECT 1 FROM credential_row WHERE account = number);
END;
CREATE TRIGGER client_unnamed AFTER DELETE ON client BEGIN
  UPDATE name SET gone = 1 WHERE id = OLD.client_id;
  DELETE FROM name WHERE id = OLD.client_id AND NOT EXISTS (SELECT 1 FROM credential_row WHERE client = number);
END;
CREATE TRIGGER credential_unnamed AFTER DELETE ON credential_row BEGIN
  DELETE FROM credential_aside WHERE id = OLD.id;
  DELETE FROM name WHERE number IN (OLD.account, OLD.client) AND gone = 1
    AND NOT EXISTS (SELECT 1 FROM credential_row WHERE account = number)
    AND NOT EXISTS (SELECT 1 FROM credential_row WHERE client = number);
END;
CREATE VIEW credential AS SELECT
  credential_row.id AS id, token_id,
  (SELECT name.id FROM name WHERE number = client) AS client_id,
  (SELECT name.id FROM name WHERE number = account) AS user_id,
  installation_name,
  CASE typeof(scope) WHEN 'integer' THEN (SELECT names FROM scope WHERE number = credential_row.scope) ELSE scope END
    AS scope,
  resources, consented_at, ends_at, code_expires_at, gone * 86400 AS gone_at,
  CASE state WHEN 0 THEN 'issued' WHEN 1 THEN 'active' WHEN 2 THEN 'revoked' WHEN 3 THEN 'ended' ELSE state END AS state,
  over_at, because, elevated_until, code, generation, rotated_at, rotated_from, family
FROM credential_row;
CREATE INDEX event_of_account ON event_row (id / 8192, user_id) WHERE user_id IS NOT NULL;
CREATE TRIGGER event_new_stays BEFORE UPDATE ON event_new BEGIN
  SELECT RAISE(ABORT, 'an event of the audit trail is never rewritten');
END;
CREATE VIEW event AS
  SELECT id, at, kind, user_id, client_id, token_id, actor_id, address, detail FROM event_row
  UNION ALL
  SELECT id, at, kind, user_id, client_id, token_id, actor_id, address, detail FROM event_new;
CREATE INDEX device_grant_gone ON device_grant (gone_at);
CREATE INDEX client_unused ON client (gone_at, client_id)
  WHERE gone_at IS NOT NULL AND (registration_hash IS NOT NULL OR gone_at - issued_at < 31536000);
PRAGMA user_version = 12;
