/**
 * Finds the route of a request: the most specific path first, then the order of the file.
 *
 * Some servers ignore case, a trailing slash, a suffix such as `.json`, or what follows a script such as `/admin.php`. If
 * such a server could read the path as another route than the gate does, the request is refused.
 */
import type { Spelling } from "./fold.rules.ts"
import { type PathFeature, type PathProblem, type ReadPath, readPath } from "./path.rules.ts"
import type { Reading } from "./readings.rules.ts"
import { readingsOfScripts, readingsWithoutSuffix } from "./suffix.rules.ts"
import { bySpecificity, type Template } from "./template.rules.ts"

/** What a matcher needs to know of a route. */
export type Matched = {
  readonly methods: readonly string[]
  readonly template: Template
  readonly allow: readonly PathFeature[]
  /** What a request needs. A missing member is not known. */
  readonly isPublic?: boolean
  readonly permissions?: readonly string[]
  readonly elevation?: boolean
  readonly closed?: string | null
}

export type Found<R> =
  | { readonly found: "route"; readonly route: R }
  | { readonly found: "refusedPath"; readonly problem: PathProblem }
  | { readonly found: "undeclared" }
  | { readonly found: "notAllowed"; readonly route: R; readonly feature: PathFeature }
  /** A server that ignores case, a slash, a suffix, the rest after a script or an encoding could read the path as `route`. */
  | { readonly found: "ambiguous"; readonly route: R }

/** The routes of a host by method, the most specific first. */
export type RouteTable<R extends Matched> = ReadonlyMap<string, readonly R[]>

export function routeTable<R extends Matched>(routes: readonly R[]): RouteTable<R> {
  const methods = new Set(routes.flatMap((route) => route.methods))
  if (methods.has("GET")) methods.add("HEAD")
  return new Map([...methods].map((method) => [method, serving(routes, method)]))
}

/** A route for GET also serves HEAD, as servers do. Of the same path, a route for HEAD comes first. */
function serving<R extends Matched>(routes: readonly R[], method: string): readonly R[] {
  const declared = routes.filter(({ methods }) => methods.includes(method))
  const others = routes.filter(({ methods }) => !methods.includes("HEAD") && methods.includes("GET"))
  const all = method === "HEAD" ? [...declared, ...others] : declared
  return all.toSorted((one, other) => bySpecificity(one.template, other.template))
}

/** `target` is the path with its query, as the request line has it. */
export function findRoute<R extends Matched>(table: RouteTable<R>, method: string, target: string): Found<R> {
  const read = readPath(target)
  if (typeof read === "string") return { found: "refusedPath", problem: read }
  const routes = table.get(method)
  const first = routes === undefined ? null : firstLoose(routes, read.reading, read.spelling)
  if (routes === undefined || first === null) return UNDECLARED
  const route = isExact(first.template, read.reading) ? first : exactIn(routes, first, read.reading)
  if (route === null) return { found: "ambiguous", route: first }
  const feature = read.features.find((one) => !route.allow.includes(one))
  if (feature !== undefined) return { found: "notAllowed", route, feature }
  for (const alternative of read.alternatives) {
    const other = firstLoose(routes, alternative, read.spelling)
    if (other !== null && !isAlike(other, first) && mayNeedMore(other, route))
      return { found: "ambiguous", route: other }
  }
  const other = otherRoutes(routes, read, first.template).find((one) => mayNeedMore(one, route))
  return other === undefined ? { found: "route", route } : { found: "ambiguous", route: other }
}

/** Returns the routes that a server which ignores a suffix, or what follows a script, could choose. */
function otherRoutes<R extends Matched>(
  routes: readonly R[],
  { reading, alternatives, spelling }: ReadPath,
  template: Template,
): readonly R[] {
  const readings = [reading, ...alternatives]
  const without = readings.flatMap((one) => readingsWithoutSuffix(one, template))
  const scripts = readings.flatMap((one) => readingsOfScripts(one, template))
  return [
    ...without.flatMap((one) => firstLoose(routes, one, spelling) ?? []),
    ...scripts
      .flatMap((one) => firstLoose(routes, one, spelling) ?? [])
      .filter((one) => typeof one.template.segments.at(-1) === "string"),
  ]
}

/** Whether `other` may need something that `route` does not. If not, a path such as `/login.js` passes as either. */
function mayNeedMore(other: Matched, route: Matched): boolean {
  if (other === route) return false
  if (other.closed !== null) return true
  if (other.isPublic === true) return false
  if (route.isPublic !== false || (other.elevation !== false && route.elevation !== true)) return true
  return other.permissions?.every((name) => route.permissions?.includes(name)) !== true
}

const UNDECLARED = { found: "undeclared" } as const

/** Returns the first route that a server which ignores case and a trailing slash would choose. */
function firstLoose<R extends Matched>(
  routes: readonly R[],
  { segments }: Reading,
  { folded }: Spelling,
): R | null {
  const small = segments.map((segment) => folded(segment))
  for (const route of routes) if (isLoose(route.template, segments, small)) return route
  return null
}

/** Returns the route that is written like `first` except for case and slash, and that matches exactly. */
function exactIn<R extends Matched>(routes: readonly R[], first: R, reading: Reading): R | null {
  return routes.find((route) => isAlike(route, first) && isExact(route.template, reading)) ?? null
}

function isAlike({ template: one }: Matched, { template: other }: Matched): boolean {
  return bySpecificity(one, other) === 0 && one.folded.every((literal, at) => literal === other.folded[at])
}

/** `small` are the segments in their folded form. */
function isLoose(
  { folded: expected, takesRest }: Template,
  segments: readonly string[],
  small: readonly string[],
): boolean {
  const { length } = expected
  if (takesRest ? segments.length < length : segments.length !== length) return false
  for (let at = 0; at < length; at++) {
    const literal = expected[at]
    if (literal === null ? segments[at] === "" : literal !== small[at]) return false
  }
  return true
}

/** Whether a path that matches loosely matches exactly. */
function isExact({ segments: expected, takesRest, trailingSlash }: Template, reading: Reading): boolean {
  if (!takesRest && trailingSlash !== reading.trailingSlash) return false
  return expected.every((literal, at) => literal === null || literal === reading.segments[at])
}
