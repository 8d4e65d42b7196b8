/** Adds the language that a person chose. A view has the columns that its table had when it was created. */
export const accountLanguage = `
ALTER TABLE account ADD COLUMN language text;
CREATE OR REPLACE VIEW usable_account AS SELECT * FROM account
  WHERE import_id IS NULL OR EXISTS (SELECT 1 FROM import WHERE import.id = account.import_id AND state = 'finished');
`
