/**
 * From version 5, the last one before all migrations became one schema, to version 20: the same tables, with their
 * constraints. Removed with 1.0.
 */
import { constraints } from "./0020-initial.ts"

export const carryOver =
  `
ALTER TABLE client ALTER COLUMN disabled_by_owner DROP DEFAULT;
ALTER TABLE device_grant ALTER COLUMN gone_at DROP DEFAULT;
` + constraints
