/** The schema of version 20: tables, and the rules that PostgreSQL checks in them. */
import { tables } from "./0020-tables.ts"

export const constraints = `
ALTER TABLE account
  ADD CHECK (admin IN (0, 1) AND enabled IN (0, 1));

ALTER TABLE client
  ADD CHECK (type IN ('public', 'confidential')),
  ADD CHECK (verified IN (0, 1) AND step_up IN (0, 1) AND resource_server IN (0, 1) AND enabled IN (0, 1)
    AND disabled_by_owner IN (0, 1)),
  ADD CHECK ((type = 'confidential') = (secret_hash IS NOT NULL)),
  ADD CHECK (resource_server = 0 OR type = 'confidential'),
  ADD CHECK (disabled_by_owner = 0 OR enabled = 0),
  ADD CHECK (registration_hash IS NULL OR gone_at IS NOT NULL),
  ADD FOREIGN KEY (owner_id) REFERENCES account ON DELETE SET NULL;

ALTER TABLE icon
  ADD CHECK (substr(png, 1, 8) = decode('89504e470d0a1a0a', 'hex'));

ALTER TABLE credential
  ADD CHECK (scope <> ''),
  ADD CHECK ((code IS NULL) = (code_expires_at IS NULL)),
  ADD CHECK (CASE state
    WHEN 'issued' THEN over_at IS NULL AND because IS NULL AND generation = 0
    WHEN 'active' THEN over_at IS NULL AND because IS NULL AND generation >= 1
    WHEN 'revoked' THEN over_at IS NOT NULL AND because IS NOT NULL AND generation >= 0
    WHEN 'ended' THEN over_at IS NOT NULL AND because IS NOT NULL AND generation >= 0
    ELSE false END),
  ADD CHECK (elevated_until IS NULL OR state = 'active'),
  ADD CHECK (CASE WHEN generation = 0 THEN rotated_at IS NULL AND rotated_from IS NULL AND family IS NULL
    ELSE rotated_at IS NOT NULL AND family IS NOT NULL END);

ALTER TABLE device_grant
  ADD CHECK (asked <> ''),
  ADD CHECK (CASE purpose
    WHEN 'access' THEN asked IS NOT NULL
      AND step_up_token_id IS NULL AND step_up_user_id IS NULL AND reason IS NULL
    WHEN 'step-up' THEN step_up_token_id IS NOT NULL AND step_up_user_id IS NOT NULL
      AND asked IS NULL AND installation_name IS NULL
    ELSE false END),
  ADD CHECK (CASE state
    WHEN 'pending' THEN user_id IS NULL AND granted IS NULL AND answered_at IS NULL
    WHEN 'expired' THEN user_id IS NULL AND granted IS NULL AND answered_at IS NULL
    WHEN 'approved' THEN user_id IS NOT NULL AND granted IS NOT NULL AND answered_at IS NOT NULL
    WHEN 'redeemed' THEN granted IS NULL AND answered_at IS NOT NULL
    WHEN 'denied' THEN granted IS NULL AND answered_at IS NOT NULL
    ELSE false END),
  ADD CHECK (purpose = 'step-up' OR granted <> '');

ALTER TABLE factor
  ADD CHECK (kind IN ('totp', 'passkey', 'recovery')),
  ADD CHECK (used_step >= 0),
  ADD CHECK (counter >= 0),
  ADD CHECK (backed_up IN (0, 1)),
  ADD CHECK ((kind = 'totp') = (sealed_secret IS NOT NULL)),
  ADD CHECK ((kind = 'totp') = (used_step IS NOT NULL)),
  ADD CHECK ((kind = 'passkey') = (credential_id IS NOT NULL)),
  ADD CHECK ((kind = 'passkey') = (public_key IS NOT NULL)),
  ADD CHECK ((kind = 'passkey') = (counter IS NOT NULL)),
  ADD CHECK ((kind = 'passkey') = (transports IS NOT NULL)),
  ADD CHECK ((kind = 'passkey') = (backed_up IS NOT NULL)),
  ADD CHECK ((kind = 'recovery') = (codes IS NOT NULL));

ALTER TABLE session
  ADD CHECK (proven_by IN ('password', 'second-factor')),
  ADD CHECK ((proven_at IS NULL) = (proven_by IS NULL));

ALTER TABLE tally
  ADD CHECK (grain IN ('minute', 'hour', 'day')),
  ADD CHECK (at % CASE grain WHEN 'minute' THEN 60 WHEN 'hour' THEN 3600 ELSE 86400 END = 0),
  ADD CHECK (count >= 1);

ALTER TABLE invalidation
  ADD CHECK (of IN ('credential', 'client', 'account'));

ALTER TABLE code_tries
  ADD CHECK (unknown_failures >= 0 AND known_failures >= 0),
  ADD CHECK (unknown_failures + known_failures > 0);
`

export const initial = tables + constraints
