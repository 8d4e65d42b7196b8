/** An account's factors by one of its credentials: seen freely, changed only while it is elevated. STEP-5, FACTOR-*. */
import type { FactorId } from "../../core/brand.ts"
import type { Factor } from "../../core/factor.ts"
import { isIdentifier } from "../../core/identifier.ts"
import { factorsOf, removeFactor } from "../../service/factor.ts"
import { addressOf } from "../endpoint/endpoint.ts"
import { sendJson } from "../respond.ts"
import { sendApiError } from "./api-error.ts"
import { protectedBy, requireElevation } from "./protected.ts"

/** GET /api/factors. */
export const listFactors = protectedBy(["account:read"], async (site, _, reply, { account }) => {
  const factors = await factorsOf(site.latchkey, account.userId)
  return sendJson(reply, 200, { factors: factors.map(record) })
})

/** DELETE /api/factors/{id}. */
export const deleteFactor = protectedBy(["account:write"], async (site, request, reply, bearer) => {
  const refused = requireElevation(site, request, reply, bearer)
  if (refused !== null) return refused
  const { id } = request.params as { readonly id: string }
  const { userId } = bearer.account
  const outcome = isIdentifier(id)
    ? await removeFactor(site.latchkey, userId, id as FactorId, null, addressOf(site, request))
    : "unknown"
  return outcome === "done"
    ? reply.code(204).header("cache-control", "no-store").send()
    : sendApiError(reply, 404, "NOT_FOUND", "The account has no such factor.")
})

/** Nothing of a factor's secret is in it. */
function record(factor: Factor) {
  const { factorId, kind, name, addedAt, usedAt } = factor
  return {
    id: factorId,
    kind,
    name,
    added_at: addedAt,
    used_at: usedAt,
    ...(factor.kind === "recovery" && { codes_left: factor.codes.length }),
  }
}
