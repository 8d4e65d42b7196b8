/** The actions on an account in the console, such as unlocking, with the page that asks before each. */
import type { Account } from "../../model/account.rules.ts"
import { err, ok } from "../../kernel/result.ts"
import {
  accountOfId,
  type AccountUpdate,
  removeAccountOfId,
  updateAccount,
  withProblem,
} from "../../accounts/account-by-id.ts"
import { resetFactorsOf } from "../../accounts/factors/factor.ts"
import { previewAccountDisabling, previewAccountRemoval, previewAdministration } from "../../apps/preview.ts"
import { unlockAccountOfId } from "../../accounts/factors/unlock.ts"
import { type ConfirmedAction, actionPages } from "../console/confirmed-actions.endpoint.ts"

const actions: Readonly<Record<string, ConfirmedAction<Account | null, "account">>> = {
  disable: {
    title: "Disable",
    lead: "The account cannot sign in, and apps cannot use it, until you enable it again. Its browsers are signed out. Service accounts that it owns are disabled with it.",
    button: "Disable the account",
    isDangerous: true,
    effect: "account.disable",
    preview: previewAccountDisabling,
    run: update({ enabled: false }),
    done: "disabled",
  },
  enable: {
    title: "Enable",
    lead: "The person can sign in again. Access that was not revoked works again.",
    button: "Enable the account",
    isDangerous: false,
    effect: "account.enable",
    run: update({ enabled: true }),
    done: "enabled",
  },
  remove: {
    title: "Remove",
    lead: "This removes the account permanently. Its browsers are signed out, and the access that it gave to apps is revoked. Service accounts that it owns are disabled. You cannot undo this.",
    button: "Remove the account permanently",
    isDangerous: true,
    effect: "account.remove",
    preview: previewAccountRemoval,
    run: async (services, id, from) => withProblem(await removeAccountOfId(services, id, from)),
    done: "removed",
  },
  grant: {
    title: "Make administrator:",
    lead: "The account can see and change everything in this console, and can let apps do the same.",
    button: "Make it an administrator",
    isDangerous: true,
    effect: "account.grant-administration",
    preview: (services, id) => previewAdministration(services, id, true),
    run: update({ admin: true }),
    done: "granted",
  },
  withdraw: {
    title: "Withdraw administration from",
    lead: "The account can no longer use the console, and its apps can no longer administer anything.",
    button: "Withdraw administration",
    isDangerous: true,
    effect: "account.withdraw-administration",
    preview: (services, id) => previewAdministration(services, id, false),
    run: update({ admin: false }),
    done: "withdrawn",
  },
  unlock: {
    title: "Unlock",
    lead: "After too many wrong codes, codes work only in browsers that have signed in to the account before. Unlocking lets them work in every browser again. Make sure that the request comes from the owner.",
    button: "Unlock the account",
    isDangerous: false,
    effect: "account.unlock",
    run: unlockAccountOfId,
    done: "unlocked",
  },
  factors: {
    title: "Reset the factors of",
    lead: "This removes the account’s authenticator apps, passkeys and recovery codes, and signs out its browsers. The owner can then sign in with the password alone. Make sure that the request comes from the owner.",
    button: "Reset the factors",
    isDangerous: true,
    effect: "factor.remove",
    run: async (services, id, from) => {
      const isDone = await resetFactorsOf(services, id, from)
      return isDone ? ok(null) : err("The account has been removed.")
    },
    done: "factors",
  },
}

export const { get: showAccountAction, post: submitAccountAction } = actionPages({
  of: "account",
  nameless: "an account without a name",
  nameOf: async (services, id) => (await accountOfId(services, id))?.username ?? null,
  byName: new Map(Object.entries(actions)),
})

function update(changes: AccountUpdate): ConfirmedAction<Account | null, "account">["run"] {
  return async (services, id, from) => withProblem(await updateAccount(services, id, changes, from))
}
