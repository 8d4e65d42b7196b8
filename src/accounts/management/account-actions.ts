/** What an administrator does to an account in the console. */
import type { Account } from "../../records/account.rules.ts"
import { err, ok } from "../../kernel/result.ts"
import { accountOfId, removeAccountOfId, updateAccount, withProblem } from "../account-by-id.ts"
import { resetFactorsOf } from "../factors/factor.ts"
import { previewAccountDisabling, previewAccountRemoval, previewAdministration } from "../../apps/preview.ts"
import { unlockAccountOfId } from "../factors/unlock.ts"
import { type ConfirmedAction, deedPages } from "../../console/confirmed-actions.endpoint.ts"

const actions: ReadonlyMap<string, ConfirmedAction<Account | null, "account">> = new Map<
  string,
  ConfirmedAction<Account | null, "account">
>([
  [
    "disable",
    {
      title: "Disable",
      lead: "Nobody can sign in with the account, and none of its apps works, until it is enabled again. Its browsers are signed out.",
      button: "Disable the account",
      isDangerous: true,
      effect: "account.disable",
      preview: previewAccountDisabling,
      run: async (services, id, from) =>
        withProblem(await updateAccount(services, id, { enabled: false }, from)),
      done: "disabled",
    },
  ],
  [
    "enable",
    {
      title: "Enable",
      lead: "The person can sign in again, and what was not revoked works again.",
      button: "Enable the account",
      isDangerous: false,
      effect: "account.enable",
      run: async (services, id, from) =>
        withProblem(await updateAccount(services, id, { enabled: true }, from)),
      done: "enabled",
    },
  ],
  [
    "remove",
    {
      title: "Remove",
      lead: "The account is gone for good: its browsers are signed out, and everything that it let in is revoked. Nothing brings it back.",
      button: "Remove the account for good",
      isDangerous: true,
      effect: "account.remove",
      preview: previewAccountRemoval,
      run: async (services, id, from) => withProblem(await removeAccountOfId(services, id, from)),
      done: "removed",
    },
  ],
  [
    "grant",
    {
      title: "Make an administrator:",
      lead: "The account sees and changes everything in this console, and can let apps do so.",
      button: "Make it an administrator",
      isDangerous: true,
      effect: "account.grant-administration",
      preview: (services, id) => previewAdministration(services, id, true),
      run: async (services, id, from) =>
        withProblem(await updateAccount(services, id, { admin: true }, from)),
      done: "granted",
    },
  ],
  [
    "withdraw",
    {
      title: "Make an ordinary account:",
      lead: "The account has no console any more, and its apps cannot administer anything.",
      button: "Make it an ordinary account",
      isDangerous: true,
      effect: "account.withdraw-administration",
      preview: (services, id) => previewAdministration(services, id, false),
      run: async (services, id, from) =>
        withProblem(await updateAccount(services, id, { admin: false }, from)),
      done: "withdrawn",
    },
  ],
  [
    "unlock",
    {
      title: "Unlock",
      lead: "Too many wrong codes were entered for the account, so that codes work only in browsers that have signed in to it before. After this they work in every browser again. Make sure that it is the owner who asks.",
      button: "Unlock the account",
      isDangerous: false,
      effect: "account.unlock",
      run: unlockAccountOfId,
      done: "unlocked",
    },
  ],
  [
    "factors",
    {
      title: "Reset the factors of",
      lead: "For somebody who lost them: authenticator apps, passkeys and recovery codes go, every browser is signed out, and the password alone lets the owner in again. Make sure that it is the owner who asks.",
      button: "Reset the factors",
      isDangerous: true,
      effect: "factor.remove",
      run: async (services, id, from) => {
        const isDone = await resetFactorsOf(services, id, from)
        return isDone ? ok(null) : err("The account was removed meanwhile.")
      },
      done: "factors",
    },
  ],
])

export const accountDeeds = deedPages({
  of: "account",
  nameless: "an account without a name",
  nameOf: async (services, id) => (await accountOfId(services, id))?.username ?? null,
  byName: actions,
})
