/** API operations of administrators on all accounts. */
import { findPerson } from "../../accounts/find-account.ts"
import { passwordProblem } from "../../accounts/password.rules.ts"
import { parseUsername, usernameKey } from "../../model/username.rules.ts"
import { addAccount, addServiceAccount } from "../../accounts/accounts.ts"
import { accountRecord, accountRecords } from "./account-record.ts"
import {
  accountOfId,
  type AccountUpdate,
  removeAccountOfId,
  setPasswordOf,
  updateAccount,
} from "../../accounts/account-by-id.ts"
import { resetFactorsOf } from "../../accounts/factors/factor.ts"
import { refused, unknown } from "../../platform/http/api-error.ts"
import { byAdministrator, type Call, success } from "../api/call.ts"
import { readPage } from "../api/paging.ts"
import type { Parsed } from "../../platform/json/shape.rules.ts"
import type { accountQuery, newAccount, newPassword } from "./account.shapes.ts"
import { accountRefused, factorRecords } from "./own-account.handlers.ts"

/** Lists accounts, oldest first. A search by name is sorted by name. */
export async function listAccounts({ context, query }: Call<never, Parsed<typeof accountQuery>>) {
  const { name_begins: begins, admin, enabled, account_type: type } = query
  const filter = { nameBegins: begins === undefined ? undefined : usernameKey(begins), admin, enabled, type }
  const found = await readPage(
    query,
    (page) => context.services.store.accounts(page, filter),
    ({ userId }) => userId,
  )
  return success({ items: await accountRecords(context.services, found.items), next: found.next })
}

export async function postAccount(call: Call<never, null, Parsed<typeof newAccount>>) {
  const { username, account_type: type = "person", password, owner, admin = false } = call.body
  const name = parseUsername(username)
  if (!name.ok) return refused("INVALID_ARGUMENT", `body.username: ${name.error}`)
  if (type === "service") return postServiceAccount(call)
  if (owner !== undefined)
    return refused("INVALID_ARGUMENT", "body.owner: Only a service account has an owner.")
  if (password === undefined) return refused("INVALID_ARGUMENT", "body.password is missing.")
  const problem = passwordProblem(password, name.value.username)
  if (problem !== null) return refused("INVALID_ARGUMENT", `body.password: ${problem}`)
  const added = await addAccount(call.context.services, {
    username,
    password,
    admin,
    ...byAdministrator(call),
  })
  return added.ok
    ? success(await accountRecord(call.context.services, added.value))
    : refused("ALREADY_EXISTS", added.error)
}

async function postServiceAccount(call: Call<never, null, Parsed<typeof newAccount>>) {
  const { services } = call.context
  const { username, password, owner = null, admin = false } = call.body
  if (password !== undefined)
    return refused("INVALID_ARGUMENT", "body.password: A service account has no password.")
  const named = owner === null ? null : await findPerson(services, owner)
  if (named?.ok === false) return refused("INVALID_ARGUMENT", `body.owner: ${named.error}`)
  const added = await addServiceAccount(services, {
    username,
    ownerName: owner,
    admin,
    ...byAdministrator(call),
  })
  return added.ok
    ? success(await accountRecord(services, added.value))
    : refused("ALREADY_EXISTS", added.error)
}

export async function getAnyAccount({ context, path }: Call<"user_id">) {
  const account = await accountOfId(context.services, path.user_id)
  return account === null ? unknown("account") : success(await accountRecord(context.services, account))
}

export async function patchAnyAccount(call: Call<"user_id", null, AccountUpdate>) {
  const { context, path, body } = call
  const updated = await updateAccount(context.services, path.user_id, body, byAdministrator(call))
  return updated.ok
    ? success(await accountRecord(context.services, updated.value))
    : accountRefused(updated.error)
}

export async function putPassword(call: Call<"user_id", null, Parsed<typeof newPassword>>) {
  const { context, path, body } = call
  const set = await setPasswordOf(context.services, path.user_id, body.password, byAdministrator(call))
  return set.ok ? success(null) : accountRefused(set.error)
}

export async function deleteAccount(call: Call<"user_id">) {
  const removed = await removeAccountOfId(call.context.services, call.path.user_id, byAdministrator(call))
  return removed.ok ? success(null) : accountRefused(removed.error)
}

export async function listFactorsOf({ context, path }: Call<"user_id">) {
  const account = await accountOfId(context.services, path.user_id)
  return account === null
    ? unknown("account")
    : success({ factors: await factorRecords(context, account.userId) })
}

export async function deleteFactorsOf(call: Call<"user_id">) {
  const isReset = await resetFactorsOf(call.context.services, call.path.user_id, byAdministrator(call))
  return isReset ? success(null) : unknown("account")
}
