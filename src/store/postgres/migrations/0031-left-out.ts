/** Adds the redirect URIs of a document that were left out. */
export const leftOut = `
ALTER TABLE client_document ADD COLUMN left_out text;
`
