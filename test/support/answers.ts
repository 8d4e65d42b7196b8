/** Checks that apply to all responses of one kind. */
import assert from "node:assert/strict"
import { isInstruction } from "./instruction.ts"

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

/** The characters that an `error_description` may contain. RFC 6749 §5.2. */
export const DESCRIPTION = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/

/**
 * Checks the error of an endpoint for apps: its status and its code. It may also have a description and a request id,
 * but nothing else.
 */
export function assertRefused(answer: Answer, status: number, error: string, message?: string): void {
  const seen = `${message ?? ""} ${JSON.stringify(answer.body)}`
  assert.deepEqual([answer.status, answer.body["error"]], [status, error], seen)
  const members = ["error", "error_description", ...(status >= 500 ? ["request_id"] : [])]
  assert.deepEqual(Object.keys(answer.body).toSorted(), members, seen)
  const description = String(answer.body["error_description"])
  assert.match(description, DESCRIPTION, seen)
  assert.equal(isInstruction(description), false, seen)
  assertUncached(answer)
  const challenge = answer.headers.get("www-authenticate")
  if (status === 401) assert.match(challenge ?? "", /^Basic realm="/, seen)
  else assert.equal(challenge, null, seen)
}

export function assertUncached({ headers }: Pick<Answer, "headers">): void {
  assert.match(headers.get("content-type") ?? "", /^application\/json(; charset=utf-8)?$/)
  assert.equal(headers.get("cache-control"), "no-store")
}

type Sent = { readonly status: number; readonly location: string | null }

/** Returns the parameters of a redirect to the app, which must go to `address`. */
export function returned(page: Sent, address: string): Record<string, string> {
  assert.equal(page.status, 303)
  const location = page.location ?? ""
  const separator = address.includes("?") ? "&" : "?"
  assert.ok(location.startsWith(address + separator), `sent to ${location}`)
  const parameters = new URLSearchParams(location.slice(address.length + 1))
  assert.equal(parameters.size, new Set(parameters.keys()).size, `a parameter twice in ${location}`)
  return Object.fromEntries(parameters)
}

/** Removes the link to the choice of a language, which has the address of the page itself. */
export function withoutLanguageLink(page: string): string {
  return page.replace(/<a href="[^"]*\/language\?next=[^"]*"[^>]*>[^<]*<\/a\s*>/, "")
}
