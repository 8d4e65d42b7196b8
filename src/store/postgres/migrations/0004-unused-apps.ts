/** Which apps that registered themselves got no consent yet, the oldest first. */
export const unusedApps = `
CREATE INDEX client_unused ON client (gone_at, client_id)
  WHERE gone_at IS NOT NULL AND (registration_hash IS NOT NULL OR gone_at - issued_at < 31536000);
`
