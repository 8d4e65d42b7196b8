/** Adds the language that a person chose. The view has all columns of the table. */
export const accountLanguage = `
ALTER TABLE account ADD COLUMN language TEXT;
`
