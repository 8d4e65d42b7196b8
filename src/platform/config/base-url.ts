/** The base URL of the service. See docs/interface.md and RFC 8414 §2 (issuer). */
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Parses the base URL and removes a trailing slash. The URL must be https, or http on loopback. */
export function parseBaseUrl(text: string, source = "The base URL"): Result<string, Problem> {
  const url = /^[\x21-\x7e]+$/.test(text) && URL.canParse(text) ? new URL(text) : null
  if (url === null) return wrong(source, text, "is not an address such as https://id.example.org")
  const isHttp = url.protocol === "http:" && LOOPBACK.has(url.hostname)
  if (url.protocol !== "https:" && !isHttp)
    return wrong(
      source,
      text,
      "must begin with https://; http:// is allowed for localhost and 127.0.0.1 only",
    )
  if (url.username !== "" || url.password !== "" || text.includes("@"))
    return wrong(source, text, "must not contain a user name or password")
  if (/[?#\\]/.test(text)) return wrong(source, text, "must not have a query, a fragment or a backslash")
  return ok(url.origin + url.pathname.replace(/\/+$/, ""))
}

/** Whether plain http is allowed for a URL. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.has(url.hostname)
}

function wrong(source: string, text: string, problem: string) {
  return err(`${source} ${text.includes("@") ? "" : `${JSON.stringify(text)} `}${problem}.`)
}
