/** The flag of commands that print or send a link to the service. */
import { type Problem, type Result, ok } from "../../kernel/result.ts"
import type { Store } from "../../store/store.ts"
import { parseBaseUrl } from "../config/base-url.ts"
import { recordedBaseUrl } from "../services/recorded-base-url.ts"
import type { Globals } from "./command.ts"

export const baseUrlFlag = {
  value: "URL",
  env: "LATCHKEY_BASE_URL",
  summary: "the base URL of the service, with which links begin (default: the one it last served with)",
} as const

/** The base URL of a service that has never started. */
export const BEFORE_FIRST_START = "http://localhost:8787"

type BaseUrlCall = {
  readonly flags: { readonly "base-url": string | null }
  readonly globals: Pick<Globals, "sourceOf">
}

/** Returns the value of the flag or its variable, or else what the service last served with, or null. */
export async function knownBaseUrl(
  { flags, globals }: BaseUrlCall,
  store: Pick<Store, "read"> | null,
): Promise<Result<string | null, Problem>> {
  const given = flags["base-url"]
  if (given !== null) return parseBaseUrl(given, globals.sourceOf("base-url"))
  return ok(store === null ? null : await recordedBaseUrl(store))
}

export async function baseUrlForLinks(
  call: BaseUrlCall,
  store: Pick<Store, "read"> | null,
): Promise<Result<string, Problem>> {
  const known = await knownBaseUrl(call, store)
  return known.ok ? ok(known.value ?? BEFORE_FIRST_START) : known
}
