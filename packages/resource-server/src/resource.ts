/** The API as a protected resource: its URL, its metadata and its audience. */

/** The members of the metadata are those of RFC 9728 §2. */
export type ResourceMetadata = {
  readonly resource: string
  readonly authorization_servers: readonly string[]
  readonly bearer_methods_supported: readonly string[]
  readonly scopes_supported?: readonly string[]
  readonly resource_name?: string
  readonly resource_documentation?: string
}

export type Resource = {
  readonly metadata: ResourceMetadata
  /** The well-known part is between the host and the path. RFC 9728 §3.1. */
  readonly metadataUrl: string
  /** The path of `metadataUrl`. */
  readonly metadataPath: string
  /** Returns why a token with this `aud` is refused. Returns null if it is meant for this API. */
  readonly audienceProblem: (audience: readonly string[]) => "audienceMissing" | "audienceOther" | null
}

export type ResourceOptions = {
  readonly resource: string
  readonly issuer: string
  readonly permissions: readonly string[]
  readonly name: string | undefined
  readonly documentation: string | undefined
  readonly requireAudience: boolean
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource"

export function resourceOf({
  resource,
  issuer,
  permissions,
  name,
  documentation,
  requireAudience,
}: ResourceOptions): Resource {
  const { origin, pathname, search, href } = addressOf(resource, "resource")
  const metadataPath = WELL_KNOWN + (pathname === "/" ? "" : pathname)
  // Clients request every listed permission, so admin permissions are left out.
  const listed = permissions.filter((one) => !one.startsWith("admin:"))
  return {
    metadata: {
      resource,
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
      ...(listed.length > 0 && { scopes_supported: listed }),
      ...(name !== undefined && { resource_name: name }),
      ...(documentation !== undefined && { resource_documentation: documentation }),
    },
    metadataUrl: origin + metadataPath + search,
    metadataPath,
    audienceProblem: (audience) => {
      // Without this option, a token that names no resource is valid at every resource (RFC 8707 §2).
      if (audience.length === 0) return requireAudience ? "audienceMissing" : null
      return audience.some((one) => one === resource || canonical(one) === href) ? null : "audienceOther"
    },
  }
}

/**
 * Returns the form that a URL parser returns: a lower-case host, no default port, and `/` for an empty path. Clients
 * may send this form of the resource, so the API accepts both forms.
 */
function canonical(address: string): string | null {
  try {
    return new URL(address).href
  } catch {
    return null
  }
}

/**
 * Parses an absolute https URL without a fragment or user. A loopback URL may use http. Throws `TypeError` for any
 * other text.
 */
export function addressOf(text: string, option: string): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new TypeError(`${option}: "${text}" is not an absolute address`)
  }
  const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback))
    throw new TypeError(`${option}: "${text}" is not https`)
  if (text.includes("#")) throw new TypeError(`${option}: "${text}" has a fragment`)
  if (url.username !== "" || url.password !== "")
    throw new TypeError(`${option}: it contains a user name or password`)
  return url
}
