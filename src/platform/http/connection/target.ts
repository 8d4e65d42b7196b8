/** Converts the target of a request (RFC 9112 §3.2) to a path of this service. */

/**
 * Returns path and query without the base path. A proxy may keep or remove the base path. The absolute form (RFC 9112
 * §3.2.2) is accepted too.
 */
export function localUrl(url = "/", basePath: string): string {
  const path = url.startsWith("/") ? url : withoutAuthority(url)
  if (basePath === "" || !path.startsWith(basePath)) return path
  const rest = path.slice(basePath.length)
  if (rest === "") return "/"
  return rest.startsWith("/") ? rest : rest.startsWith("?") ? `/${rest}` : path
}

/**
 * Removes the scheme and authority from an absolute target. An empty path becomes `/`. Other targets are returned
 * unchanged.
 */
function withoutAuthority(url: string): string {
  const authority = /^https?:\/\/[^/?#]+/i.exec(url)?.[0]
  if (authority === undefined) return url
  const rest = url.slice(authority.length)
  return rest.startsWith("/") ? rest : `/${rest}`
}
