import type { GateAnswer } from "../answer.rules.ts"
import type { Found } from "../routes/match.rules.ts"
import { type GateRoute, sourceText } from "../routes/route.rules.ts"
import type { RouteReport } from "./check.rules.ts"

/** The request as the client sends it. */
export type Request = { readonly method: string; readonly host: string; readonly target: string }

export type Facts = {
  readonly request: Request
  /** Null if the file does not have the host. */
  readonly found: Found<GateRoute> | null
  /** The methods for which the path has a route. */
  readonly methods: readonly string[]
  readonly answer: Pick<GateAnswer, "status" | "reason">
  readonly resource: string
  /** What the token has, or null if it was not looked up or is not known. */
  readonly access: { readonly permissions: readonly string[]; readonly elevatedUntil: number | null } | null
  readonly now: number
  /** Why the service did not answer. */
  readonly trouble: string | null
}

type Needs = { readonly permissions: readonly string[]; readonly elevation: boolean }

export type Explanation = {
  readonly status: number
  readonly reason: string
  readonly method: string
  readonly host: string
  /** Without the query, which may contain secrets. */
  readonly path: string
  readonly route: Pick<RouteReport, "methods" | "path" | "source"> | null
  readonly needs: Needs | null
  readonly lacks: Needs | null
  readonly because: string
}

const ADDRESS = /^https?:\/\/([^/?#\\@]*)([^]*)$/i

/** Reads the URL without normalizing its path. Returns null for any other text, also with a user name or password. */
export function readRequest(method: string, url: string): Request | null {
  const [, host = "", rest = ""] = ADDRESS.exec(url) ?? []
  if (host === "" || rest.startsWith("@")) return null
  return { method, host, target: rest === "" || /^[?#]/.test(rest) ? `/${rest}` : rest }
}

export function explain(facts: Facts): Explanation {
  const { request, found, answer, access, now } = facts
  const route = found !== null && "route" in found ? found.route : null
  const open = found?.found === "route" && found.route.closed === null ? found.route : null
  const needs = open && { permissions: open.permissions, elevation: open.elevation }
  return {
    status: answer.status,
    reason: answer.reason,
    method: request.method,
    host: request.host,
    path: request.target.split(/[?#]/, 1)[0] ?? "",
    route: route && { methods: route.methods, path: route.template.text, source: sourceText(route.source) },
    needs,
    lacks: needs && access && lackOf(needs, access, now),
    because: because(facts),
  }
}

function lackOf(needs: Needs, access: NonNullable<Facts["access"]>, now: number): Needs {
  return {
    permissions: needs.permissions.filter((name) => !access.permissions.includes(name)),
    elevation: needs.elevation && (access.elevatedUntil ?? 0) <= now,
  }
}

function because(facts: Facts): string {
  const { found, methods, request } = facts
  if (found === null) return `the file has no host ${request.host}`
  switch (found.found) {
    case "undeclared":
      if (methods.length === 0) return "no route matches the path"
      return `the path has a route only for ${methods.join(", ")}; case matters`
    case "refusedPath":
      return found.problem === "not a path"
        ? "the target is not a path"
        : `the path contains ${found.problem}`
    case "notAllowed":
      return `the path contains what only paths: {allow: [${found.feature}]} of the route would allow`
    case "ambiguous":
      return "a server that ignores case, a trailing slash, a suffix, the rest after a script or an encoding could read the path as that route"
    case "route":
      return becauseOfRoute(found.route, facts)
  }
}

function becauseOfRoute({ closed, isPublic }: GateRoute, { answer, resource, trouble }: Facts): string {
  if (closed !== null) return `the gate cannot check this operation: ${closed}`
  if (isPublic) return "the route is public, and a token is not looked at"
  const why = TOKEN_REASONS[answer.reason] ?? answer.reason
  if (answer.reason === "audienceOther") return `${why} ${resource}`
  return answer.reason === "serviceUnavailable" && trouble !== null ? `${why}: ${trouble}` : why
}

const TOKEN_REASONS: Readonly<Record<string, string>> = {
  passed: "the token has everything that the route needs",
  tokenMissing: "no token was given; --token-stdin reads one",
  tokenMalformed: "the token is not one word; give it alone, without Bearer",
  tokenInvalid: "the token is unknown, expired or revoked",
  audienceMissing: "the token names no resource, and require_audience of the host is on",
  audienceOther: "the token was issued for another resource than",
  permissionLacking: "the token lacks a permission",
  elevationLacking: "the token is not elevated: its account must confirm a factor again",
  serviceUnavailable: "the service cannot check the token",
}
