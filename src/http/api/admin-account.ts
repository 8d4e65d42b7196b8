/** What an administrator sees and changes of everybody's accounts. */
import { passwordProblem } from "../../core/password.ts"
import { parseUsername, usernameKey } from "../../core/username.ts"
import { addAccount } from "../../service/account.ts"
import {
  accountOfId,
  type AccountUpdate,
  removeAccountOfId,
  resetFactorsOf,
  setPasswordOf,
  updateAccount,
} from "../../service/account-by-id.ts"
import { refused, unknown } from "./api-error.ts"
import { type Call, given } from "./operation.ts"
import { ofPage, pageRead, type Paging } from "./paging.ts"
import { accountRecord, accountRefused, factorRecords } from "./account.ts"

type AccountQuery = Paging & {
  readonly name_begins?: string | undefined
  readonly admin?: boolean | undefined
  readonly enabled?: boolean | undefined
}

/** Oldest first; where names are searched, in their order. */
export async function listAccounts({ site, query }: Call<never, AccountQuery>) {
  const { name_begins: begins, admin, enabled } = query
  const filter = { nameBegins: begins === undefined ? undefined : usernameKey(begins), admin, enabled }
  const found = await pageRead(
    query,
    (page) => site.latchkey.store.accounts(page, filter),
    ({ userId }) => userId,
  )
  return given(ofPage(found, accountRecord))
}

type NewAccount = {
  readonly username: string
  readonly password: string
  readonly admin?: boolean | undefined
}

export async function postAccount({ site, body, address }: Call<never, null, NewAccount>) {
  const { username, password, admin = false } = body
  const name = parseUsername(username)
  if (!name.ok) return refused("INVALID_ARGUMENT", `body.username: ${name.problem}`)
  const problem = passwordProblem(password, name.username)
  if (problem !== null) return refused("INVALID_ARGUMENT", `body.password: ${problem}`)
  const added = await addAccount(site.latchkey, { username, password, admin, address })
  return added.ok ? given(accountRecord(added.value)) : refused("ALREADY_EXISTS", added.problem)
}

export async function getAnyAccount({ site, path }: Call<"user_id">) {
  const account = await accountOfId(site.latchkey, path.user_id)
  return account === null ? unknown("account") : given(accountRecord(account))
}

export async function patchAnyAccount({ site, path, body, address }: Call<"user_id", null, AccountUpdate>) {
  const updated = await updateAccount(site.latchkey, path.user_id, body, { address })
  return updated.ok ? given(accountRecord(updated.account)) : accountRefused(updated)
}

export async function putPassword({
  site,
  path,
  body,
  address,
}: Call<"user_id", null, { readonly password: string }>) {
  const set = await setPasswordOf(site.latchkey, path.user_id, body.password, { address })
  return set.ok ? given(null) : accountRefused(set)
}

export async function deleteAccount({ site, path, address }: Call<"user_id">) {
  const removed = await removeAccountOfId(site.latchkey, path.user_id, { address })
  return removed.ok ? given(null) : accountRefused(removed)
}

export async function listFactorsOf({ site, path }: Call<"user_id">) {
  const account = await accountOfId(site.latchkey, path.user_id)
  return account === null ? unknown("account") : given({ factors: await factorRecords(site, account.userId) })
}

export async function deleteFactorsOf({ site, path, address }: Call<"user_id">) {
  const isReset = await resetFactorsOf(site.latchkey, path.user_id, { address })
  return isReset ? given(null) : unknown("account")
}
