/** The target of a request (RFC 9112 §3.2), as an address of this service. */

/**
 * Path and query. Behind a proxy that keeps the base path and behind one that strips it, the routes are the same; the
 * absolute form (RFC 9112 §3.2.2) is one more way to write an address.
 */
export function localUrl(url = "/", basePath: string): string {
  const path = url.startsWith("/") ? url : withoutAuthority(url)
  if (basePath === "" || !path.startsWith(basePath)) return path
  const rest = path.slice(basePath.length)
  if (rest === "") return "/"
  return rest.startsWith("/") ? rest : rest.startsWith("?") ? `/${rest}` : path
}

/** An empty path is that of the root. What is no address of the absolute form stays what it is. */
function withoutAuthority(url: string): string {
  const authority = /^https?:\/\/[^/?#]+/i.exec(url)?.[0]
  if (authority === undefined) return url
  const rest = url.slice(authority.length)
  return rest.startsWith("/") ? rest : `/${rest}`
}
