/**
 * An operation of the API: one row says what it needs, takes and gives. Route, checks and description come from that row,
 * so that they cannot disagree. Interface AUTH-1, AUTH-9, ERR-14; RFC 6750 §3.1.
 *
 * The order of checks, for every one of them: token, permissions, elevation, input, state.
 */
import type { Bearer } from "../../oauth/credential/bearer.rules.ts"
import type { builtInPermissions } from "../../permissions/built-in-permissions.rules.ts"
import {
  type ApiEffect,
  type ApiOperation,
  apiOperations,
  type Effect,
  needsRecentFactor,
} from "../../accounts/elevation.rules.ts"
import type { Json } from "../../kernel/json.ts"
import type { Actor } from "../../accounts/accounts.ts"
import { addressOf, type Endpoint } from "../../http/endpoint.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendJson } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { type Refused, sendBearerRefusal, sendRefused } from "../../http/api-error.ts"
import { type Body, inputOf, jsonBodyOf } from "./input.ts"
import { bearerOf } from "./protected.ts"
import type { Shape } from "./shape.ts"

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
export type Needed = keyof typeof builtInPermissions

/** The names in the braces of a path. */
export type NamesOf<P extends string> = P extends `${string}{${infer N}}${infer Rest}`
  ? N | NamesOf<Rest>
  : never

/** A request that has passed token, permissions and elevation, and whose input is read. */
export type Call<N extends string = never, Q = null, B = null> = {
  readonly context: HttpContext
  readonly bearer: Bearer
  /** The network address that it came from. */
  readonly address: string
  readonly path: Readonly<Record<N, string>>
  readonly query: Q
  readonly body: B
}

/** Who does it, for the audit trail: the administrator whose credential asks. */
export function byAdministrator({ bearer, address }: Pick<Call, "bearer" | "address">): Actor {
  return { address, actorId: bearer.account.userId }
}

/** A request before its input is read: elevation comes before input. */
export type AuthorizedRequest = {
  readonly context: HttpContext
  readonly bearer: Bearer
  readonly path: Readonly<Record<string, string>>
  readonly body: Json | undefined
}

/** Which of the effects that its row in the table of elevation lists an operation will have, as it was asked. */
export type ElevationRule<E extends Effect> = {
  /** For the description: when elevation is needed. */
  readonly when: string
  /** Effects that never need elevation may be left out. */
  readonly effectsOf: (authorized: AuthorizedRequest) => readonly E[] | Promise<readonly E[]>
}

/** Refusals that an operation makes of its own; those of access and of input follow from its row. */
export type OwnStatus = "NOT_FOUND" | "ALREADY_EXISTS" | "CONFLICT"

/** What it gives: a value, null for an empty 204, or a refusal. */
export type Success<A> = { readonly success: A }

export function success<const A>(value: A): Success<A> {
  return { success: value }
}

/** The effects that the table lists for the operation; reading has none. */
type EffectOf<I> = I extends ApiOperation ? ApiEffect<I> : never

/** Whatever may change something has a row in the table of elevation. */
type IdOf<M extends Method> = M extends "GET" ? string : ApiOperation

type Row<P extends string, Q, B, A, S extends OwnStatus, E extends Effect> = {
  readonly summary: string
  readonly notes?: string
  /** None: any live token. */
  readonly needs: readonly Needed[]
  /** Left out, it has all the effects that the table lists. */
  readonly elevationRule?: ElevationRule<E>
  readonly query?: Shape<Q>
  readonly body?: Body<B>
  /** Left out, it answers 204. */
  readonly answers?: Shape<A>
  readonly status?: 201
  readonly refuses?: readonly S[]
  readonly run: (
    call: Call<NamesOf<P>, NoInfer<Q>, NoInfer<B>>,
  ) => Promise<Success<NoInfer<A>> | Refused<NoInfer<S> | "INVALID_ARGUMENT">>
}

/** A row whose types are settled. */
export type Operation = {
  readonly method: Method
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly notes: string | null
  /** Null: no token is asked for. */
  readonly needs: readonly Needed[] | null
  /** When a recent factor is needed; null where never. */
  readonly elevation: string | null
  readonly query: Shape<unknown> | null
  readonly body: Body<unknown> | null
  readonly status: 200 | 201 | 204
  readonly answers: Shape<unknown> | null
  readonly refuses: readonly OwnStatus[]
  readonly endpoint: Endpoint
}

/** `id` names it in the description and in the table of elevation. */
export function operation<
  const M extends Method,
  const P extends string,
  const I extends IdOf<M>,
  Q = null,
  B = null,
  A = null,
  const S extends OwnStatus = never,
>(method: M, path: P, id: I, row: Row<P, Q, B, A, S, EffectOf<I>>): Operation {
  const { summary, notes = null, needs, elevationRule, query = null, body = null } = row
  const { answers = null, refuses = [] } = row
  const possible = effectsOf(id)
  const elevation = needsRecentFactor(possible) ? (elevationRule?.when ?? "always") : null
  const status: Operation["status"] = answers === null ? 204 : (row.status ?? 200)
  const rules = { method, path, id, summary, notes, needs, elevation, query, body, answers, refuses, status }
  const endpoint: Endpoint = async (context, request, reply) => {
    const access = await bearerOf(context, request, needs)
    if (!access.ok) return sendBearerRefusal(context, request, reply, access.error, needs)
    const bearer = access.value
    const names = request.params as Readonly<Record<NamesOf<P>, string>>
    if (elevation !== null && bearer.elevatedUntil === null) {
      const authorized = { context, bearer, path: names, body: jsonBodyOf(request) }
      if (
        needsRecentFactor(elevationRule === undefined ? possible : await elevationRule.effectsOf(authorized))
      )
        return sendBearerRefusal(context, request, reply, { reason: "elevationLacking" }, [])
    }
    const input = inputOf<Q, B>(request, query, body)
    if ("refused" in input) return sendRefused(reply, input)
    const address = addressOf(context, request)
    const answer = await row.run({ context, bearer, address, path: names, ...input })
    return "refused" in answer ? sendRefused(reply, answer) : sendSuccess(reply, status, answer.success)
  }
  return { ...rules, endpoint }
}

function effectsOf(id: string): readonly Effect[] {
  return Object.hasOwn(apiOperations, id) ? apiOperations[id as ApiOperation] : []
}

function sendSuccess(reply: HttpReply, status: 200 | 201 | 204, value: unknown): HttpReply {
  return status === 204
    ? reply.code(204).header("cache-control", "no-store").send()
    : sendJson(reply, status, value as object)
}
