/**
 * Decides which redirect URIs an app may register. Interface REDIR-3, REDIR-5, CLIENT-6; RFC 6749 §3.1.2, RFC 8252 §7.
 *
 * Redirect URIs are compared as strings. Registration therefore refuses every URI that browsers, proxies or apps are
 * known to parse in different ways.
 */
import type { ClientType } from "./client.rules.ts"
import { REDIRECT_URI_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { reservedScheme } from "./reserved-schemes.rules.ts"

/** The private-use schemes without a period that an app may register. An administrator may register any scheme. */
export type OpenSchemes = readonly string[] | "any"

/** The rules for one registration. URIs in `registered` are accepted unchecked. */
export type AddressRules = { readonly schemes: OpenSchemes; readonly registered: readonly string[] }

type Rule = readonly [problem: string, isBroken: (uri: string) => boolean]

/** The rules run in this order. Each rule can rely on the rules before it. */
const GENERAL_RULES: readonly Rule[] = [
  ["The address is empty.", (uri) => uri === ""],
  [
    "The address has a control character, a space or a character outside ASCII.",
    (uri) => /[^\x21-\x7e]/.test(uri),
  ],
  [
    `The address is longer than ${REDIRECT_URI_BYTES_AT_MOST} bytes.`,
    (uri) => uri.length > REDIRECT_URI_BYTES_AT_MOST,
  ],
  ["The address has a backslash.", (uri) => uri.includes("\\")],
  ["The address has a fragment (#), even if it is empty.", (uri) => uri.includes("#")],
  ["The address has a wildcard (*). Addresses are registered in full.", (uri) => uri.includes("*")],
  ["The address has a character that is valid only percent-encoded.", (uri) => /["<>^`{|}]/.test(uri)],
  [
    "The address has a percent sign without two hexadecimal digits.",
    (uri) => /%(?![0-9A-Fa-f]{2})/.test(uri),
  ],
  ["The address has an encoded control character.", (uri) => /%(?:[01][0-9A-Fa-f]|7[Ff])/.test(uri)],
  ["The address is not absolute: it has no scheme.", (uri) => !ABSOLUTE.test(uri)],
]

const ABSOLUTE = /^([A-Za-z][A-Za-z0-9+.-]*):(.*)$/
const WEB = /^\/\/([^/?]*)([^?]*)(?:\?(.*))?$/
const PRIVATE_AUTHORITY = /^(?:[A-Za-z0-9._-]+(?::(.*))?)?$/
const PRIVATE_USE = /^(?:\/\/([^/?]*))?(?:(\/[^?]*)?)(?:\?(.*))?$/

/**
 * Returns the problem of a URI that an app of this type wants to register. RFC 8252 §7.1 requires a period in
 * private-use schemes. Divergence: D-7, a scheme needs no period if the operator allows it or an administrator
 * registers it.
 */
export function registerableRedirectUri(
  uri: string,
  type: ClientType,
  schemes: OpenSchemes,
): Result<null, Problem> {
  const scheme = ABSOLUTE.exec(uri)?.[1]?.toLowerCase() ?? ""
  const meaning = reservedScheme(scheme)
  if (meaning !== null)
    return err(
      `${named(scheme)} is not an app's, because it ${meaning}. An app's own scheme is like com.example.app.`,
    )
  const checked = wellFormedRedirectUri(uri, type)
  if (!checked.ok || /^https?$/.test(scheme) || scheme.includes(".")) return checked
  if (schemes === "any" || schemes.includes(scheme)) return checked
  return err(
    `${named(scheme)} has no period, unlike com.example.app. Only an administrator registers such an address, ` +
      "unless the setting registration.schemes names the scheme.",
  )
}

function named(scheme: string): string {
  return scheme.length <= 40 ? `The scheme ${scheme}:` : "The scheme"
}

/** Checks everything except the meaning of the scheme. Stored URIs passed the full check when they were registered. */
export function wellFormedRedirectUri(uri: string, type: ClientType): Result<null, Problem> {
  for (const [problem, isBroken] of GENERAL_RULES) if (isBroken(uri)) return err(problem)
  const [, scheme = "", rest = ""] = ABSOLUTE.exec(uri) ?? []
  if (/^https?$/i.test(scheme)) return webAddress(scheme, rest)
  if (type === "confidential") {
    return err("A confidential app is a server: its addresses begin with https, or http for loopback.")
  }
  return privateUseAddress(rest)
}

function privateUseAddress(rest: string): Result<null, Problem> {
  const [matched, authority = "", path = "", query = ""] = PRIVATE_USE.exec(rest) ?? []
  if (matched === undefined || !rest.startsWith("/")) {
    return err("After the scheme of an installed app comes a slash, as in com.example.app:/callback.")
  }
  if (authority.includes("@")) return err(USER_INFO)
  if (/[[\]]/.test(rest)) return err(BRACKET)
  const [, port] = PRIVATE_AUTHORITY.exec(authority) ?? []
  if (!PRIVATE_AUTHORITY.test(authority) || (port !== undefined && !isPort(port))) {
    return err("The text after the two slashes is not a plain host name.")
  }
  return pathAndQuery(path, query)
}

const USER_INFO = "The address has user information (@) before the host."
const BRACKET = "The address has a square bracket."
/** IPv6 loopback addresses are refused, although RFC 8252 §7.3 defines them. Divergence: D-5. */
const IPV6 =
  "The host is an IPv6 literal such as [::1]. Loopback addresses match on any port, and only for 127.0.0.1 and localhost."

function webAddress(scheme: string, rest: string): Result<null, Problem> {
  if (scheme !== scheme.toLowerCase()) return err("The scheme is not in lower case.")
  const [, authority = "", path = "", query = ""] = WEB.exec(rest) ?? []
  if (authority === "") return err("The address has no host.")
  if (authority.includes("@")) return err(USER_INFO)
  if (authority.startsWith("[")) return err(IPV6)
  if (/[[\]]/.test(rest)) return err(BRACKET)
  const [, host = "", port] = /^([^:]*)(?::(.*))?$/.exec(authority) ?? []
  if (port !== undefined && !isPort(port)) return err("The port is not a number from 1 to 65535.")
  const problem = hostProblem(scheme, host)
  return problem === null ? pathAndQuery(path, query) : err(problem)
}

function isPort(text: string): boolean {
  return /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65535
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["127.0.0.1", "localhost"])
const OTHER_LOOPBACK = /^(?:localhost|.*\.localhost|localhost\.localdomain|ip6-(?:localhost|loopback))$/i
const NAME = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?$/
const OCTET = /^(?:0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])$/

function hostProblem(scheme: string, host: string): string | null {
  if (LOOPBACK_HOSTS.has(host)) return null
  if (OTHER_LOOPBACK.test(host)) return "Loopback is written 127.0.0.1 or localhost, and in no other way."
  const labels = host.split(".")
  if (host.length > 253 || !labels.every((label) => label.length <= 63 && NAME.test(label))) {
    return "The host is not a plain host name or IPv4 address."
  }
  return (
    numberProblem(labels) ??
    (scheme === "https" ? null : "Only loopback may use http; any other host needs https.")
  )
}

/**
 * Returns the problem of a host with a numeric last label. Browsers read such a host as an IPv4 address, even in octal
 * or hexadecimal.
 */
function numberProblem(labels: readonly string[]): string | null {
  if (!/^(?:[0-9]+|0x[0-9a-f]*)$/i.test(labels.at(-1) ?? "")) return null
  if (labels.length !== 4 || !labels.every((label) => OCTET.test(label))) {
    return "An IPv4 address is written as four decimal numbers."
  }
  return labels[0] === "127" || labels[0] === "0"
    ? "Loopback is written 127.0.0.1 or localhost, and in no other way."
    : null
}

/** The parameters of an authorization response: RFC 6749 §4.1.2 and §4.1.2.1, RFC 9207 §2. */
const RESPONSE_PARAMETERS: ReadonlySet<string> = new Set([
  "code",
  "state",
  "iss",
  "error",
  "error_description",
  "error_uri",
])

function pathAndQuery(path: string, query: string): Result<null, Problem> {
  if (hasDotSegment(path)) return err("The path has a segment of dots (. or ..), plain or encoded.")
  // Some servers split a query at semicolons too.
  const names = query.split(/[&;]/).map((pair) => decodeName(pair.split("=", 1)[0] ?? ""))
  return names.some((name) => RESPONSE_PARAMETERS.has(name))
    ? err("The query has a parameter of the authorization response, such as code or state.")
    : ok(null)
}

/**
 * Whether the path contains dot segments. Encoded dots and separators count too. So do dots before a path parameter
 * (`..;x`), because some servers remove the parameter.
 */
function hasDotSegment(path: string): boolean {
  return path
    .replace(/%2e/gi, ".")
    .split(/\/|%2f|%5c/i)
    .some((segment) => /^\.{1,2}(?:;|%3b|$)/i.test(segment))
}

function decodeName(name: string): string {
  return name.replace(/%([2-7][0-9A-Fa-f])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
