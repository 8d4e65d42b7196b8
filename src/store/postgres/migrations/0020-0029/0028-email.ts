/** Adds e-mail addresses of accounts, one-time links, and the outbox. */
export const email = `
CREATE TABLE email (
  user_id     text COLLATE "C" PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  address     text NOT NULL,
  address_key text COLLATE "C" NOT NULL UNIQUE,
  verified_at bigint NOT NULL
);

CREATE TABLE one_time_link (
  link_hash       text COLLATE "C" PRIMARY KEY,
  user_id         text COLLATE "C" NOT NULL REFERENCES account ON DELETE CASCADE,
  purpose         text NOT NULL CHECK (purpose IN ('confirm-address', 'restore-address', 'recover', 'recover-by-hand')),
  address         text,
  password_digest text,
  made_at         bigint NOT NULL,
  expires_at      bigint NOT NULL
);
CREATE INDEX one_time_link_account ON one_time_link (user_id);
CREATE INDEX one_time_link_expires ON one_time_link (expires_at);

CREATE TABLE outbox (
  mail_id         text COLLATE "C" PRIMARY KEY,
  user_id         text COLLATE "C" NOT NULL REFERENCES account ON DELETE CASCADE,
  address         text,
  kind            text NOT NULL,
  client_id       text,
  redirect_host   text,
  network_address text,
  sealed_link     text,
  queued_at       bigint NOT NULL,
  expires_at      bigint NOT NULL,
  tries           bigint NOT NULL,
  next_try_at     bigint,
  problem         text,
  gone_at         bigint NOT NULL,
  CHECK ((address IS NULL) = (next_try_at IS NULL)),
  CHECK (sealed_link IS NULL OR next_try_at IS NOT NULL)
);
CREATE INDEX outbox_next ON outbox (next_try_at) WHERE next_try_at IS NOT NULL;
CREATE INDEX outbox_link ON outbox (next_try_at) WHERE sealed_link IS NOT NULL;
CREATE INDEX outbox_account ON outbox (user_id);
CREATE INDEX outbox_gone ON outbox (gone_at);
`
