/**
 * Migrates version 5 to version 20. Version 5 is the last one before all migrations became one schema. The tables
 * stay, and get constraints. Removed with 1.0.
 */
import { constraints } from "./0020-initial.ts"

export const carryOver =
  `
ALTER TABLE client ALTER COLUMN disabled_by_owner DROP DEFAULT;
ALTER TABLE device_grant ALTER COLUMN gone_at DROP DEFAULT;
` + constraints
