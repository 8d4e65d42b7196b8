/** Whether an access token is meant for the service's own API. RFC 8707 §2, RFC 9700 §2.3; interface API-16. */

/**
 * A token without `resource` is valid everywhere. A token that names resources is valid here only if one of them is the
 * base URL. It may end in a slash, because client libraries add one to a bare host.
 */
export function isMeantForService(resources: readonly string[], baseUrl: string): boolean {
  return (
    resources.length === 0 || resources.some((resource) => resource === baseUrl || resource === `${baseUrl}/`)
  )
}
