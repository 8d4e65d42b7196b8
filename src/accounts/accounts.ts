/** Operations on accounts by name, for the command line. `account-by-id.ts` has the operations by id. */
import { type Account, newPerson } from "../model/account.rules.ts"
import { addedAccount, decideRenaming, decideServiceAccount, nameTaken } from "./account-change.rules.ts"
import type { Hash, UserId } from "../kernel/ids.ts"
import { type Change, type Decided, decided } from "../model/change.rules.ts"
import type { Client } from "../model/clients/client.rules.ts"
import type { Actor } from "../model/event.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { passwordProblem, passwordProblems } from "./password.rules.ts"
import { parseNewUsername, parseUsername, usernameProblems } from "../model/username.rules.ts"
import { hashPassword } from "../platform/services/password.ts"
import { newId } from "../kernel/random.ts"
import {
  type AccountAnswer,
  removeAccountOfId,
  renamingProblem,
  setPasswordOf,
  updateAccount,
  withProblem,
} from "./account-by-id.ts"
import type { Services } from "../platform/services/services.ts"
import { all, rowKeys } from "../store/list.ts"
import { findAccount, findPerson, unknownAccount } from "./find-account.ts"

type Needs = Pick<Services, "store" | "clock">

export type NewAccount = Actor & {
  readonly username: string
  readonly password: string
  readonly admin: boolean
}

/** Adds an account and closes an open set-up link. */
export async function addAccount(
  { store, clock }: Needs,
  input: NewAccount,
): Promise<Result<Account, Problem>> {
  const name = parseNewUsername(input.username)
  if (!name.ok) return err(usernameProblems[name.error])
  const problem = passwordProblem(input.password, name.value.username)
  if (problem !== null) return err(passwordProblems[problem])
  const passwordHash = await hashPassword(input.password)
  const now = clock.now()
  const { admin } = input
  const account = newPerson(name.value, { userId: newId(now), passwordHash, admin, createdAt: now })
  const closing: Change = { change: "setupLinkSet", hash: null, at: now }
  return store.change(
    { accountByName: account.usernameKey, setupLink: true },
    ({ accountByName, setupLink }): Decided<Result<Account, Problem>> =>
      accountByName !== null
        ? decided(nameTaken(accountByName))
        : decided(
            ok(account),
            ...addedAccount(account, input, now),
            ...(setupLink === null ? [] : [closing]),
          ),
  )
}

export type NewServiceAccount = Actor & {
  readonly username: string
  readonly admin: boolean
  /** The name of the person who owns the service account. It is null without an owner. */
  readonly ownerName: string | null
}

/** Adds a service account. An open set-up link stays open, because it creates the first person's account. */
export async function addServiceAccount(
  { store, clock }: Needs,
  input: NewServiceAccount,
): Promise<Result<Account, Problem>> {
  const name = parseNewUsername(input.username)
  if (!name.ok) return err(usernameProblems[name.error])
  const owner = input.ownerName === null ? null : await findPerson({ store }, input.ownerName)
  if (owner?.ok === false) return owner
  const ownerId = owner?.value.userId ?? null
  const now = clock.now()
  const of = { userId: newId<UserId>(now), passwordHash: null, admin: input.admin, createdAt: now }
  const account: Account = { ...newPerson(name.value, of), type: "service", ownerId }
  return store.change(
    { accountByName: account.usernameKey, account: ownerId },
    ({ accountByName, account: present }): Decided<Result<Account, Problem>> => {
      if (ownerId !== null && present === null) return decided(err("The owner's account was just removed."))
      return decideServiceAccount(account, { holder: accountByName, owner: present }, input)
    },
  )
}

export function listAccounts({ store }: Pick<Needs, "store">): Promise<readonly Account[]> {
  return all((page) => store.accounts(page), rowKeys.accounts)
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
  if (!parsed.ok) return err(usernameProblems[parsed.error])
  const found = await findAccount({ store }, name)
  if (!found.ok) return found
  const { userId } = found.value
  const now = clock.now()
  return store.change(
    { account: userId, accountByName: parsed.value.usernameKey },
    ({ account, accountByName }): Decided<Result<Account, Problem>> => {
      if (account === null) return decided(unknownAccount(name))
      const problem = renamingProblem(account, parsed.value)
      if (problem !== null) return decided(err(problem))
      const change = { account, otherAdministrator: null, now, address, actorId }
      return decideRenaming(change, parsed.value, accountByName)
    },
  )
}

export type RemovedAccount = { readonly account: Account; readonly appsWithoutOwner: readonly Client[] }

/** Removes an account permanently. Its apps continue without an owner. The result names these apps. */
export async function removeAccount(
  services: Needs,
  name: string,
  from: Actor,
): Promise<Result<RemovedAccount, Problem>> {
  const found = await findAccount(services, name)
  if (!found.ok) return found
  const appsWithoutOwner = await all(
    (page) => services.store.clients(page, { ownerId: found.value.userId }),
    rowKeys.clients,
  )
  const removed = await removeAccountOfId(services, found.value.userId, from)
  return removed.ok ? ok({ account: removed.value, appsWithoutOwner }) : err(removed.error.problem)
}

/** Finds the account by name and calls the operation with its id. Another account may take the name in the meantime. */
async function onAccount(
  services: Needs,
  name: string,
  verb: (userId: UserId) => Promise<AccountAnswer>,
): Promise<Result<Account, Problem>> {
  const found = await findAccount(services, name)
  return found.ok ? withProblem(await verb(found.value.userId)) : found
}
