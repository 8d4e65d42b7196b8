/** Whether an access token is valid for the service's own API. RFC 8707 §2, RFC 9700 §2.3; interface API-16. */
import { type Result, err } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"

/**
 * Whether the token is valid at this service. A token without `resource` is valid everywhere. Otherwise one `resource`
 * must be the base URL. A trailing slash is accepted, because client libraries add one to a URL without a path.
 */
export function isMeantForService(resources: readonly string[], baseUrl: string): boolean {
  return (
    resources.length === 0 || resources.some((resource) => resource === baseUrl || resource === `${baseUrl}/`)
  )
}

/** Whether clients may name a `resource`. */
export type IsKnownResource = (resource: string) => boolean

export const anyResource: IsKnownResource = () => true

/** Without a list from the operator, every value is known. The base URL is always known. */
export function knownResources({
  resourceServers,
  issuer,
}: {
  readonly resourceServers: ReadonlyMap<string, string> | null
  readonly issuer: string
}): IsKnownResource {
  if (resourceServers === null) return anyResource
  return (resource) => resourceServers.has(resource) || isMeantForService([resource], issuer)
}

/** Whether two audiences are the same. The order and repetitions do not matter. */
export function isSameAudience(one: readonly string[], other: readonly string[]): boolean {
  return new Set([...one, ...other]).size === new Set(one).size && new Set(one).size === new Set(other).size
}

/** The audience that a token request asks for. The value is null for most requests, which name no audience. */
export type RequestedAudience = Result<readonly string[] | null, Refusal>

/**
 * Returns the audience of a token request. The request may name some of the resources of the consent. If the consent
 * names none, the request may name any known resource. RFC 8707 §2.2. Refuses: resourceUnknown, and the error in
 * `requested`.
 */
export function narrowedAudience(
  consented: readonly string[],
  requested: RequestedAudience,
  isKnown: IsKnownResource,
): RequestedAudience {
  if (!requested.ok || requested.value === null) return requested
  const isGranted = consented.length === 0 ? isKnown : (resource: string) => consented.includes(resource)
  return requested.value.every(isGranted) ? requested : err({ reason: "resourceUnknown" })
}
