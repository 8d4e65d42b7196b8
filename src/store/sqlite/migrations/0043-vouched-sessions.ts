/** Adds which application vouched for a session, and when it did last. */
export const vouchedSessions = `
ALTER TABLE session ADD COLUMN vouched_by TEXT;
ALTER TABLE session ADD COLUMN vouched_at INTEGER CHECK ((vouched_by IS NULL) = (vouched_at IS NULL));
`
