/** The resources that clients may name: RFC 8707 §2. Interface RES-1, JWT-1. */
import { resourceKey } from "../kernel/resource.ts"
import type { LocalText } from "./permissions/permission-catalog.rules.ts"
import type { SignatureAlgorithm } from "./signing-key.rules.ts"

/** An API of the operator. `jwt` is null if its access tokens are opaque. */
export type ResourceServer = { readonly name: LocalText; readonly jwt: JwtFormat | null }

export type JwtFormat = { readonly algorithm: SignatureAlgorithm; readonly seconds: number }

/** The API that a JWT access token is for, in the configured spelling, and the format of its tokens. */
export type JwtFor = JwtFormat & { readonly resource: string }

/** Returns the spelling to store and to show. Returns null if clients may not name the resource. */
export type ResourceSpelling = (resource: string) => string | null

/** Without a list from the operator, every resource may be named, and keeps the spelling of its client. */
export const anyResource: ResourceSpelling = (resource) => resource

/** Returns what makes the access token for this audience a JWT. Returns null if the token is opaque. */
export type JwtOf = (audience: readonly string[]) => JwtFor | null

export const noJwt: JwtOf = () => null

export type KnownResources = {
  readonly spellingOf: ResourceSpelling
  /** Returns the configured name for people. Returns null without one. */
  readonly nameOf: (resource: string) => LocalText | null
  readonly jwtOf: JwtOf
  /** The algorithms that sign JWT access tokens. */
  readonly algorithms: ReadonlySet<SignatureAlgorithm>
}

/** `resourceServers` are the operator's APIs by their `resource`. The base URL is always known. */
export function knownResources(
  resourceServers: ReadonlyMap<string, ResourceServer> | null,
  baseUrl: string,
): KnownResources {
  if (resourceServers === null)
    return { spellingOf: anyResource, nameOf: () => null, jwtOf: noJwt, algorithms: new Set() }
  const spellings = new Map([baseUrl, ...resourceServers.keys()].map((one) => [resourceKey(one), one]))
  const spellingOf = (resource: string) =>
    resourceServers.has(resource) ? resource : (spellings.get(resourceKey(resource)) ?? null)
  const algorithms = new Set([...resourceServers.values()].flatMap(({ jwt }) => jwt?.algorithm ?? []))
  return {
    spellingOf,
    nameOf: (resource) => resourceServers.get(spellingOf(resource) ?? "")?.name ?? null,
    jwtOf: algorithms.size === 0 ? noJwt : (audience) => jwtFor(audience, spellingOf, resourceServers),
    algorithms,
  }
}

/** A token that several servers accept stays opaque: each of them could use it at the others. RFC 9068 §3. */
function jwtFor(
  audience: readonly string[],
  spellingOf: ResourceSpelling,
  resourceServers: ReadonlyMap<string, ResourceServer>,
): JwtFor | null {
  const [named, ...more] = audience
  if (named === undefined || more.length > 0) return null
  const resource = spellingOf(named)
  const jwt = resource === null ? null : (resourceServers.get(resource)?.jwt ?? null)
  return resource === null || jwt === null ? null : { ...jwt, resource }
}
