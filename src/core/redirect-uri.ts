/**
 * Redirect addresses at an authorization: compared as raw strings. Interface REDIR-1, REDIR-2; RFC 8252 §7.3,
 * RFC 9700 §4.1.3. What may be registered is in `redirect-registration.ts`.
 */
import type { MatchedRedirectUri } from "./brand.ts"

/**
 * The presented address, where a registered one equals it byte for byte; null otherwise. An installed app cannot choose
 * its loopback port beforehand, so for `http://127.0.0.1` and `http://localhost` the port is left out on both sides.
 * Divergence: D-6, for localhost.
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
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|localhost))(?::([1-9][0-9]{0,4}))?(?=[/?]|$)/

function withoutLoopbackPort(address: string): string | null {
  const found = LOOPBACK.exec(address)
  if (found === null || Number(found[2] ?? "1") > 65535) return null
  return `${found[1]}${address.slice(found[0].length)}`
}

const WEB_ORIGIN = /^(https?):\/\/([^/?#]*)/
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/

/**
 * What the consent page tells of where the browser will go: host and port, or the private-use scheme with its colon, so
 * that a scheme that is spelled like somebody's host is not taken for it.
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

/**
 * The address with `parameters` after its own query, which stays. RFC 6749 §4.1.2 and appendix B. A space is written
 * `%20`, not `+`: apps that take their address apart by hand read the first one right as well.
 */
export function withParameters(
  uri: MatchedRedirectUri,
  parameters: readonly (readonly [name: string, value: string])[],
): string {
  const added = parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&")
  if (!uri.includes("?")) return `${uri}?${added}`
  return uri.endsWith("?") || uri.endsWith("&") ? `${uri}${added}` : `${uri}&${added}`
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
