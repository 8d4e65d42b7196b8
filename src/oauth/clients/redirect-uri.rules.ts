/**
 * Redirect URIs of an authorization, compared as raw strings. Interface REDIR-1, REDIR-2, REDIR-4; RFC 8252 §7.3,
 * RFC 9700 §4.1.3. `redirect-registration.rules.ts` decides what may be registered.
 */
import type { MatchedRedirectUri } from "../../kernel/ids.ts"

/**
 * The presented URI, if it equals a registered one byte for byte; null otherwise. An installed app cannot choose its
 * loopback port in advance, so the port is ignored for `127.0.0.1` and `localhost`, over http and https.
 * Divergence: D-6, for localhost and for https.
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

/** One of the two hosts, an optional port, then a path, a query or the end: no `@` can follow the port. */
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
 * Where the browser will go, for the consent page: host and port, or the private-use scheme with its colon. The colon
 * keeps a scheme that is spelled like a host from looking like one.
 */
export function returnHost(uri: MatchedRedirectUri): string {
  return WEB_ORIGIN.exec(uri)?.[2] ?? schemeOf(uri)
}

/** The source for a page's `form-action` policy, which allows the redirect after its form to go to `uri`. */
export function formActionSource(uri: MatchedRedirectUri): string {
  return WEB_ORIGIN.exec(uri)?.[0] ?? schemeOf(uri)
}

function schemeOf(uri: MatchedRedirectUri): string {
  const scheme = SCHEME.exec(uri)?.[0]
  if (scheme === undefined) throw new Error("a matched redirect address has a scheme")
  return scheme
}

/** Text to encode, or text that is already encoded and goes back unchanged. */
export type ParameterValue = string | { readonly encoded: string }

/**
 * The URI with `parameters` after its own query. RFC 6749 §4.1.2 and appendix B. A space is encoded as `%20`, not `+`,
 * because apps that parse the URI by hand read it correctly.
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
 * A raw value of a query, with its escapes, valid or not. Characters that a query does not allow (RFC 3986 §3.4), or
 * that would begin another parameter, are escaped.
 */
export function escapedForUrl(raw: string): string {
  return raw.replace(/[^A-Za-z0-9\-._~:@!$'()*+,;=/?%]+/g, encodeURIComponent)
}

/** Encoded in forms, but not by `encodeURIComponent`. */
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
