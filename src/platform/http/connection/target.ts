/** Converts the target of a request (RFC 9112 §3.2) to a path of this service. */

/** Path and query without the base path, which a proxy may remove. Accepts the absolute form (RFC 9112 §3.2.2). */
export function localUrl(url = "/", basePath: string): string {
  const path = url.startsWith("/") ? url : withoutAuthority(url)
  if (basePath === "" || !path.startsWith(basePath)) return path
  const rest = path.slice(basePath.length)
  if (rest === "") return "/"
  return rest.startsWith("/") ? rest : rest.startsWith("?") ? `/${rest}` : path
}

/** Removes scheme and authority from an absolute target. An empty path becomes `/`. Others stay unchanged. */
function withoutAuthority(url: string): string {
  const authority = /^https?:\/\/[^/?#]+/i.exec(url)?.[0]
  if (authority === undefined) return url
  const rest = url.slice(authority.length)
  return rest.startsWith("/") ? rest : `/${rest}`
}
