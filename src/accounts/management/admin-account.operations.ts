/** API operations of administrators on all accounts. */
import { passwordProblem } from "../password.rules.ts"
import { parseUsername, usernameKey } from "../../records/username.rules.ts"
import { addAccount } from "../accounts.ts"
import {
  accountOfId,
  type AccountUpdate,
  removeAccountOfId,
  setPasswordOf,
  updateAccount,
} from "../account-by-id.ts"
import { resetFactorsOf } from "../factors/factor.ts"
import { refused, unknown } from "../../http/api-error.ts"
import { byAdministrator, type Call, success } from "../../api/kit/operation.ts"
import { mapPage, readPage, type Paging } from "../../api/kit/paging.ts"
import { accountRecord, accountRefused, factorRecords } from "./account.operations.ts"

type AccountQuery = Paging & {
  readonly name_begins?: string | undefined
  readonly admin?: boolean | undefined
  readonly enabled?: boolean | undefined
}

/** Oldest first; a search by name is in the order of names. */
export async function listAccounts({ context, query }: Call<never, AccountQuery>) {
  const { name_begins: begins, admin, enabled } = query
  const filter = { nameBegins: begins === undefined ? undefined : usernameKey(begins), admin, enabled }
  const found = await readPage(
    query,
    (page) => context.services.store.accounts(page, filter),
    ({ userId }) => userId,
  )
  return success(mapPage(found, accountRecord))
}

type NewAccount = {
  readonly username: string
  readonly password: string
  readonly admin?: boolean | undefined
}

export async function postAccount(call: Call<never, null, NewAccount>) {
  const { username, password, admin = false } = call.body
  const name = parseUsername(username)
  if (!name.ok) return refused("INVALID_ARGUMENT", `body.username: ${name.error}`)
  const problem = passwordProblem(password, name.value.username)
  if (problem !== null) return refused("INVALID_ARGUMENT", `body.password: ${problem}`)
  const added = await addAccount(call.context.services, {
    username,
    password,
    admin,
    ...byAdministrator(call),
  })
  return added.ok ? success(accountRecord(added.value)) : refused("ALREADY_EXISTS", added.error)
}

export async function getAnyAccount({ context, path }: Call<"user_id">) {
  const account = await accountOfId(context.services, path.user_id)
  return account === null ? unknown("account") : success(accountRecord(account))
}

export async function patchAnyAccount(call: Call<"user_id", null, AccountUpdate>) {
  const { context, path, body } = call
  const updated = await updateAccount(context.services, path.user_id, body, byAdministrator(call))
  return updated.ok ? success(accountRecord(updated.value)) : accountRefused(updated.error)
}

export async function putPassword(call: Call<"user_id", null, { readonly password: string }>) {
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
