/** Filters of console lists, and the data that the page of an account or app shows. */
import type { Account, Session } from "../../model/account.rules.ts"
import type { ClientId, UserId } from "../../kernel/ids.ts"
import { areCodesClosed } from "../../accounts/factors/code-tries.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { type Factor, isSecondFactor } from "../../model/factor.rules.ts"
import { accountNamed, hasHadAccount } from "../../accounts/find-account.ts"
import { isDocumentUrl, isIdentifier } from "../../kernel/identifier.ts"
import { parseClientId } from "../../oauth/clients/resolve.rules.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { HeldCredential, RecordedEvent } from "../../store/store.ts"
import { credentialsAsOfNow } from "../../platform/services/observed-expiry.ts"
import type { Services } from "../../platform/services/services.ts"
import { isOver } from "../../accounts/sessions/session.ts"

type Needs = Pick<Services, "store" | "clock">

export type HeldBy = HeldCredential

export type AccountAround = {
  readonly factors: readonly Factor[]
  readonly areCodesClosed: boolean
  /** The sessions are sorted, newest first. */
  readonly sessions: readonly Session[]
  readonly apps: readonly Client[]
  readonly credentials: readonly HeldCredential[]
  readonly events: readonly RecordedEvent[]
}

/** Reads the data for the page of an account. Each list has at most `limit` rows, newest first. */
export async function aroundAccount(
  { store, clock }: Needs,
  { userId }: Account,
  limit: number,
): Promise<AccountAround> {
  const page = { limit, newestFirst: true }
  const now = clock.now()
  const [{ factors, codeTries }, sessions, apps, credentials, events] = await Promise.all([
    store.read({ factors: userId, codeTries: userId }),
    store.sessions(userId),
    store.clients(page, { ownerId: userId }),
    credentialsAsOfNow({ store, clock }, { userId }, page),
    store.events({ userId }, page),
  ])
  const open = sessions.filter((session) => !isOver(session, now)).toReversed()
  return {
    factors: factors ?? [],
    areCodesClosed: areCodesClosed(codeTries),
    sessions: open.slice(0, limit),
    apps,
    credentials,
    events,
  }
}

/** Counts the factors by kind. The console shows no other details of them. */
export function factorKinds(factors: readonly Factor[]) {
  const second = factors.filter(isSecondFactor)
  const recovery = factors.find((factor) => factor.kind === "recovery")
  return {
    totp: second.filter(({ kind }) => kind === "totp").length,
    passkey: second.filter(({ kind }) => kind === "passkey").length,
    recoveryLeft: recovery === undefined ? null : recovery.codes.length,
  }
}

/** Finds the account of a filter by name or id. Returns undefined for an empty filter. */
export async function filteredAccount(
  { store }: Pick<Needs, "store">,
  typed: string,
): Promise<Result<UserId | undefined, Problem>> {
  const text = typed.trim()
  if (text === "") return ok(undefined)
  const named = await accountNamed(store, text)
  if (named !== null) return ok(named.userId)
  // The id of a removed account is valid, because its events are still stored.
  return (await hasHadAccount(store, text)) ? ok(text as UserId) : err("There is no account of that name.")
}

/** Finds the app of a filter by its id, or by a part of its name. The part must match only one app. */
export async function filteredApp(
  { store }: Pick<Needs, "store">,
  typed: string,
): Promise<Result<ClientId | undefined, Problem>> {
  const text = typed.trim()
  if (text === "") return ok(undefined)
  if (isIdentifier(text) || isDocumentUrl(text)) return ok(text as ClientId)
  // The id of an imported app can look like a part of a name.
  const { client } = await store.read({ client: parseClientId(text) })
  if (client !== null) return ok(client.clientId)
  const [app, other] = await store.clients({ limit: 2 }, { nameContains: text })
  if (app === undefined) return err("There is no app of that name.")
  return other === undefined ? ok(app.clientId) : err("More than one app has that name. Give its id.")
}

export type AppAround = {
  readonly credentials: readonly HeldCredential[]
  readonly events: readonly RecordedEvent[]
}

/** Reads the newest credentials and events of an app, at most `limit` of each. */
export async function aroundApp(
  { store, clock }: Needs,
  { clientId }: Client,
  limit: number,
): Promise<AppAround> {
  const page = { limit, newestFirst: true }
  const [credentials, events] = await Promise.all([
    credentialsAsOfNow({ store, clock }, { clientId }, page),
    store.events({ clientId }, page),
  ])
  return { credentials, events }
}
