/**
 * Seals into a request when its sign-in began. Only a proof after that counts, so a forged or repeated URL skips none.
 * The seal covers the other parameters and the browser. Interface OIDC-8.
 */
import { digest } from "../../kernel/hash.ts"
import type { Hash } from "../../kernel/ids.ts"
import type { Keys } from "../../kernel/keys.ts"
import type { Browser } from "../../accounts/sessions/browser-cookies.ts"
import { BEGAN } from "../../accounts/sign-in/continuation.ts"
import type { Began } from "./next-step.rules.ts"

const PURPOSE = "began"

/** Returns the query with the seal, in place of any earlier one. */
export function withBegan(keys: Keys, browser: Browser, query: string, at: number): string {
  const { bare } = split(query)
  const session = browser.signedIn?.session.sessionHash ?? null
  const sealed = keys.seal(PURPOSE, JSON.stringify([boundTo(browser, bare), at, session]))
  return `${bare}&${BEGAN}=${sealed}`
}

/** Returns null without a seal of this browser for this query. */
export function beganIn(keys: Keys, browser: Browser, query: string): Began | null {
  const { bare, sealed } = split(query)
  const content = sealed === null ? null : keys.open(PURPOSE, sealed)
  if (content === null) return null
  const [bound, at, sessionHash] = JSON.parse(content) as [Hash, number, Hash | null]
  return bound === boundTo(browser, bare) ? { at, sessionHash } : null
}

function boundTo({ secret }: Browser, bare: string): Hash {
  return digest(`${secret} ${bare}`)
}

function split(query: string): { readonly bare: string; readonly sealed: string | null } {
  if (!query.includes(BEGAN)) return { bare: query, sealed: null }
  const pairs = query.split("&")
  const isSeal = (pair: string) => pair.startsWith(`${BEGAN}=`)
  return {
    bare: pairs.filter((pair) => !isSeal(pair)).join("&"),
    sealed: pairs.find(isSeal)?.slice(BEGAN.length + 1) ?? null,
  }
}
