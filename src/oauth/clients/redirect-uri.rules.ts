/**
 * Redirect addresses at an authorization: compared as raw strings. Interface REDIR-1, REDIR-2, REDIR-4; RFC 8252 §7.3,
 * RFC 9700 §4.1.3. What may be registered is in `redirect-registration.ts`.
 */
import type { MatchedRedirectUri } from "../../kernel/ids.ts"

/**
 * The presented address, where a registered one equals it byte for byte; null otherwise. An installed app cannot choose
 * its loopback port beforehand, so for `127.0.0.1` and `localhost`, over http and https, the port is left out on both
 * sides. Divergence: D-6, for localhost and for https.
 */
export function matchRedirectUri(
  presented: string,
  registered: readonly string[],
): MatchedRedirectUri | null {
  return registered.includes(presented) || matchesLoopback(presented, registered)
    ? (presented as MatchedRedirectUri)
    : null
}

function matchesLoopback(presented: string, registered: readonly string[]): boolean {
  const portless = withoutLoopbackPort(presented)
  return portless !== null && registered.some((address) => withoutLoopbackPort(address) === portless)
}

/** Exactly one of the two hosts, a port or none, and then a path, a query or the end: no `@` can follow the port. */
const LOOPBACK = /^(https?:\/\/(?:127\.0\.0\.1|localhost))(?::([1-9][0-9]{0,4}))?(?=[/?]|$)/

function withoutLoopbackPort(address: string): string | null {
  const found = LOOPBACK.exec(address)
  if (found === null || Number(found[2] ?? "1") > 65535) return null
  return `${found[1]}${address.slice(found[0].length)}`
}

/** Whether the browser returns to a program on its own machine. */
export function isLoopbackRedirect(uri: MatchedRedirectUri): boolean {
  return LOOPBACK.test(uri)
}

const WEB_ORIGIN = /^(https?):\/\/([^/?#]*)/
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/

/**
 * What the consent page tells of where the browser will go: host and port, or the private-use scheme with its colon, so
 * that a scheme that is spelled like a host is not taken for one.
 */
export function returnHost(uri: MatchedRedirectUri): string {
  return WEB_ORIGIN.exec(uri)?.[2] ?? schemeOf(uri)
}

/** The source that a page's `form-action` policy names, so that the redirect after its form may go to `uri`. */
export function formActionSource(uri: MatchedRedirectUri): string {
  return WEB_ORIGIN.exec(uri)?.[0] ?? schemeOf(uri)
}

function schemeOf(uri: MatchedRedirectUri): string {
  const scheme = SCHEME.exec(uri)?.[0]
  if (scheme === undefined) throw new Error("a matched redirect address has a scheme")
  return scheme
}

/** Text to be encoded, or what came encoded and is returned like that. */
export type ParameterValue = string | { readonly encoded: string }

/**
 * The address with `parameters` after its own query, which stays. RFC 6749 §4.1.2 and appendix B. A space is written
 * `%20`, not `+`: apps that take their address apart by hand read the first one right as well.
 */
export function withParameters(
  uri: MatchedRedirectUri,
  parameters: readonly (readonly [name: string, value: ParameterValue])[],
): string {
  const added = parameters
    .map(([name, value]) => `${encode(name)}=${typeof value === "string" ? encode(value) : value.encoded}`)
    .join("&")
  if (!uri.includes("?")) return `${uri}?${added}`
  return uri.endsWith("?") || uri.endsWith("&") ? `${uri}${added}` : `${uri}&${added}`
}

/**
 * A value of a query as it came, with its escapes, valid or not. What cannot stand in a query (RFC 3986 §3.4), or would
 * begin another parameter there, is escaped.
 */
export function escapedForUrl(raw: string): string {
  return raw.replace(/[^A-Za-z0-9\-._~:@!$'()*+,;=/?%]+/g, encodeURIComponent)
}

/** `encodeURIComponent` leaves these alone; the form encoding does not. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()~]/g, (character) => ESCAPED[character] ?? character)
}

const ESCAPED: Readonly<Record<string, string>> = {
  "!": "%21",
  "'": "%27",
  "(": "%28",
  ")": "%29",
  "~": "%7E",
}
