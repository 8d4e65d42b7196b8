/** Disables the service accounts whose owner is disabled. Later disabling includes them (SERVICE-1). */
export const ownersDisabled = `
INSERT INTO event_new (at, kind, user_id, detail)
  SELECT unixepoch(), 'account-disabled', user_id, 'the owner was disabled' FROM account
    WHERE type = 'service' AND enabled = 1
      AND owner_id IN (SELECT user_id FROM account WHERE enabled = 0);
UPDATE account SET enabled = 0
  WHERE type = 'service' AND enabled = 1
    AND owner_id IN (SELECT user_id FROM account WHERE enabled = 0);
`
