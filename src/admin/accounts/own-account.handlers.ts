/** API operations of account holders on their own account. */
import type { FactorId, UserId } from "../../kernel/ids.ts"
import { activityRecord, eventRecords } from "../events/event-record.ts"
import type { Factor } from "../../model/factor.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { type AccountRefusal, updateAccount, type Why } from "../../accounts/account-by-id.ts"
import { factorsOf, removeFactor } from "../../accounts/factors/factor.ts"
import { browsersOf, endBrowser, type SignedInBrowser } from "../../accounts/sessions/sessions.ts"
import { type ApiStatus, refused, unknown } from "../../platform/http/api-error.ts"
import { type Call, success } from "../api/call.ts"
import { readPage, type Paging } from "../api/paging.ts"
import type { Parsed } from "../../platform/json/shape.rules.ts"
import { ownAccountRecord } from "./account-record.ts"
import type { factorShape, ownAccountUpdate, sessionShape } from "./account.shapes.ts"

export async function getAccount({ bearer: { account } }: Call) {
  return success(ownAccountRecord(account))
}

export async function patchAccount({
  context,
  bearer: { account },
  body,
  address,
}: Call<never, null, Parsed<typeof ownAccountUpdate>>) {
  const updated = await updateAccount(context.services, account.userId, body, { address })
  return updated.ok ? success(ownAccountRecord(updated.value)) : accountRefused(updated.error)
}

const statuses = {
  unknown: "NOT_FOUND",
  malformed: "INVALID_ARGUMENT",
  taken: "ALREADY_EXISTS",
  conflict: "CONFLICT",
} as const satisfies Record<Why, ApiStatus>

export function accountRefused<W extends Why>({ why, problem }: AccountRefusal<W>) {
  return refused<(typeof statuses)[W]>(statuses[why], problem)
}

/** Lists the events of the account, newest first. */
export async function listActivity({ context, bearer, query }: Call<never, Paging>) {
  const { store } = context.services
  const { userId } = bearer.account
  const found = await readPage(
    query,
    (page) => store.events({ userId }, page),
    ({ id }) => String(id),
  )
  return success({ ...found, items: (await eventRecords({ store }, found.items)).map(activityRecord) })
}

/** Lists signed-in browsers, the most recently seen first. */
export async function listSessions({ context, bearer }: Call) {
  const browsers = await browsersOf(context.services, looking(bearer))
  return success({ items: browsers.map(sessionRecord), next: null })
}

export async function deleteSession({ context, bearer, path, address }: Call<"id">) {
  const isEnded = await endBrowser(context.services, looking(bearer), path.id, address)
  return isEnded ? success(null) : unknown("session")
}

function looking({ account: { userId } }: Call["bearer"]) {
  return { session: { userId, sessionHash: null } }
}

function sessionRecord({ reference, session }: SignedInBrowser): Parsed<typeof sessionShape> {
  const { createdAt, seenAt, address, userAgent } = session
  return { id: reference, signed_in_at: createdAt, seen_at: seenAt, address, user_agent: userAgent }
}

export async function listFactors({ context, bearer }: Call) {
  return success({ factors: await factorRecords(context, bearer.account.userId) })
}

export async function getFactor({ context, bearer, path }: Call<"id">) {
  const factors = await factorsOf(context.services, bearer.account.userId)
  const factor = factors.find(({ factorId }) => factorId === path.id)
  return factor === undefined ? unknown("factor") : success(factorRecord(factor))
}

export async function deleteFactor({ context, bearer, path, address }: Call<"id">) {
  const outcome = isIdentifier(path.id)
    ? await removeFactor(context.services, bearer.account.userId, path.id as FactorId, null, address)
    : "unknown"
  if (outcome === "last-way-in")
    return refused("CONFLICT", "The account could not sign in without this passkey.")
  return outcome === "done" ? success(null) : unknown("factor")
}

export async function factorRecords(context: Call["context"], userId: UserId) {
  return (await factorsOf(context.services, userId)).map(factorRecord)
}

/** Builds the record of a factor, without its secret. */
function factorRecord(factor: Factor): Parsed<typeof factorShape> {
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
