/** Who did it, in the audit trail. */
export const actor = `
ALTER TABLE event ADD COLUMN actor_id TEXT;
`
