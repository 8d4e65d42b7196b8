/** Sentences that two pages share. */
import { FACTORS_AT_MOST } from "../../../core/limits.ts"

export const FULL = `Your account has ${FACTORS_AT_MOST} of these already. Remove one first.`
