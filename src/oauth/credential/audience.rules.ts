/** Whether an access token is meant for the service's own API. RFC 8707 §2, RFC 9700 §2.3; interface API-16. */

/**
 * A token without `resource` is good everywhere. One that names resources is good here only where one of them is the base
 * URL, which may end in a slash: client libraries write the address of a host with it.
 */
export function isMeantForService(resources: readonly string[], baseUrl: string): boolean {
  return (
    resources.length === 0 || resources.some((resource) => resource === baseUrl || resource === `${baseUrl}/`)
  )
}
