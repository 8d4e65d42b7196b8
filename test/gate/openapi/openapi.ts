/** Imports an OpenAPI document as the gate does, and asks the routes that come of it. */
import { importRoutes } from "../../../src/gate/openapi/import.rules.ts"
import { readOpenApi } from "../../../src/gate/openapi/openapi-reader.ts"
import { findRoute, routeTable } from "../../../src/gate/routes/match.rules.ts"
import type { GateRoute } from "../../../src/gate/routes/route.rules.ts"
import { templateOf } from "../routes/routes.ts"

export const HEAD = `openapi: 3.1.0
components:
  securitySchemes:
    oauth: { type: oauth2 }
    key: { type: apiKey }
`

/** Operations that need permissions, nothing, and what the gate cannot check. */
export const op = (...scopes: readonly string[]) => `{ security: [{ oauth: [${scopes.join()}] }] }`
export const PUBLIC = "{ security: [] }"
export const KEY = "{ security: [{ key: [] }] }"

export function explicit(method: string, path: string, permission: string): GateRoute {
  return {
    source: { file: "gate.yaml", line: 9 },
    methods: [method],
    template: templateOf(path),
    isPublic: false,
    permissions: [permission],
    elevation: false,
    allow: [],
    closed: null,
  }
}

/** `text` begins at line 6, after `HEAD`. */
export function importing(text: string, routes: readonly GateRoute[] = []) {
  const document = readOpenApi(HEAD + text)
  if (!document.ok) return { problems: lined(document.error), uncovered: [], ask: () => "broken" }
  const imported = importRoutes({
    document: document.value,
    file: "api.yaml",
    host: "api.example",
    explicit: routes,
  })
  const table = routeTable([...routes, ...imported.routes])
  return {
    problems: lined(imported.problems),
    uncovered: imported.uncovered.map(
      ({ methods, path, source, reason }) =>
        `${source.line} ${methods.length > 1 ? "any" : methods.join()} ${path}: ${reason}`,
    ),
    /** Returns the permissions that the request needs, or why it is refused. */
    ask: (method: string, target: string): string => {
      const result = findRoute(table, method, target)
      if (result.found !== "route") return result.found
      const { closed, isPublic, permissions } = result.route
      if (closed !== null) return "closed"
      return isPublic ? "public" : permissions.join(" ")
    },
  }
}

export function problemsOf(text: string): readonly string[] {
  const document = readOpenApi(text)
  return document.ok ? [] : lined(document.error)
}

function lined(problems: readonly { readonly line: number; readonly problem: string }[]): readonly string[] {
  return problems.map(({ line, problem }) => `${line}: ${problem}`)
}
