/** Adds what credentials know of a sign-in, and the keys that sign id_tokens and JWT access tokens. Of an algorithm, one signs and one may come next. */
export const signingKeys = `
CREATE TABLE signing_key (
  kid            text COLLATE "C" PRIMARY KEY,
  algorithm      text NOT NULL CHECK (algorithm IN ('RS256', 'ES256')),
  state          text NOT NULL CHECK (state IN ('next', 'signing', 'former', 'withdrawn')),
  public_jwk     text NOT NULL,
  sealed_private text,
  made_at        bigint NOT NULL,
  signs_from     bigint NOT NULL,
  ended_at       bigint,
  CHECK ((sealed_private IS NOT NULL) = (state IN ('next', 'signing'))),
  CHECK ((ended_at IS NULL) = (state IN ('next', 'signing')))
);
CREATE UNIQUE INDEX signing_key_next ON signing_key (algorithm) WHERE state = 'next';
CREATE UNIQUE INDEX signing_key_signing ON signing_key (algorithm) WHERE state = 'signing';

ALTER TABLE credential ADD COLUMN openid text;
ALTER TABLE device_grant ADD COLUMN openid text;
`
