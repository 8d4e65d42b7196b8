import { hostName } from "../routes/host.rules.ts"
import type { Servers } from "./document.rules.ts"

const PATH = /^\/(?!\/)[^?#{}]*$/
const ADDRESS = /^(?:https?:)?\/\/([^/?#{}]+)(\/[^?#{}]*)?$/i

/**
 * Returns the base paths, without a trailing slash. The URLs that count are paths such as `/v1`, and those of this
 * host. The list is empty if no URL counts. Without `servers`, the base path is empty.
 */
export function basePathsOf(servers: Servers, host: string): readonly string[] {
  if (servers === null || servers.length === 0) return [""]
  return [...new Set(servers.flatMap((url) => basePathOf(url, host) ?? []))]
}

function basePathOf(url: string, host: string): string | null {
  if (PATH.test(url)) return withoutSlash(url)
  const [, name, path = ""] = ADDRESS.exec(url) ?? []
  return name !== undefined && hostName(name) === host ? withoutSlash(path) : null
}

function withoutSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path
}
