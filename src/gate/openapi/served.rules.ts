/** Finds what routes serve by path and method. Names of parameters make no difference. */
import type { GateRoute } from "../routes/route.rules.ts"
import type { Template } from "../routes/template.rules.ts"

/** NUL cannot be in a path. */
const PARAMETER = "\0"
const REST = "\0\0"

export function templateKey({ segments, takesRest, trailingSlash }: Template, method: string): string {
  const texts = segments.map((segment) => segment ?? PARAMETER)
  return `${method} ${texts.join("/")}${takesRest ? REST : ""}${trailingSlash ? "/" : ""}`
}

/** A route for GET also serves HEAD. */
export function servedMethods({ methods }: Pick<GateRoute, "methods">): readonly string[] {
  return methods.includes("GET") && !methods.includes("HEAD") ? [...methods, "HEAD"] : methods
}

export function served(routes: readonly GateRoute[]): ReadonlySet<string> {
  return new Set(
    routes.flatMap((route) => servedMethods(route).map((method) => templateKey(route.template, method))),
  )
}

export function isServedBy(keys: ReadonlySet<string>, template: Template, method: string): boolean {
  return keys.has(templateKey(template, method))
}
