/** The resources that clients may name: RFC 8707 §2. Interface RES-1. */
import { resourceKey } from "../kernel/resource.ts"
import type { LocalText } from "./permissions/permission-catalog.rules.ts"

/** Returns the spelling to store and to show. Returns null if clients may not name the resource. */
export type ResourceSpelling = (resource: string) => string | null

/** Without a list from the operator, every resource may be named, and keeps the spelling of its client. */
export const anyResource: ResourceSpelling = (resource) => resource

export type KnownResources = {
  readonly spellingOf: ResourceSpelling
  /** Returns the configured name for people. Returns null without one. */
  readonly nameOf: (resource: string) => LocalText | null
}

/** `resourceServers` are the operator's spellings with their names. The base URL is always known. */
export function knownResources(
  resourceServers: ReadonlyMap<string, LocalText> | null,
  baseUrl: string,
): KnownResources {
  if (resourceServers === null) return { spellingOf: anyResource, nameOf: () => null }
  const spellings = new Map([baseUrl, ...resourceServers.keys()].map((one) => [resourceKey(one), one]))
  const spellingOf = (resource: string) =>
    resourceServers.has(resource) ? resource : (spellings.get(resourceKey(resource)) ?? null)
  return { spellingOf, nameOf: (resource) => resourceServers.get(spellingOf(resource) ?? "") ?? null }
}
