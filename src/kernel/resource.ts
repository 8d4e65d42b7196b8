/** The syntax of a `resource` (RFC 8707 §2), and when two of them are the same one. */
import { RESOURCE_BYTES_AT_MOST } from "./limits.ts"

/** Matches an absolute URI without a fragment. The allowed characters come from RFC 3986. */
const RESOURCE = /^[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?[\]@!$&'()*+,;=%-]+$/

export function isResource(text: string): boolean {
  return text.length <= RESOURCE_BYTES_AT_MOST && RESOURCE.test(text)
}

/** Scheme, user information, host, port, path and query of a URL with a host. */
const URL_PARTS = /^([^:/?#]+):\/\/([^/?]*@)?([^/?]*?)(?::([0-9]*))?(\/[^?]*)?(\?.*)?$/
const SCHEME = /^[^:/?#]+:/
const DEFAULT_PORTS: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
])

/**
 * Returns a text that is the same for two spellings of one resource: scheme and host in lower case, no default port,
 * and `/` for an empty path. Nothing else is changed. RFC 3986 §6.2.2.1 and §6.2.3; packages/vectors/audience.json.
 */
export function resourceKey(resource: string): string {
  const parts = URL_PARTS.exec(resource)
  if (parts === null) return resource.replace(SCHEME, (scheme) => scheme.toLowerCase())
  const [, writtenScheme = "", user = "", host = "", port = "", path = "/", query = ""] = parts
  const scheme = writtenScheme.toLowerCase()
  const isDefaultPort = port === "" || Number(port) === DEFAULT_PORTS.get(scheme)
  return `${scheme}://${user}${host.toLowerCase()}${isDefaultPort ? "" : `:${port}`}${path}${query}`
}

/** Removes the later spellings of each resource. */
export function distinctResources(resources: readonly string[]): readonly string[] {
  if (resources.length < 2) return resources
  const spellings = new Map<string, string>()
  for (const resource of resources) {
    const key = resourceKey(resource)
    if (!spellings.has(key)) spellings.set(key, resource)
  }
  return [...spellings.values()]
}
