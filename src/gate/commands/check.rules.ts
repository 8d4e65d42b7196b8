import { type GateHost, type GateRoute, sourceText, type Uncovered } from "../routes/route.rules.ts"
import { type Catalog, type PermissionState, stateOf } from "./catalog.rules.ts"

export type RouteReport = {
  readonly methods: readonly string[]
  readonly path: string
  readonly public: boolean
  readonly permissions: readonly string[]
  readonly elevation: boolean
  readonly source: string
}

export type HostReport = {
  readonly host: string
  readonly resource: string
  readonly covered: readonly RouteReport[]
  readonly uncovered: readonly (Omit<Uncovered, "source"> & { readonly source: string })[]
  /** Only permissions that the catalog lacks or may lack. */
  readonly permissions: readonly PermissionReport[]
}

export type PermissionReport = {
  readonly name: string
  readonly state: Exclude<PermissionState, "listed">
  readonly sources: readonly string[]
}

export function reportOf({ name, resource, routes, uncovered }: GateHost, catalog: Catalog): HostReport {
  const covered = routes.filter(({ closed }) => closed === null)
  return {
    host: name,
    resource,
    covered: covered.map((route) => ({
      methods: route.methods,
      path: route.template.text,
      public: route.isPublic,
      permissions: route.permissions,
      elevation: route.elevation,
      source: sourceText(route.source),
    })),
    uncovered: uncovered.map((one) => ({ ...one, source: sourceText(one.source) })),
    permissions: permissionsOf(covered, catalog),
  }
}

function permissionsOf(routes: readonly GateRoute[], catalog: Catalog): readonly PermissionReport[] {
  const sources = new Map<string, string[]>()
  for (const { permissions, source } of routes)
    for (const name of permissions) sources.set(name, [...(sources.get(name) ?? []), sourceText(source)])
  return [...sources].flatMap(([name, from]) => {
    const state = stateOf(name, catalog)
    return state === "listed" ? [] : [{ name, state, sources: from }]
  })
}

/** Returns what a person must know about the permissions. Each has the first route of a host that needs it. */
export function remarksOn(reports: readonly HostReport[], service: string, catalog: Catalog) {
  const found = reports.flatMap(({ permissions }) => permissions)
  if (found.length === 0) return []
  if ("unchecked" in catalog)
    return [`The permissions were not compared with the catalog of ${service}: ${catalog.unchecked}.`]
  const of = (state: PermissionState) => {
    const named = found.filter((one) => one.state === state)
    return [...new Set(named.map(({ name, sources: [first = ""] }) => `${name} (${first})`))].join(", ")
  }
  const [missing, unlisted, unchecked] = [of("missing"), of("unlisted"), of("unchecked")]
  return [
    missing !== "" && `The catalog of ${service} lacks: ${missing}. No token can have that.`,
    unlisted !== "" &&
      `${service} does not list: ${unlisted}. It lists only what apps that anyone can register may ask for, so these may exist.`,
    unchecked !== "" && `Not checked, because no service lists permissions of administrators: ${unchecked}.`,
  ].filter((one) => one !== false)
}
