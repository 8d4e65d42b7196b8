/** API operations of account holders on their own account. */
import type { Account } from "../../model/account.rules.ts"
import type { FactorId, UserId } from "../../kernel/ids.ts"
import { eventRecord, type Names } from "../../model/event-record.rules.ts"
import type { Factor } from "../../model/factor.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { type AccountRefusal, updateAccount, type Why } from "../../accounts/account-by-id.ts"
import { factorsOf, removeFactor } from "../../accounts/factors/factor.ts"
import { namesIn } from "../../store/paged.ts"
import { browsersOf, endBrowser, type SignedInBrowser } from "../../accounts/sessions/sessions.ts"
import { type ApiStatus, refused, unknown } from "../../platform/http/api-error.ts"
import { type Call, success } from "../api/call.ts"
import { mapPage, readPage, type Paging } from "../api/paging.ts"
import type { Parsed } from "../api/shape.ts"
import type * as requests from "../api/requests.ts"

function ownAccountRecord({ userId, username, type, admin, createdAt }: Account) {
  const isService = type === "service"
  return { user_id: userId, username, admin, created_at: createdAt, ...(isService && { account_type: type }) }
}

export async function getAccount({ bearer: { account } }: Call) {
  return success(ownAccountRecord(account))
}

export async function patchAccount({
  context,
  bearer: { account },
  body,
  address,
}: Call<never, null, Parsed<typeof requests.ownAccountUpdate>>) {
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
  const names = await namesIn({ store }, found.items)
  return success(mapPage(found, (one) => activityRecord(one, names)))
}

/** Builds the record of an event. It hides an administrator's name and address from the account holder. */
function activityRecord(recorded: Parameters<typeof eventRecord>[0], names: Names) {
  const { id, at, kind, client_id, client_name, token_id, detail } = eventRecord(recorded, names)
  const { userId, actorId, address } = recorded
  const isByOther = (actorId !== null && actorId !== userId) || address === null
  const record = { id, at, kind, client_id, client_name, token_id, detail }
  return { ...record, by_other: isByOther, address: isByOther ? null : address }
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

function sessionRecord({ reference, session }: SignedInBrowser) {
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
function factorRecord(factor: Factor) {
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
