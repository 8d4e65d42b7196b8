/** The service that is looked at. */
import { ask, type Question, type Reply } from "./ask.ts"

export type Target = {
  /** The published address, without a slash at its end. */
  readonly base: string
  /** Asks for an address under the base. */
  readonly at: (path: string, question?: Question) => Promise<Reply>
  /** An app whose sign-in page is looked at; null where none was named. */
  readonly app: { readonly clientId: string; readonly redirectUri: string } | null
}

export function targetAt(base: string, app: Target["app"]): Target {
  return { base, app, at: (path, question) => ask(new URL(base + path), question) }
}

/** How the service is asked for tokens and the like. RFC 6749 §3.2. */
export function form(fields: Readonly<Record<string, string>>, headers: Question["headers"] = {}): Question {
  return {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
  }
}
