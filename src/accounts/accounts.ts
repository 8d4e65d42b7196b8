/** Operations on accounts by name, for the command line. `account-by-id.ts` does them by id. */
import type { Account } from "../records/account.rules.ts"
import { decideRenaming, nameTaken } from "./account-change.rules.ts"
import type { Hash, UserId } from "../kernel/ids.ts"
import { type Change, decided } from "../records/change.rules.ts"
import type { Client } from "../records/client.rules.ts"
import { event } from "../records/event.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { passwordProblem } from "./password.rules.ts"
import { parseUsername } from "../records/username.rules.ts"
import { hashPassword } from "../services/password.ts"
import { newId } from "../kernel/random.ts"
import {
  type AccountAnswer,
  removeAccountOfId,
  setPasswordOf,
  updateAccount,
  withProblem,
} from "./account-by-id.ts"
import type { Services } from "../services/services.ts"
import { all } from "../store/list.ts"
import { findAccount, unknownAccount, type Actor } from "./find-account.ts"

type Needs = Pick<Services, "store" | "clock">

export type NewAccount = Actor & {
  readonly username: string
  readonly password: string
  readonly admin: boolean
}

/** Adds an account, and closes an open set-up link. */
export async function addAccount(
  { store, clock }: Needs,
  input: NewAccount,
): Promise<Result<Account, Problem>> {
  const name = parseUsername(input.username)
  if (!name.ok) return err(name.error)
  const problem = passwordProblem(input.password, name.value.username)
  if (problem !== null) return err(problem)
  const now = clock.now()
  const account: Account = {
    userId: newId<UserId>(now),
    username: name.value.username,
    usernameKey: name.value.usernameKey,
    passwordHash: await hashPassword(input.password),
    admin: input.admin,
    enabled: true,
    createdAt: now,
  }
  const { address, actorId = null } = input
  const { userId } = account
  const added = event("account-added", now, {
    userId,
    actorId,
    address,
    detail: input.admin ? "administrator" : null,
  })
  const closing: Change = { change: "setupLinkSet", hash: null, at: now }
  return store.change(
    { accountByName: account.usernameKey, setupLink: true },
    ({ accountByName, setupLink }) =>
      accountByName !== null
        ? decided<Result<Account, Problem>>(nameTaken(accountByName))
        : decided<Result<Account, Problem>>(
            ok(account),
            { change: "accountAdded", account },
            { change: "eventRecorded", event: added },
            ...(setupLink === null ? [] : [closing]),
          ),
  )
}

export function listAccounts({ store }: Pick<Needs, "store">): Promise<readonly Account[]> {
  return all(
    (page) => store.accounts(page),
    ({ userId }) => userId,
  )
}

export function setAccountEnabled(
  services: Needs,
  name: string,
  enabled: boolean,
  from: Actor,
): Promise<Result<Account, Problem>> {
  return onAccount(services, name, (id) => updateAccount(services, id, { enabled }, from))
}

export function setAdministration(
  services: Needs,
  name: string,
  admin: boolean,
  from: Actor,
): Promise<Result<Account, Problem>> {
  return onAccount(services, name, (id) => updateAccount(services, id, { admin }, from))
}

/** Sets a new password and signs every browser out, but for the session `except`. */
export function setPassword(
  services: Needs,
  name: string,
  password: string,
  from: Actor & { readonly except: Hash | null },
): Promise<Result<Account, Problem>> {
  return onAccount(services, name, (id) => setPasswordOf(services, id, password, from))
}

export async function renameAccount(
  { store, clock }: Needs,
  name: string,
  newName: string,
  { address, actorId }: Actor,
): Promise<Result<Account, Problem>> {
  const parsed = parseUsername(newName)
  if (!parsed.ok) return err(parsed.error)
  const found = await findAccount({ store }, name)
  if (!found.ok) return found
  const { userId } = found.value
  const now = clock.now()
  return store.change(
    { account: userId, accountByName: parsed.value.usernameKey },
    ({ account, accountByName }) =>
      account === null
        ? decided<Result<Account, Problem>>(unknownAccount(name))
        : decideRenaming(
            { account, otherAdministrator: null, now, address, actorId },
            parsed.value,
            accountByName,
          ),
  )
}

export type RemovedAccount = { readonly account: Account; readonly appsWithoutOwner: readonly Client[] }

/** Removes an account permanently. Its apps keep working without an owner; the result names them. */
export async function removeAccount(
  services: Needs,
  name: string,
  from: Actor,
): Promise<Result<RemovedAccount, Problem>> {
  const found = await findAccount(services, name)
  if (!found.ok) return found
  const appsWithoutOwner = await all(
    (page) => services.store.clients(page, { ownerId: found.value.userId }),
    ({ clientId }) => clientId,
  )
  const removed = await removeAccountOfId(services, found.value.userId, from)
  return removed.ok ? ok({ account: removed.value, appsWithoutOwner }) : err(removed.error.problem)
}

/** Resolves the name once, before the operation: another account may take the name later. */
async function onAccount(
  services: Needs,
  name: string,
  verb: (userId: UserId) => Promise<AccountAnswer>,
): Promise<Result<Account, Problem>> {
  const found = await findAccount(services, name)
  return found.ok ? withProblem(await verb(found.value.userId)) : found
}
