import { ask, type RequestOptions, type Reply } from "./ask.ts"

export type Target = {
  /** The base URL without a trailing slash. */
  readonly base: string
  /** Sends a request to a path below the base URL. */
  readonly at: (path: string, question?: RequestOptions) => Promise<Reply>
  /** The app whose sign-in page is checked, or null. */
  readonly app: { readonly clientId: string; readonly redirectUri: string } | null
}

export function targetAt(base: string, app: Target["app"]): Target {
  return { base, app, at: (path, question) => ask(new URL(base + path), question) }
}

/** Builds a POST request with a form, as the OAuth endpoints expect it. RFC 6749 §3.2. */
export function form(
  fields: Readonly<Record<string, string>>,
  headers: RequestOptions["headers"] = {},
): RequestOptions {
  return {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
  }
}
