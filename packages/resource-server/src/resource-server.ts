/**
 * The entry point of the package. It checks the token of each request against cached responses. Revocations and other
 * changes apply within a second.
 */
import type { Access, Identity } from "./access.ts"
import type { Incoming } from "./bearer-header.ts"
import type { Clock } from "./clock.ts"
import { connect } from "./connection.ts"
import type { Refusal, RefusalReason } from "./refusal.ts"
import type { Requirement } from "./requirement.ts"
import type { ResourceMetadata } from "./resource.ts"
import type { Trouble } from "./service.ts"

export { requireElevation, requirePermission } from "./requirement.ts"
export { needsNewSignIn, SignInRequestError, signInUrl } from "./sign-in.ts"
export type { SignInOptions, SignInPerson, SignInQuery } from "./sign-in.ts"
export type {
  Access,
  Clock,
  Identity,
  Incoming,
  Refusal,
  RefusalReason,
  Requirement,
  ResourceMetadata,
  Trouble,
}

export type ResourceServerOptions = {
  /** The base URL of the service. */
  readonly issuer: string
  /** The `client_id` of an app that an administrator marked as a resource server. */
  readonly clientId: string
  readonly clientSecret: string
  /** The public URL of the API, such as `https://api.example` or `https://api.example/mcp`. */
  readonly resource: string
  /** The permissions for the metadata. Those that begin with `admin:` are left out. */
  readonly permissions?: readonly string[]
  /** The name of the API for people, in the metadata. */
  readonly resourceName?: string
  readonly resourceDocumentation?: string
  /**
   * If true, a token that names no resource is refused. Without it, such a token is accepted wherever it has the
   * permissions. The default is false.
   */
  readonly requireAudience?: boolean
  /** The maximum number of cached responses. The default is 10,000. */
  readonly cacheEntries?: number
  /** The time limit of a request to the service in milliseconds. The default is 5,000. */
  readonly timeoutMilliseconds?: number
  /** The maximum number of concurrent requests to the service. The default is 32. */
  readonly concurrency?: number
  /**
   * If false, every check sends a request to the service. Set it to false on runtimes that run no code between
   * requests.
   */
  readonly stream?: boolean
  /** Called if there are problems with the service, at most once a second for each kind. */
  readonly onTrouble?: (trouble: Trouble) => void
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
}

export type Checked =
  { readonly ok: true; readonly access: Access } | { readonly ok: false; readonly refusal: Refusal }

export type ResourceServer = {
  /**
   * Returns the access of a request that meets every requirement. Otherwise returns a refusal with its HTTP response.
   */
  readonly verify: (request: Incoming, ...requirements: readonly Requirement[]) => Promise<Checked>
  /** The metadata of RFC 9728. Every challenge contains `metadataUrl`. */
  readonly metadata: ResourceMetadata
  readonly metadataPath: string
  readonly metadataUrl: string
  /** Whether the event stream is connected and responses are cached. */
  readonly isLive: () => boolean
  /** Ends the event stream. Every later check sends a request to the service. */
  readonly close: () => void
}

export function createResourceServer({
  resource,
  permissions = [],
  resourceName: name,
  resourceDocumentation: documentation,
  requireAudience = false,
  ...options
}: ResourceServerOptions): ResourceServer {
  return connect(options).at({ resource, permissions, name, documentation, requireAudience })
}
