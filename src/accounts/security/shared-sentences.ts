import { FACTORS_AT_MOST } from "../../kernel/limits.ts"

export const FULL = `Your account already has ${FACTORS_AT_MOST} of these. Remove one first.`
