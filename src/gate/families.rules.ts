/** Each family of proxies has its own address and headers. A client could have sent those of another family. */

export type Family = "nginx" | "caddy" | "traefik" | "envoy" | "haproxy"

/** The request that a client sent to the proxy. `target` is the path with its query. */
export type Asked = { readonly method: string; readonly target: string; readonly host: string }

export type AuthRequest = {
  readonly method: string
  readonly url: string
  /** Names and values alternate. They show whether a header is repeated. */
  readonly rawHeaders: readonly string[]
}

const ORIGINAL = { method: "X-Original-Method", target: "X-Original-URI", host: "X-Original-Host" }
const FORWARDED = { method: "X-Forwarded-Method", target: "X-Forwarded-Uri", host: "X-Forwarded-Host" }

const HEADERS: Readonly<Record<Exclude<Family, "envoy">, Asked>> = {
  nginx: ORIGINAL,
  haproxy: ORIGINAL,
  caddy: FORWARDED,
  traefik: FORWARDED,
}

/** Envoy sends the method, the host and the path of the client, after this prefix. */
const ENVOY = "/auth/envoy"
const AUTH = "/auth/"

/** Returns the family of an address. Returns null for another address below `/auth/`, undefined for any other. */
export function familyOf(url: string): Family | null | undefined {
  if (!url.startsWith(AUTH)) return undefined
  if (url.startsWith(`${ENVOY}/`)) return "envoy"
  const end = url.indexOf("?")
  const name = url.slice(AUTH.length, end < 0 ? undefined : end)
  return name in HEADERS && Object.hasOwn(HEADERS, name) ? (name as keyof typeof HEADERS) : null
}

/** Returns the request, or the name of a header that is missing, empty or repeated. */
export function readAsked(family: Family, request: AuthRequest): Asked | { readonly missing: string } {
  if (family === "envoy") {
    const host = single(request.rawHeaders, "Host")
    if (host === null) return { missing: "Host" }
    return { method: request.method, target: request.url.slice(ENVOY.length), host }
  }
  const names = HEADERS[family]
  const method = single(request.rawHeaders, names.method)
  if (method === null) return { missing: names.method }
  const target = single(request.rawHeaders, names.target)
  if (target === null) return { missing: names.target }
  const host = single(request.rawHeaders, names.host)
  return host === null ? { missing: names.host } : { method, target, host }
}

/** Returns the value of a header that occurs once and is not empty. */
export function single(rawHeaders: readonly string[], name: string): string | null {
  let found: string | null = null
  const lower = name.toLowerCase()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const one = rawHeaders[at]
    if (one === undefined || one.length !== name.length) continue
    if (one !== name && one.toLowerCase() !== lower) continue
    if (found !== null) return null
    found = rawHeaders[at + 1] ?? null
  }
  return found === "" ? null : found
}
