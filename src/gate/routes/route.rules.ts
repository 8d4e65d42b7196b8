/** The routes and hosts that the gate guards, as its file and OpenAPI documents declare them. */
import type { PathFeature } from "./path.rules.ts"
import type { RouteTable } from "./match.rules.ts"
import type { Template } from "./template.rules.ts"

export type Source = { readonly file: string; readonly line: number }

export type GateRoute = {
  readonly source: Source
  readonly methods: readonly string[]
  readonly template: Template
  /** A public route needs no token and ignores one. */
  readonly isPublic: boolean
  /** The token must have all of these permissions. */
  readonly permissions: readonly string[]
  readonly elevation: boolean
  readonly allow: readonly PathFeature[]
  /** Why every request is refused. Without such a route, a less specific one could match them. */
  readonly closed: string | null
}

/** An operation of an OpenAPI document that is refused. */
export type Uncovered = {
  readonly source: Source
  readonly methods: readonly string[]
  readonly path: string
  readonly reason: string
}

export type GateHost = {
  readonly name: string
  /** The URL that clients use (RFC 8707, RFC 9728). */
  readonly resource: string
  /** Whether a token that names no resource is refused. */
  readonly requireAudience: boolean
  readonly routes: readonly GateRoute[]
  readonly table: RouteTable<GateRoute>
  readonly uncovered: readonly Uncovered[]
}

/** All permissions that the routes of a host need, without repetition. */
export function permissionsOf({ routes }: Pick<GateHost, "routes">): readonly string[] {
  return [...new Set(routes.flatMap(({ permissions }) => permissions))]
}

export function sourceText({ file, line }: Source): string {
  return `${file}:${line}`
}
