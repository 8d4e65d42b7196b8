/** Changes of an account by its id, for administrators. Each request makes one change. */
import { type Account, asPerson } from "../model/account.rules.ts"
import {
  type EndingChange,
  decideAdministration,
  decideDisabling,
  decideLanguage,
  decideEnabling,
  decideNewPassword,
  decideRemoval,
  decideRenaming,
} from "./account-change.rules.ts"
import type { Hash, UserId } from "../kernel/ids.ts"
import { type Change, type Decided, decided } from "../model/change.rules.ts"
import { isUserId } from "../kernel/identifier.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { passwordProblem, passwordProblems } from "./password.rules.ts"
import {
  mixedScriptsProblem,
  parseUsername,
  type Username,
  usernameProblems,
} from "../model/username.rules.ts"
import { hashPassword } from "../platform/services/password.ts"
import type { Services } from "../platform/services/services.ts"
import type { Actor } from "../model/event.rules.ts"
import type { Found } from "../store/loadable.ts"

type Needs = Pick<Services, "store" | "clock">

/** Members that are left out stay unchanged. */
export type AccountUpdate = {
  readonly username?: string | undefined
  readonly admin?: boolean | undefined
  readonly enabled?: boolean | undefined
  /** A known tag. Null means that none is chosen. */
  readonly language?: string | null | undefined
}

/** The kind of a refusal. Callers derive the HTTP status from it. */
export type Why = "unknown" | "malformed" | "taken" | "conflict"

export type AccountRefusal<W extends Why = Why> = { readonly why: W; readonly problem: Problem }

export type AccountAnswer<W extends Why = Why> = Result<Account, AccountRefusal<W>>

export function withProblem(answer: AccountAnswer): Result<Account, Problem> {
  return answer.ok ? answer : err(answer.error.problem)
}

const unknown = err({ why: "unknown", problem: "There is no such account." })

export async function accountOfId({ store }: Pick<Needs, "store">, id: string): Promise<Account | null> {
  const { account } = await store.read({ account: userIdOf(id) })
  return account
}

/** Applies all changes of the request, or none if a rule refuses one. */
export async function updateAccount(
  { store, clock }: Needs,
  id: string,
  { username, admin, enabled, language }: AccountUpdate,
  { address, actorId }: Actor,
): Promise<AccountAnswer> {
  const name = username === undefined ? null : parseUsername(username)
  if (name?.ok === false) return err({ why: "malformed", problem: usernameProblems[name.error] })
  const userId = userIdOf(id)
  const now = clock.now()
  return store.change(
    { ...endingLoad(userId), accountByName: name?.value.usernameKey ?? null },
    ({ accountByName, ...found }): Decided<AccountAnswer> => {
      const change = endingChange(found, { now, address, actorId })
      if (change === null) return decided(unknown)
      const { account } = change
      if (name !== null && accountByName !== null && accountByName.userId !== account.userId)
        return decided(err({ why: "taken", problem: "There is another account of that name." }))
      const problem = name === null ? null : renamingProblem(account, name.value)
      if (problem !== null) return decided(err({ why: "malformed", problem }))
      return inTurn(change, [
        ...(name === null ? [] : [(one: EndingChange) => decideRenaming(one, name.value, accountByName)]),
        ...(admin === undefined ? [] : [(one: EndingChange) => decideAdministration(one, admin)]),
        ...(language === undefined ? [] : [(one: EndingChange) => decideLanguage(one, language)]),
        ...(enabled === undefined ? [] : [enabled ? decideEnabling : decideDisabling]),
      ])
    },
  )
}

/** A name that already mixes scripts may stay. */
export function renamingProblem({ username }: Account, name: Username): Problem | null {
  return username === name.username ? null : mixedScriptsProblem(name)
}

export async function setPasswordOf(
  services: Needs,
  id: string,
  password: string,
  from: Actor & { readonly except?: Hash | null },
): Promise<AccountAnswer<"unknown" | "malformed" | "conflict">> {
  const account = asPerson(await accountOfId(services, id))
  if (account === null) return unknown
  const problem = passwordProblem(password, account.username)
  if (problem !== null) return err({ why: "malformed", problem: passwordProblems[problem] })
  const passwordHash = await hashPassword(password)
  return onAccount(services, id, from, (change) =>
    decideNewPassword(change, passwordHash, from.except ?? null),
  )
}

/** An account for which `mayRemove` is false is unknown. */
export function removeAccountOfId(
  services: Needs,
  id: string,
  from: Actor,
  mayRemove?: (account: Account) => boolean,
): Promise<AccountAnswer<"unknown" | "conflict">> {
  return onAccount(services, id, from, decideRemoval, mayRemove)
}

function onAccount(
  { store, clock }: Needs,
  id: string,
  { address, actorId }: Actor,
  decide: (change: EndingChange) => Decided<Result<Account, Problem>>,
  mayChange: (account: Account) => boolean = () => true,
): Promise<AccountAnswer<"unknown" | "conflict">> {
  const userId = userIdOf(id)
  const now = clock.now()
  return store.change(endingLoad(userId), (found): Decided<AccountAnswer<"unknown" | "conflict">> => {
    const change = endingChange(found, { now, address, actorId })
    return change === null || !mayChange(change.account) ? decided(unknown) : inTurn(change, [decide])
  })
}

/** The rows that `EndingChange` needs. */
export function endingLoad(userId: UserId | null) {
  return {
    account: userId,
    otherAdministrator: userId,
    serviceAccountsOf: userId,
    ownerOfAccount: userId,
  } as const
}

/** Returns null for an unknown account. */
export function endingChange(
  {
    account,
    otherAdministrator,
    serviceAccountsOf,
    ownerOfAccount: owner,
  }: Found<ReturnType<typeof endingLoad>>,
  by: Pick<EndingChange, "now" | "address" | "actorId">,
): EndingChange | null {
  const serviceAccounts = serviceAccountsOf ?? []
  return account === null ? null : { account, otherAdministrator, serviceAccounts, owner, ...by }
}

/** Each rule gets the account that the rule before it returned. The first refusal discards all changes. */
function inTurn(
  change: EndingChange,
  rules: readonly ((change: EndingChange) => Decided<Result<Account, Problem>>)[],
): Decided<AccountAnswer<"conflict">> {
  const changes: Change[] = []
  let { account } = change
  for (const rule of rules) {
    const next = rule({ ...change, account })
    if (!next.answer.ok) return decided(err({ why: "conflict", problem: next.answer.error }))
    account = next.answer.value
    changes.push(...next.changes)
  }
  return decided(ok(account), ...changes)
}

function userIdOf(id: string): UserId | null {
  return isUserId(id) ? (id as UserId) : null
}
