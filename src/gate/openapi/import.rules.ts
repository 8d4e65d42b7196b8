/**
 * Makes routes from the operations of an OpenAPI document. An operation that the gate cannot check becomes a closed
 * route. An explicit route of the gate's file replaces the operations of its path and methods.
 */
import { type GateRoute, sourceText, type Source, type Uncovered } from "../routes/route.rules.ts"
import type { Template } from "../routes/template.rules.ts"
import { closeAmbiguous } from "./ambiguity.rules.ts"
import { OPENAPI_METHODS, type OpenApiDocument, type PathItem } from "./document.rules.ts"
import { canOverlap, type Pattern, templateOf, widePatternOf } from "./pattern.rules.ts"
import { neededBy, type Needed } from "./security.rules.ts"
import { basePathsOf } from "./servers.rules.ts"
import { isServedBy, served, servedMethods, templateKey } from "./served.rules.ts"

export type ImportInput = {
  readonly document: OpenApiDocument
  readonly file: string
  readonly host: string
  /** The routes of the gate's file. */
  readonly explicit: readonly GateRoute[]
}

export type Imported = {
  readonly routes: readonly GateRoute[]
  readonly uncovered: readonly Uncovered[]
  readonly problems: readonly { readonly line: number; readonly problem: string }[]
}

/** An operation at one of its paths. Its path item may be a `$ref`, which stands for all methods. */
type Declared = Omit<Uncovered, "reason"> & { readonly needed: Needed }
type Placed = Declared & { readonly template: Template }
type Unplaced = Uncovered & { readonly pattern: Pattern }

export function importRoutes(input: ImportInput): Imported {
  const { explicit } = input
  const { declared, elsewhere } = declaredIn(input)
  const placed: Placed[] = []
  const unplaced: Unplaced[] = []
  for (const one of declared) {
    const template = templateOf(one.path)
    if (!("problem" in template)) placed.push({ ...one, template })
    else unplaced.push({ ...one, reason: template.problem, pattern: widePatternOf(one.path) })
  }
  const taken = served(explicit)
  const own = placed.flatMap((one) => withoutExplicit(one, taken))
  const routes = own.map((one) => routeOf(one, unplaced))
  const closing = closeAmbiguous(routes, explicit)
  const closed = [...routes, ...closing].flatMap((route) => uncoveredBy(route) ?? [])
  const unmatched = unplaced.map((one) => uncoveredPath(one, explicit))
  const uncovered = [...elsewhere, ...unmatched, ...closed]
  return {
    routes: [...closing, ...routes],
    uncovered: uncovered.toSorted((one, other) => one.source.line - other.source.line),
    problems: repeated(placed),
  }
}

/** Returns all operations at their paths, and those that no URL of this host has. */
function declaredIn({ document, file, host }: ImportInput) {
  const declared: Declared[] = []
  const elsewhere: Uncovered[] = []
  for (const item of document.paths) {
    for (const { methods, line, servers, needed } of operationsOf(item, document)) {
      const bases = basePathsOf(servers ?? item.servers ?? document.servers, host)
      const source: Source = { file, line }
      for (const base of bases) declared.push({ source, methods, path: base + item.path, needed })
      const reason = `no URL of its servers is a path or an address of ${host}`
      if (bases.length === 0) elsewhere.push({ source, methods, path: item.path, reason })
    }
  }
  return { declared, elsewhere }
}

function operationsOf({ isReference, operations, line }: PathItem, document: OpenApiDocument) {
  if (isReference)
    return [{ methods: OPENAPI_METHODS, line, servers: null, needed: { reason: "its path item is a $ref" } }]
  return operations.map((one) => ({ ...one, methods: [one.method], needed: neededBy(one, document) }))
}

function withoutExplicit(one: Placed, explicit: ReadonlySet<string>): readonly Placed[] {
  const methods = one.methods.filter((method) => !isServedBy(explicit, one.template, method))
  return methods.length === 0 ? [] : [{ ...one, methods }]
}

function routeOf(placed: Placed, unplaced: readonly Unplaced[]): GateRoute {
  const { source, methods, template, needed } = placed
  const closed = "reason" in needed ? needed.reason : overlapReason(placed, unplaced)
  const { isPublic, permissions } = "reason" in needed || closed !== null ? NOTHING : needed
  return { source, methods, template, isPublic, permissions, elevation: false, allow: [], closed }
}

const NOTHING = { isPublic: false, permissions: [] }

/** If the gate has no template for a path, its requests must not pass as those of another path. */
function overlapReason({ methods, template }: Placed, unplaced: readonly Unplaced[]): string | null {
  const other = unplaced.find((one) => shareMethod(methods, one.methods) && canOverlap(one.pattern, template))
  return other === undefined ? null : `requests to ${other.path} (line ${other.source.line}) could match it`
}

function uncoveredPath({ pattern, ...one }: Unplaced, explicit: readonly GateRoute[]): Uncovered {
  const route = explicit.find(
    ({ methods, template }) => shareMethod(methods, one.methods) && canOverlap(pattern, template),
  )
  if (route === undefined) return one
  return { ...one, reason: `${one.reason}; requests to it could match ${sourceText(route.source)}` }
}

function shareMethod(some: readonly string[], others: readonly string[]): boolean {
  const theirs = servedMethods({ methods: others })
  return servedMethods({ methods: some }).some((method) => theirs.includes(method))
}

function uncoveredBy({ source, methods, template, closed }: GateRoute): Uncovered | null {
  return closed === null ? null : { source, methods, path: template.text, reason: closed }
}

/** Two paths that differ only in the names of their parameters are the same. */
function repeated(placed: readonly Placed[]): Imported["problems"] {
  const lines = new Map<string, number>()
  return placed.flatMap(({ methods, template, source, path }) =>
    methods.flatMap((method) => {
      const key = templateKey(template, method)
      const first = lines.get(key) ?? source.line
      lines.set(key, first)
      if (first === source.line) return []
      return [
        { line: source.line, problem: `${method} ${path} is the same as the operation of line ${first}` },
      ]
    }),
  )
}
