/** The schema of version 20: tables, and what is created after the rows of an older version were copied. */
import { tables } from "./0020-tables.ts"

/**
 * Indexes, triggers and views. A migration creates them after it has copied the rows, so that the indexes are smaller.
 */
export const indexes = `
CREATE INDEX account_administrator ON account (enabled) WHERE admin = 1;

CREATE UNIQUE INDEX client_registration ON client (registration_hash) WHERE registration_hash IS NOT NULL;
CREATE INDEX client_gone ON client (gone_at) WHERE gone_at IS NOT NULL;
CREATE INDEX client_of_owner ON client (owner_id, client_id) WHERE owner_id IS NOT NULL;
CREATE INDEX client_by_registrar ON client (registered_by, client_id);
-- A search must not read whole rows, because self-registration can create hundreds of thousands of apps.
CREATE INDEX client_list ON client (client_id, name, registered_by, verified, enabled, owner_id);
-- Self-registered apps without a consent, oldest first.
CREATE INDEX client_unused ON client (gone_at, client_id)
  WHERE gone_at IS NOT NULL AND (registration_hash IS NOT NULL OR gone_at - issued_at < 31536000);

CREATE INDEX credential_of_account ON credential_row (account);
CREATE INDEX credential_of_client ON credential_row (client);
CREATE INDEX credential_gone ON credential_row (gone);

CREATE INDEX device_grant_approved ON device_grant (user_id) WHERE state = 'approved';
CREATE INDEX device_grant_gone ON device_grant (gone_at);

CREATE INDEX factor_of_account ON factor (user_id, factor_id);
CREATE UNIQUE INDEX factor_recovery ON factor (user_id) WHERE kind = 'recovery';

CREATE INDEX session_of_account ON session (user_id);
CREATE INDEX session_gone ON session (gone_at);
CREATE INDEX known_browser_of_account ON known_browser (user_id);
CREATE INDEX known_browser_seen ON known_browser (seen_at);
CREATE INDEX spent_ticket_spent ON spent_ticket (spent_at);

CREATE INDEX event_of_kind ON event_row (kind);
CREATE INDEX event_at ON event_row (at);
-- The index sorts by time first. A batch therefore writes only a few pages, even if its events belong to many accounts.
CREATE INDEX event_of_account ON event_row (id / 8192, user_id) WHERE user_id IS NOT NULL;
-- The index includes the kind, because an app may have a hundred thousand events and none of a rare kind.
CREATE INDEX event_of_client ON event_row (client_id, id, kind) WHERE client_id IS NOT NULL;
CREATE INDEX event_of_credential ON event_row (token_id) WHERE token_id IS NOT NULL;

CREATE INDEX tally_of_app ON tally (client_id, at) WHERE client_id <> '';

-- A number is deleted together with its account or app, or with their last credential.
CREATE TRIGGER account_unnamed AFTER DELETE ON account BEGIN
  UPDATE name SET gone = 1 WHERE id = OLD.user_id;
  DELETE FROM name WHERE id = OLD.user_id AND NOT EXISTS (SELECT 1 FROM credential_row WHERE account = number);
END;
CREATE TRIGGER client_unnamed AFTER DELETE ON client BEGIN
  UPDATE name SET gone = 1 WHERE id = OLD.client_id;
  DELETE FROM name WHERE id = OLD.client_id AND NOT EXISTS (SELECT 1 FROM credential_row WHERE client = number);
END;
CREATE TRIGGER credential_unnamed AFTER DELETE ON credential_row BEGIN
  DELETE FROM name WHERE number IN (OLD.account, OLD.client) AND gone = 1
    AND NOT EXISTS (SELECT 1 FROM credential_row WHERE account = number)
    AND NOT EXISTS (SELECT 1 FROM credential_row WHERE client = number);
END;

CREATE TRIGGER event_stays BEFORE UPDATE ON event_row BEGIN
  SELECT RAISE(ABORT, 'an event of the audit trail is never rewritten');
END;
CREATE TRIGGER event_new_stays BEFORE UPDATE ON event_new BEGIN
  SELECT RAISE(ABORT, 'an event of the audit trail is never rewritten');
END;

-- These views show the rows with readable values, for people who use their own tools.
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

CREATE VIEW event AS
  SELECT id, at, kind, user_id, client_id, token_id, actor_id, address, detail FROM event_row
  UNION ALL
  SELECT id, at, kind, user_id, client_id, token_id, actor_id, address, detail FROM event_new;
`

export const initial = tables + indexes
