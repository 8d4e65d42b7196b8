/** The flag of commands that print or send a link to the service. */
import { type Problem, type Result, ok } from "../../kernel/result.ts"
import type { Store } from "../../store/store.ts"
import { parseBaseUrl } from "../config/base-url.ts"
import { recordedBaseUrl } from "../services/recorded-base-url.ts"

export const baseUrlFlag = {
  value: "URL",
  env: "LATCHKEY_BASE_URL",
  summary: "the base URL of the service, with which links begin (default: the one it last served with)",
} as const

/** The base URL of a service that has never started. */
const BEFORE_FIRST_START = "http://localhost:8787"

/** Returns the value of the flag or its variable, or else what the service last served with. */
export async function baseUrlForLinks(
  given: string | null,
  store: Pick<Store, "read"> | null,
): Promise<Result<string, Problem>> {
  if (given !== null) return parseBaseUrl(given)
  return ok((store === null ? null : await recordedBaseUrl(store)) ?? BEFORE_FIRST_START)
}
