/** Adds what proved a session the last time, as methods of RFC 8176. */
export const provenAmr = `
ALTER TABLE session ADD COLUMN proven_amr TEXT;
`
