/**
 * An operation of the API. One row defines its permissions, input and response. Route, checks and OpenAPI document come
 * from that row, so that they cannot disagree. Interface AUTH-1, AUTH-9, ERR-14; RFC 6750 §3.1.
 *
 * Checks always run in this order: token, permissions, elevation, input, state.
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
import { addressOf, type Endpoint } from "../../http/endpoint.ts"
import type { HttpReply } from "../../http/connection/message.ts"
import { sendJson } from "../../http/respond.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { type Refused, sendBearerRefusal, sendRefused } from "../../http/api-error.ts"
import { type Body, inputOf, jsonBodyOf } from "./input.ts"
import { bearerOf } from "./protected.ts"
import type { Shape } from "./shape.ts"
import type { Actor } from "../../accounts/find-account.ts"

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
export type Needed = keyof typeof builtInPermissions

/** The names in the braces of a path. */
export type NamesOf<P extends string> = P extends `${string}{${infer N}}${infer Rest}`
  ? N | NamesOf<Rest>
  : never

/** A request that passed every check before state. */
export type Call<N extends string = never, Q = null, B = null> = {
  readonly context: HttpContext
  readonly bearer: Bearer
  /** The network address of the client. */
  readonly address: string
  readonly path: Readonly<Record<N, string>>
  readonly query: Q
  readonly body: B
}

/** For the audit trail: the administrator who owns the credential. */
export function byAdministrator({ bearer, address }: Pick<Call, "bearer" | "address">): Actor {
  return { address, actorId: bearer.account.userId }
}

/** A request before its input is checked, because elevation is checked first. */
export type AuthorizedRequest = {
  readonly context: HttpContext
  readonly bearer: Bearer
  readonly path: Readonly<Record<string, string>>
  readonly body: Json | undefined
}

/** Decides which effects of the elevation table this request has. */
export type ElevationRule<E extends Effect> = {
  /** When elevation is needed, for the OpenAPI document. */
  readonly when: string
  /** May omit effects that never need elevation. */
  readonly effectsOf: (authorized: AuthorizedRequest) => readonly E[] | Promise<readonly E[]>
}

/** Errors of the operation itself. Those of access and input follow from its row. */
export type OwnStatus = "NOT_FOUND" | "ALREADY_EXISTS" | "CONFLICT"

/** The response body; null for an empty 204. */
export type Success<A> = { readonly success: A }

export function success<const A>(value: A): Success<A> {
  return { success: value }
}

/** The effects that the elevation table lists for the operation. Reading has none. */
type EffectOf<I> = I extends ApiOperation ? ApiEffect<I> : never

/** Every operation that changes something needs a row in the elevation table. */
type IdOf<M extends Method> = M extends "GET" ? string : ApiOperation

type Row<P extends string, Q, B, A, S extends OwnStatus, E extends Effect> = {
  readonly summary: string
  readonly notes?: string
  /** Empty: any valid token. */
  readonly needs: readonly Needed[]
  /** Default: all effects that the table lists. */
  readonly elevationRule?: ElevationRule<E>
  readonly query?: Shape<Q>
  readonly body?: Body<B>
  /** Default: 204 without a body. */
  readonly answers?: Shape<A>
  readonly status?: 201
  readonly refuses?: readonly S[]
  readonly run: (
    call: Call<NamesOf<P>, NoInfer<Q>, NoInfer<B>>,
  ) => Promise<Success<NoInfer<A>> | Refused<NoInfer<S> | "INVALID_ARGUMENT">>
}

/** A row without its type parameters. */
export type Operation = {
  readonly method: Method
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly notes: string | null
  /** Null: no token is needed. */
  readonly needs: readonly Needed[] | null
  /** When elevation is needed, or null. */
  readonly elevation: string | null
  readonly query: Shape<unknown> | null
  readonly body: Body<unknown> | null
  readonly status: 200 | 201 | 204
  readonly answers: Shape<unknown> | null
  readonly refuses: readonly OwnStatus[]
  readonly endpoint: Endpoint
}

/** `id` is its name in the OpenAPI document and in the elevation table. */
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
