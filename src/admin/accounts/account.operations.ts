/** Operations of administrators on all accounts. */
import { accountOfId, removeAccountOfId, setPasswordOf, updateAccount } from "../../accounts/account-by-id.ts"
import { addAccount, addServiceAccount } from "../../accounts/accounts.ts"
import { factorsOf, resetFactorsOf } from "../../accounts/factors/factor.ts"
import { accountOfSubject } from "../../accounts/providers/link.ts"
import { findPerson } from "../../accounts/find-account.ts"
import { passwordProblem, passwordProblems } from "../../accounts/password.rules.ts"
import { isUserId } from "../../kernel/identifier.ts"
import { GROUP_NAME_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { PASSWORD_LENGTH } from "../../kernel/account-limits.ts"
import type { Account } from "../../model/account.rules.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"
import { parseNewUsername, usernameKey, usernameProblems } from "../../model/username.rules.ts"
import { refused, unknown } from "../../platform/http/api-error.ts"
import { choice, flag, optional, type Parsed, record, text } from "../../platform/json/shape.rules.ts"
import { byAdministrator, type Call, success } from "../api/call.ts"
import { memberOf } from "../api/input.ts"
import { type ElevationRule, type Operation, operation } from "../api/operation.ts"
import { pageOf, pagingBy, readPage } from "../api/paging.ts"
import { accountRecord, accountRecords, accountShape, usernameInput } from "./account-record.ts"
import { accountRefused } from "./account-refused.ts"
import { factorRecord, factorsShape } from "./factor-record.ts"
import { rowKeys } from "../../store/list.ts"

const password = text("The password of the account.", "correct horse battery staple", {
  least: PASSWORD_LENGTH.least,
  most: PASSWORD_LENGTH.most,
  format: "password",
})

const admin = flag("Whether the account is an administrator.")

const newAccount = record("NewAccount", {
  username: usernameInput,
  account_type: optional(
    choice("A `service` account has no sign-in. Apps that are bound to it act as it.", ["person", "service"]),
  ),
  password: optional(password),
  owner: optional(text("The person who answers for a service account.", "ada", { most: 256 })),
  admin: optional(admin),
})

const grantOfAdministration: ElevationRule<"account.grant-administration"> = {
  when: "to grant administration",
  effectsOf: ({ body }) => (memberOf(body, "admin") === true ? ["account.grant-administration"] : []),
}

/**
 * Granting and withdrawing administration need elevation. Elevation is checked before the account is looked up, so a
 * request for an unknown account needs it too.
 */
const changeOfAdministration: ElevationRule<
  "account.grant-administration" | "account.withdraw-administration"
> = {
  when: "to change administration",
  effectsOf: async ({ context, path, body }) => {
    const isAdmin = memberOf(body, "admin")
    if (typeof isAdmin !== "boolean") return []
    const account = await accountOfId(context.services, path["user_id"] ?? "")
    if (account?.admin === isAdmin) return []
    return [isAdmin ? "account.grant-administration" : "account.withdraw-administration"]
  },
}

export const accountOperations: readonly Operation[] = [
  operation("GET", "/api/admin/accounts", "adminListAccounts", {
    summary: "List the accounts, oldest first",
    needs: ["admin:accounts"],
    query: record(null, {
      name_begins: optional(
        text("The start of the name, in any spelling. The list is then sorted by name.", "a", { most: 256 }),
      ),
      admin: optional(flag("Only administrators; with 0, only the others.")),
      enabled: optional(flag("Only enabled accounts; with 0, only disabled ones.")),
      group: optional(text("Only members of this group.", "sales", { most: GROUP_NAME_LENGTH_AT_MOST })),
      account_type: optional(choice("Only accounts of this type.", ["person", "service"])),
      provider: optional(text("A sign-in provider, with `subject`: only the account linked to it.", "crm")),
      subject: optional(text("The person's subject at `provider`.", "42", { most: 255 })),
      ...pagingBy(isUserId),
    }),
    answers: pageOf("AccountPage", accountShape),
    run: async ({ services, query }) => {
      const { provider: name, subject } = query
      if (name !== undefined || subject !== undefined) {
        const provider = services.providers.get(name ?? "")
        const linked = provider && (await accountOfSubject(services, provider, subject ?? ""))
        const items = linked ? await accountRecords(services, [linked]) : []
        return success({ items, next: null })
      }
      const { name_begins: begins, admin: isAdmin, enabled, group, account_type: type } = query
      const nameBegins = begins === undefined ? undefined : usernameKey(begins)
      const found = await readPage(
        query,
        (page) => services.store.accounts(page, { nameBegins, admin: isAdmin, enabled, group, type }),
        rowKeys.accounts,
      )
      return success({ items: await accountRecords(services, found.items), next: found.next })
    },
  }),
  operation("POST", "/api/admin/accounts", "adminAddAccount", {
    summary: "Add an account",
    needs: ["admin:accounts"],
    elevationRule: grantOfAdministration,
    body: newAccount,
    status: 201,
    answers: accountShape,
    refuses: ["ALREADY_EXISTS"],
    run: addOne,
  }),
  operation("GET", "/api/admin/accounts/{user_id}", "adminGetAccount", {
    summary: "Get an account",
    needs: ["admin:accounts"],
    answers: accountShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, path }) => {
      const account = await accountOfId(services, path.user_id)
      return account === null ? unknown("account") : success(await accountRecord(services, account))
    },
  }),
  operation("PATCH", "/api/admin/accounts/{user_id}", "adminUpdateAccount", {
    summary: "Rename, enable or disable an account, grant or withdraw administration",
    notes: "All changes are made or none. The last enabled administrator cannot be disabled or withdrawn.",
    needs: ["admin:accounts"],
    elevationRule: changeOfAdministration,
    body: record("AccountUpdate", {
      username: optional(usernameInput),
      admin: optional(admin),
      enabled: optional(flag("Whether it is enabled.")),
    }),
    answers: accountShape,
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: async ({ services, path, body, ...call }) => {
      const updated = await updateAccount(services, path.user_id, body, byAdministrator(call))
      return updated.ok
        ? success(await accountRecord(services, updated.value))
        : accountRefused(updated.error)
    },
  }),
  operation("DELETE", "/api/admin/accounts/{user_id}", "adminRemoveAccount", {
    summary: "Remove an account permanently",
    notes: "Its credentials are revoked. Its apps continue without an owner.",
    needs: ["admin:accounts"],
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: async ({ services, path, ...call }) => {
      // The account may have become an administrator since the manager's request was judged.
      const mayRemove = ({ admin: isAdministrator }: Account) => !(call.isManager && isAdministrator)
      const removed = await removeAccountOfId(services, path.user_id, byAdministrator(call), mayRemove)
      return removed.ok ? success(null) : accountRefused(removed.error)
    },
  }),
  operation("PUT", "/api/admin/accounts/{user_id}/password", "adminSetPassword", {
    summary: "Set the password of an account and sign out every browser",
    needs: ["admin:accounts"],
    body: record("NewPassword", { password }),
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: async ({ services, path, body, ...call }) => {
      const set = await setPasswordOf(services, path.user_id, body.password, byAdministrator(call))
      return set.ok ? success(null) : accountRefused(set.error)
    },
  }),
  operation("GET", "/api/admin/accounts/{user_id}/factors", "adminListFactors", {
    summary: "List the factors of an account, without secrets",
    needs: ["admin:accounts"],
    answers: factorsShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, path }) => {
      const account = await accountOfId(services, path.user_id)
      if (account === null) return unknown("account")
      return success({ factors: (await factorsOf(services, account.userId)).map(factorRecord) })
    },
  }),
  operation("DELETE", "/api/admin/accounts/{user_id}/factors", "adminResetFactors", {
    summary: "Remove every factor of an account and sign out every browser",
    needs: ["admin:accounts"],
    refuses: ["NOT_FOUND"],
    run: async ({ services, path, ...call }) => {
      const isReset = await resetFactorsOf(services, path.user_id, byAdministrator(call))
      return isReset ? success(null) : unknown("account")
    },
  }),
]

type NewAccountCall = Call<never, null, Parsed<typeof newAccount>>

async function addOne({ services, body, ...call }: NewAccountCall) {
  const { username, account_type: type, password: typed, owner, admin: isAdmin = false } = body
  const name = parseNewUsername(username)
  if (!name.ok) return invalid(`username: ${usernameProblems[name.error]}`)
  const account = { username, admin: isAdmin, ...byAdministrator(call) }
  if (type === "service") {
    if (typed !== undefined) return invalid("password: A service account has no password.")
    const named = owner === undefined ? null : await findPerson(services, owner)
    if (named?.ok === false) return invalid(`owner: ${named.error}`)
    return answer(services, await addServiceAccount(services, { ...account, ownerName: owner ?? null }))
  }
  if (owner !== undefined) return invalid("owner: Only a service account has an owner.")
  if (typed === undefined) return invalid("password is missing.")
  const problem = passwordProblem(typed, name.value.username)
  if (problem !== null) return invalid(`password: ${passwordProblems[problem]}`)
  return answer(services, await addAccount(services, { ...account, password: typed }))
}

function invalid(problem: string) {
  return refused("INVALID_ARGUMENT", `body.${problem}`)
}

async function answer(services: Services, added: Result<Account, Problem>) {
  return added.ok
    ? success(await accountRecord(services, added.value))
    : refused("ALREADY_EXISTS", added.error)
}
