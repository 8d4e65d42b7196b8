/** The routes and hosts that the gate guards, as its file declares them. */
import type { PathFeature } from "./path.rules.ts"
import type { RouteTable } from "./match.rules.ts"
import type { Template } from "./template.rules.ts"

export type GateRoute = {
  /** The line in the file that declares it, or the file of the OpenAPI document. */
  readonly source: string
  readonly methods: readonly string[]
  readonly template: Template
  /** A public route needs no token, and a token is not looked at. */
  readonly isPublic: boolean
  /** The token must have all of these permissions. */
  readonly permissions: readonly string[]
  readonly elevation: boolean
  readonly allow: readonly PathFeature[]
}

export type GateHost = {
  readonly name: string
  /** The URL that clients use (RFC 8707, RFC 9728). */
  readonly resource: string
  readonly routes: readonly GateRoute[]
  readonly table: RouteTable<GateRoute>
}

/** All permissions that the routes of a host need, without repetition. */
export function permissionsOf({ routes }: Pick<GateHost, "routes">): readonly string[] {
  return [...new Set(routes.flatMap(({ permissions }) => permissions))]
}
