/**
 * An operation of the API: one row defines its permissions, input and response. Route, checks and OpenAPI document come
 * from this row. Interface AUTH-1, AUTH-9, ERR-14; RFC 6750 §3.1.
 *
 * Checks run in this order: token, permissions, elevation, input, state.
 */
import type { Bearer } from "../../oauth/credential/bearer.rules.ts"
import type { builtInPermissions } from "../../model/permissions/built-in-permissions.rules.ts"
import {
  type ApiEffect,
  type ApiOperation,
  apiOperations,
  type Effect,
  needsRecentFactor,
} from "../../accounts/elevation.rules.ts"
import type { Json } from "../../kernel/json.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"
import type { HttpReply } from "../../platform/http/connection/message.ts"
import { sendJson } from "../../platform/http/respond.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { type Refused, sendBearerRefusal, sendRefused, unknown } from "../../platform/http/api-error.ts"
import { type Body, inputOf, jsonBodyOf } from "./input.ts"
import { accessOf } from "./manager.ts"
import { managedTargets } from "./manager.rules.ts"
import type { Shape } from "../../platform/json/shape.rules.ts"
import type { Call, NamesOf, Success } from "./call.ts"

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
export type Needed = keyof typeof builtInPermissions

/**
 * A request with a valid token and the needed permissions. Elevation is checked before the input, so the input is
 * unchecked.
 */
export type AuthorizedRequest = {
  readonly context: HttpContext
  readonly bearer: Bearer
  readonly path: Readonly<Record<string, string>>
  readonly body: Json | undefined
}

/** Decides which effects of the elevation table a request has. */
export type ElevationRule<E extends Effect> = {
  /** Describes for the OpenAPI document when the operation needs elevation. */
  readonly when: string
  /** Returns the effects of the request. Effects that never need elevation may be left out. */
  readonly effectsOf: (authorized: AuthorizedRequest) => readonly E[] | Promise<readonly E[]>
}

/**
 * Errors that only this operation has. Errors of token, permissions and input come from the other members of its row.
 */
export type OwnStatus = "NOT_FOUND" | "ALREADY_EXISTS" | "CONFLICT"

/** The effects that the elevation table lists for an operation. */
type EffectOf<I> = I extends ApiOperation ? ApiEffect<I> : never

/** The id of an operation. Every operation except GET must be in the elevation table. */
type IdOf<M extends Method> = M extends "GET" ? string : ApiOperation

type Row<P extends string, Q, B, A, S extends OwnStatus, E extends Effect> = {
  readonly summary: string
  readonly notes?: string
  /** An empty list accepts any valid token. */
  readonly needs: readonly Needed[]
  /** Without a rule, the request has all effects that the elevation table lists for the operation. */
  readonly elevationRule?: ElevationRule<E>
  readonly query?: Shape<Q>
  readonly body?: Body<B>
  /** Without a shape, the response is 204 without a body. */
  readonly answers?: Shape<A>
  readonly status?: 201
  readonly refuses?: readonly S[]
  readonly run: (
    call: Call<NamesOf<P>, NoInfer<Q>, NoInfer<B>>,
  ) => Promise<Success<NoInfer<A>> | Refused<NoInfer<S> | "INVALID_ARGUMENT">>
}

/** An operation as the router and the OpenAPI document use it. */
export type Operation = {
  readonly method: Method
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly notes: string | null
  /** The value is null if the operation needs no token. */
  readonly needs: readonly Needed[] | null
  /** Describes when the operation needs elevation. It is null if the operation never needs it. */
  readonly elevation: string | null
  readonly query: Shape<unknown> | null
  readonly body: Body<unknown> | null
  readonly status: 200 | 201 | 204
  readonly answers: Shape<unknown> | null
  readonly refuses: readonly OwnStatus[]
  readonly endpoint: Endpoint
}

/**
 * Builds an operation from its row. `id` is the operation's name in the OpenAPI document and in the elevation table.
 */
export function operation<
  const M extends Method,
  const P extends string,
  const I extends IdOf<M>,
  Q = null,
  B = null,
  A = null,
  const S extends OwnStatus = never,
>(method: M, path: P, id: I, row: Row<P, Q, B, A, S, EffectOf<I>>): Operation {
  const { summary, needs, elevationRule, query = null, body = null, answers = null } = row
  const isManaged = managedTargets.has(id)
  const own: readonly OwnStatus[] = row.refuses ?? []
  const refuses = isManaged ? [...new Set([...own, "NOT_FOUND" as const])] : own
  const notes = isManaged ? [row.notes ?? [], BY_MANAGER].flat().join(" ") : (row.notes ?? null)
  const possible = effectsOf(id)
  const elevation = needsRecentFactor(possible) ? (elevationRule?.when ?? "always") : null
  const status: Operation["status"] = answers === null ? 204 : (row.status ?? 200)
  const rules = { method, path, id, summary, notes, needs, elevation, query, body, answers, refuses, status }
  const endpoint: Endpoint = async (context, request, reply) => {
    const isValid = () => !("refused" in inputOf(request, query, body))
    const access = await accessOf(context, request, {
      id,
      needs,
      needsElevation: elevation !== null,
      isValid,
    })
    if (!access.ok)
      return typeof access.error === "string"
        ? sendRefused(reply, unknown(access.error === "credential" ? "credential" : "account"))
        : sendBearerRefusal(context, request, reply, access.error, needs)
    const { bearer, isManager } = access.value
    const names = request.params as Readonly<Record<NamesOf<P>, string>>
    if (elevation !== null && bearer.elevatedUntil === null && !isManager) {
      const authorized = { context, bearer, path: names, body: jsonBodyOf(request) }
      if (
        needsRecentFactor(elevationRule === undefined ? possible : await elevationRule.effectsOf(authorized))
      )
        return sendBearerRefusal(context, request, reply, { reason: "elevationLacking" }, [])
    }
    const input = inputOf<Q, B>(request, query, body)
    if ("refused" in input) return sendRefused(reply, input)
    const address = addressOf(context, request)
    const { services } = context
    const answer = await row.run({ context, services, bearer, isManager, address, path: names, ...input })
    return "refused" in answer ? sendRefused(reply, answer) : sendSuccess(reply, status, answer.success)
  }
  return { ...rules, endpoint }
}

const BY_MANAGER =
  "The `manager` of an application in `sign_in_providers` needs no permission and no elevation. Of its application, it " +
  "reaches accounts that are no administrators; any other is 404."

function effectsOf(id: string): readonly Effect[] {
  return Object.hasOwn(apiOperations, id) ? apiOperations[id as ApiOperation] : []
}

function sendSuccess(reply: HttpReply, status: 200 | 201 | 204, value: unknown): HttpReply {
  return status === 204
    ? reply.code(204).header("cache-control", "no-store").send()
    : sendJson(reply, status, value as object)
}
