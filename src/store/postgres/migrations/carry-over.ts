/**
 * Migrates version 5 to version 20. After version 5, all migrations were merged into one schema. The tables are kept
 * and get constraints. This step will be removed with 1.0.
 */
import { constraints } from "./0020-0029/0020-initial.ts"

export const carryOver =
  `
ALTER TABLE client ALTER COLUMN disabled_by_owner DROP DEFAULT;
ALTER TABLE device_grant ALTER COLUMN gone_at DROP DEFAULT;
` + constraints
