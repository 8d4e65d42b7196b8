/** The schema with additional steps. Each has several statements and takes long enough to be killed in the middle. */
import { type Schema, versionOfLast } from "../../../../src/store/schema-steps.ts"
import { schema } from "../../../../src/store/postgres/migrate.ts"

const STEPS = 6

/** The number of rows in the table that each step creates. */
export const rowsOfAStep = 3000

export const firstSlowVersion = versionOfLast(schema) + 1

export const slowSchema: Schema<string> = {
  ...schema,
  steps: [
    ...schema.steps,
    ...Array.from({ length: STEPS }, (_, i) => {
      const table = stepTable(firstSlowVersion + i)
      return `
        CREATE TABLE ${table} (n integer PRIMARY KEY, text text NOT NULL);
        INSERT INTO ${table} (n, text) SELECT n, md5(n::text) FROM generate_series(1, ${rowsOfAStep}) AS n;
        CREATE INDEX ${table}_text ON ${table} (text);`
    }),
  ],
}

/** Returns the name of the table that the step to this version creates. */
export function stepTable(version: number): string {
  return `step_to_${version}`
}
