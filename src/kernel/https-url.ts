/**
 * Checks the URLs that the service itself requests. URL parsers normalize hosts, dots and backslashes in different
 * ways. A URL is accepted only if every parser reads it in the same way.
 */
import { type Problem, type Result, err, ok } from "./result.ts"

export const URL_BYTES_AT_MOST = 2000

export type HttpsUrl = {
  readonly host: string
  readonly port: number
  /** The path and query, exactly as written. */
  readonly path: string
  readonly origin: string
}

const HTTPS_URL = /^https:\/\/([^/?#:]*)(?::([^/?#]*))?(\/[^?#]*)?(?:\?([^#]*))?$/
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const PATH = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2})*$/
/** The allowed characters of a query. The apostrophe is missing, because URL parsers encode it in a query. */
const QUERY = /^(?:[A-Za-z0-9\-._~!$&()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/

/** Parses an https URL that has a host name and a path. Returns its parts, or the problem. */
export function parseHttpsUrl(text: string): Result<HttpsUrl, Problem> {
  if (text.length > URL_BYTES_AT_MOST) return err(`The URL is longer than ${URL_BYTES_AT_MOST} bytes.`)
  if (/[^\x21-\x7e]/.test(text))
    return err("The URL has a control character, a space or a character outside ASCII.")
  if (!text.startsWith("https://")) return err("The URL does not begin with https://.")
  if (text.includes("#")) return err("The URL has a fragment (#).")
  const [matched, host = "", port, path, query] = HTTPS_URL.exec(text) ?? []
  if (matched === undefined || text.includes("\\")) return err("The URL is malformed.")
  if (`${host}${port ?? ""}`.includes("@")) return err("The URL has user information (@) before the host.")
  const problem = hostProblem(host) ?? portProblem(port) ?? pathProblem(path, query)
  if (problem !== null) return err(problem)
  const authority = port === undefined ? host : `${host}:${port}`
  return ok({
    host,
    port: port === undefined ? 443 : Number(port),
    path: text.slice("https://".length + authority.length),
    origin: `https://${authority}`,
  })
}

function hostProblem(host: string): Problem | null {
  if (host !== host.toLowerCase()) return "The host is not in lower case."
  const labels = host.split(".")
  if (host.length > 253 || !labels.every((label) => LABEL.test(label)))
    return "The host is not a plain host name."
  // URL parsers read a host that ends in a number as an IPv4 address. They also accept octal, hexadecimal and shorter
  // forms.
  return /^(?:[0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "") ? "The host is an address, not a name." : null
}

function portProblem(port: string | undefined): Problem | null {
  if (port === undefined) return null
  if (port === "443") return "The port 443 must be left out."
  return /^[1-9][0-9]{0,4}$/.test(port) && Number(port) <= 65_535
    ? null
    : "The port is not a number from 1 to 65535."
}

function pathProblem(path: string | undefined, query: string | undefined): Problem | null {
  if (path === undefined) return "The URL has no path."
  if (!PATH.test(path) || (query !== undefined && !QUERY.test(query)))
    return "The URL has a character that is valid only percent-encoded."
  const segments = path.replace(/%2e/gi, ".").split("/")
  return segments.some((segment) => segment === "." || segment === "..")
    ? "The path has a segment of dots (. or ..), plain or encoded."
    : null
}

/** Returns the host of an https URL without its port. Returns an empty string for any other text. */
export function hostOf(url: string): string {
  const parsed = parseHttpsUrl(url)
  return parsed.ok ? parsed.value.host : ""
}
