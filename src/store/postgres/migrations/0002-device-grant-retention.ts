/**
 * When a device grant may go depends on how it was answered. Every column is described in docs/storage.md. The default is
 * for nodes of the version before, which do not know the column: ten minutes and an hour.
 */
export const deviceGrantRetention = `
ALTER TABLE device_grant ADD COLUMN gone_at bigint NOT NULL DEFAULT extract(epoch FROM now())::bigint + 4200;
UPDATE device_grant SET gone_at = CASE state
  WHEN 'denied' THEN answered_at + 86400
  WHEN 'redeemed' THEN answered_at + 604800
  WHEN 'approved' THEN answered_at + 605400
  ELSE expires_at + 3600
END;
DROP INDEX device_grant_expires;
CREATE INDEX device_grant_gone ON device_grant (gone_at);
`
