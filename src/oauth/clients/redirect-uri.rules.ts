/**
 * Compares redirect URIs of an authorization as raw strings. Interface REDIR-1, REDIR-2, REDIR-4; RFC 8252 §7.3, RFC
 * 9700 §4.1.3. `redirect-registration.rules.ts` decides which URIs can be registered.
 */
import type { MatchedRedirectUri } from "../../kernel/ids.ts"

/**
 * Returns the presented URI if it equals a registered URI byte for byte. Otherwise returns null. Native apps cannot
 * know their loopback port in advance. The port is therefore ignored for `127.0.0.1` and `localhost`, over http and
 * https. Divergence: D-6, for localhost and for https.
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

/** Matches a loopback host and an optional port. The lookahead refuses an `@` after the port. */
const LOOPBACK = /^(https?:\/\/(?:127\.0\.0\.1|localhost))(?::([1-9][0-9]{0,4}))?(?=[/?]|$)/

function withoutLoopbackPort(address: string): string | null {
  const found = LOOPBACK.exec(address)
  if (found === null || Number(found[2] ?? "1") > 65535) return null
  return `${found[1]}${address.slice(found[0].length)}`
}

/** Whether the redirect leads to a program on the browser's own machine. */
export function isLoopbackRedirect(uri: MatchedRedirectUri): boolean {
  return LOOPBACK.test(uri)
}

/** Whether a registered redirect URI leads to a program on the person's device. */
export function isLocalRedirect(uri: string): boolean {
  return LOOPBACK.test(uri) || !/^https?:/.test(uri)
}

const WEB_ORIGIN = /^(https?):\/\/([^/?#]*)/
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/

/** Host and port, or the private-use scheme with its colon, which distinguishes it from a host of the same name. */
export function returnHost(uri: MatchedRedirectUri): string {
  return WEB_ORIGIN.exec(uri)?.[2] ?? schemeOf(uri)
}

/** Returns the scheme alone for a private-use one. */
export function webOrigin(uri: MatchedRedirectUri): string {
  return WEB_ORIGIN.exec(uri)?.[0] ?? schemeOf(uri)
}

function schemeOf(uri: MatchedRedirectUri): string {
  const scheme = SCHEME.exec(uri)?.[0]
  if (scheme === undefined) throw new Error("a matched redirect URI has a scheme")
  return scheme
}

/** A text to percent-encode, or a text that is already encoded. */
export type ParameterValue = string | { readonly encoded: string }

/** RFC 6749 §4.1.2, appendix B. A space becomes `%20`, because apps that parse by hand often misread `+`. */
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
 * Escapes the characters that a query does not allow (RFC 3986 §3.4) and those that would begin another parameter.
 * Existing escapes in `raw` stay unchanged, even invalid ones.
 */
export function escapedForUrl(raw: string): string {
  return raw.replace(/[^A-Za-z0-9\-._~:@!$'()*+,;=/?%]+/g, encodeURIComponent)
}

/** Encodes a text. Form encoding also escapes some characters that `encodeURIComponent` leaves. */
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

const SHOWN_LENGTH_AT_MOST = 200

/**
 * Returns an unregistered address as pages and the log show it: without query, fragment and user information, in which
 * an app may put a secret, and with every character outside visible ASCII percent-encoded.
 */
export function shownAddress(uri: string): string {
  const [address = ""] = uri.split(/[?#]/, 1)
  return address
    .replace(/^([^/]*\/\/)[^/]*@/, "$1")
    .slice(0, SHOWN_LENGTH_AT_MOST)
    .toWellFormed()
    .replace(/[^\x21-\x7e]/gu, encodeURIComponent)
    .slice(0, SHOWN_LENGTH_AT_MOST)
}
