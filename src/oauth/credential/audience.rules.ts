/** The audience of access tokens. RFC 8707 §2, RFC 9700 §2.3; interface API-16, RES-1, RES-2. */
import { resourceKey } from "../../kernel/resource.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { ResourceSpelling } from "../../model/known-resources.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"

/**
 * Whether the token is valid at this service. A token without `resource` is valid everywhere. Otherwise one `resource`
 * must be the base URL.
 */
export function isMeantForService(resources: readonly string[], baseUrl: string): boolean {
  return resources.length === 0 || resources.some((resource) => isSameResource(resource, baseUrl))
}

/** Whether two audiences are the same. The order and repetitions do not matter. */
export function isSameAudience(one: readonly string[], other: readonly string[]): boolean {
  const [ones, others] = [new Set(one.map(resourceKey)), new Set(other.map(resourceKey))]
  return ones.size === others.size && [...ones].every((key) => others.has(key))
}

function isSameResource(one: string, other: string): boolean {
  return one === other || resourceKey(one) === resourceKey(other)
}

/** Returns the requested resources in the spelling to store. Refuses: resourceUnknown. */
export function spelledResources(
  resources: readonly string[],
  spellingOf: ResourceSpelling,
): Result<readonly string[], Refusal> {
  const spelled: string[] = []
  for (const resource of resources) {
    const spelling = spellingOf(resource)
    if (spelling === null) return err({ reason: "resourceUnknown" })
    spelled.push(spelling)
  }
  return ok(spelled)
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
  spellingOf: ResourceSpelling,
): RequestedAudience {
  if (!requested.ok || requested.value === null) return requested
  const consentedSpelling = (resource: string) =>
    consented.find((one) => isSameResource(one, resource)) ?? null
  return spelledResources(requested.value, consented.length === 0 ? spellingOf : consentedSpelling)
}
