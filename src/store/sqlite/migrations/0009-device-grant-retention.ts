/** When a device grant may go depends on how it was answered. Every column is described in docs/storage.md. */
export const deviceGrantRetention = `
ALTER TABLE device_grant ADD COLUMN gone_at INTEGER NOT NULL DEFAULT 0;
UPDATE device_grant SET gone_at = CASE state
  WHEN 'denied' THEN answered_at + 86400
  WHEN 'redeemed' THEN answered_at + 604800
  WHEN 'approved' THEN answered_at + 605400
  ELSE expires_at + 3600
END;
DROP INDEX device_grant_expires;
CREATE INDEX device_grant_gone ON device_grant (gone_at);
`
