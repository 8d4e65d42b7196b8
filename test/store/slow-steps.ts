/** Migrations of several statements each, long enough to be killed in the middle of. */
import { type Migration, migrations } from "../../src/store/sqlite/migrate.ts"

const STEPS = 12
const ROWS = 3000

const fill = (table: string) => `
  WITH RECURSIVE row (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < ${ROWS})
  INSERT INTO ${table} (n, text) SELECT n, hex(randomblob(40)) FROM row;`

export const slowSteps: readonly Migration[] = [
  ...migrations,
  ...Array.from(
    { length: STEPS },
    (_, i) => `
      CREATE TABLE step_${i} (n INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
      ${fill(`step_${i}`)}
      CREATE INDEX step_${i}_text ON step_${i} (text);`,
  ),
]

/** What must be there at each version: all of a step or nothing of it. */
export const rowsOfAStep = ROWS
export const stepTable = (version: number) => `step_${version - migrations.length - 1}`
