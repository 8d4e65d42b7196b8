/** Closes paths that two operations match, as `/a/{x}` and `/{x}/b` do: OpenAPI does not say which of them is meant. */
import { type GateRoute, sourceText } from "../routes/route.rules.ts"
import { commonPath, templateOf } from "./pattern.rules.ts"
import { isServedBy, served, servedMethods } from "./served.rules.ts"

/** Returns the closed routes. A path with a route of its own stays as it is. */
export function closeAmbiguous(
  routes: readonly GateRoute[],
  explicit: readonly GateRoute[],
): readonly GateRoute[] {
  const known = served([...routes, ...explicit])
  const closing = new Map<string, GateRoute>()
  for (const [at, one] of routes.entries()) {
    for (const other of routes.slice(at + 1)) {
      const methods = sharedMethods(one, other)
      if (methods.length === 0 || needsTheSame(one, other)) continue
      const path = commonPath(one.template, other.template)
      const template = path === null ? null : templateOf(path)
      if (template === null || "problem" in template) continue
      const open = methods.filter((method) => !isServedBy(known, template, method))
      if (open.length === 0) continue
      const closed = `${one.template.text} and ${other.template.text} (${sourceText(other.source)}) both match it`
      const route = { ...one, methods: open, template, isPublic: false, permissions: [], closed }
      closing.set(`${open.join()} ${template.text}`, route)
    }
  }
  return [...closing.values()]
}

function sharedMethods(one: GateRoute, other: GateRoute): readonly string[] {
  const shared = servedMethods(one).filter((method) => servedMethods(other).includes(method))
  return shared.includes("GET") ? shared.filter((method) => method !== "HEAD") : shared
}

function needsTheSame(one: GateRoute, other: GateRoute): boolean {
  if (one.closed !== null || other.closed !== null) return one.closed !== null && other.closed !== null
  const names = new Set(other.permissions)
  return (
    one.isPublic === other.isPublic &&
    one.permissions.length === names.size &&
    one.permissions.every((name) => names.has(name))
  )
}
