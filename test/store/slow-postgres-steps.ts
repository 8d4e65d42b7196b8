/** Migrations of several statements each, long enough to be killed in the middle of. */
import { migrations } from "../../src/store/postgres/migrate.ts"

const STEPS = 6
const ROWS = 3000

export const slowSteps: readonly string[] = [
  ...migrations,
  ...Array.from(
    { length: STEPS },
    (_, i) => `
      CREATE TABLE step_${i} (n integer PRIMARY KEY, text text NOT NULL);
      INSERT INTO step_${i} (n, text) SELECT n, md5(n::text) FROM generate_series(1, ${ROWS}) AS n;
      CREATE INDEX step_${i}_text ON step_${i} (text);`,
  ),
]

/** What must be there at each version: all of a step or nothing of it. */
export const rowsOfAStep = ROWS
export const stepTable = (version: number) => `step_${version - migrations.length - 1}`
