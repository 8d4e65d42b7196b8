/** The schema with additional steps. Each has several statements and takes long enough to be killed in the middle. */
import { type Schema, versionOfLast } from "../../../../src/store/schema-steps.ts"
import { type Migration, schema } from "../../../../src/store/sqlite/migrate.ts"

const STEPS = 12

/** The number of rows in the table that each step creates. */
export const rowsOfAStep = 3000

export const firstSlowVersion = versionOfLast(schema) + 1

export const slowSchema: Schema<Migration> = {
  ...schema,
  steps: [
    ...schema.steps,
    ...Array.from({ length: STEPS }, (_, i) => {
      const table = stepTable(firstSlowVersion + i)
      return `
        CREATE TABLE ${table} (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
        WITH RECURSIVE row (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < ${rowsOfAStep})
        INSERT INTO ${table} (n, text) SELECT n, hex(randomblob(40)) FROM row;
        CREATE INDEX ${table}_text ON ${table} (text);`
    }),
  ],
}

/** Returns the name of the table that the step to this version creates. */
export function stepTable(version: number): string {
  return `step_to_${version}`
}
