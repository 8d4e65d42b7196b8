/**
 * Rules for changes of an account and of its credentials and sessions. See docs/interface.md, "Accounts".
 *
 * The last enabled administrator cannot be disabled, demoted or removed. `otherAdministrator` is any other enabled
 * administrator. The change that writes also reads this account, so two administrators cannot remove each other
 * concurrently.
 */
import type { Account } from "../model/account.rules.ts"
import { type Change, type Decided, decided, eventRecorded } from "../model/change.rules.ts"
import type { Actor, EventKind } from "../model/event.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"

export type AccountChange = Actor & {
  readonly account: Account
  readonly otherAdministrator: Account | null
  readonly now: number
}

/** The rows that a change of `enabled` and a removal need besides. */
export type EndingChange = AccountChange & {
  readonly serviceAccounts: readonly Account[]
  /** The owner of a service account. */
  readonly owner: Account | null
}

type Answer = Decided<Result<Account, Problem>>

/** Adds a service account. `holder` has its name already. */
export function decideServiceAccount(
  account: Account,
  { holder, owner }: { readonly holder: Account | null; readonly owner: Account | null },
  by: Actor,
): Answer {
  if (holder !== null) return decided(nameTaken(holder))
  if (owner?.enabled === false)
    return decided(err(`The owner "${owner.username}" is disabled. Enable that account first.`))
  return decided(ok(account), ...addedAccount(account, by, account.createdAt))
}

/** `how` says in the audit trail how the account came to be, and `granted` how it became an administrator. */
export function addedAccount(
  account: Account,
  { address, actorId }: Actor,
  now: number,
  how: string | null = null,
  granted = how ?? "with the account",
): readonly Change[] {
  const { userId, type, admin } = account
  const recorded = (kind: EventKind, detail: string | null) =>
    eventRecorded(kind, now, { userId, actorId, address, detail })
  const details = [type === "service" ? "service account" : null, how, admin ? "administrator" : null]
  return [
    { change: "accountAdded", account },
    recorded("account-added", details.filter((detail) => detail !== null).join(", ") || null),
    ...(admin ? [recorded("administration-granted", granted)] : []),
  ]
}

/**
 * Disables an account and signs out its browsers. The account cannot sign in. Device grants that the account approved
 * are denied permanently, unless the device has redeemed them. The service accounts that it owns are disabled with it.
 *
 * Enabling the account restores its credentials, except those that end with a session. Its service accounts stay
 * disabled until an administrator enables each.
 */
export function decideDisabling(change: EndingChange): Answer {
  const { account } = change
  if (!account.enabled) return decided(ok(account))
  if (isLastAdministrator(change)) return decided(lastAdministrator(account, "disabled"))
  return changed(
    change,
    { enabled: false },
    "account-disabled",
    sessionsEnded(change),
    approvalsDenied(change),
    ...invitationsEnded(change),
    ...serviceAccountsDisabled(change, "the owner was disabled"),
  )
}

export function decideEnabling(change: EndingChange): Answer {
  const { account, owner } = change
  if (account.enabled) return decided(ok(account))
  if (owner?.enabled === false)
    return decided(err(`The owner of "${account.username}" is disabled. Enable "${owner.username}" first.`))
  return changed(change, { enabled: true }, "account-enabled")
}

/** Sets the language of pages and mails. A person might not understand mails in another one, so it is an event. */
export function decideLanguage(change: AccountChange, language: string | null): Answer {
  return change.account.language === language
    ? decided(ok(change.account))
    : changed(change, { language }, "language-changed")
}

export function decideAdministration(change: AccountChange, admin: boolean): Answer {
  const { account } = change
  if (account.admin === admin) return decided(ok(account))
  if (admin) return changed(change, { admin }, "administration-granted")
  if (isLastAdministrator(change)) return decided(lastAdministrator(account, "made an ordinary account"))
  return changed(change, { admin }, "administration-withdrawn", ...invitationsEnded(change))
}

/** Changes the password and signs out every browser except the session `except`. */
export function decideNewPassword(
  change: AccountChange,
  passwordHash: string,
  except: Extract<Change, { change: "sessionsEnded" }>["except"],
): Answer {
  return changed(change, { passwordHash }, "password-changed", sessionsEnded(change, except))
}

/** `holder` is another account that has the new name, or null. */
export function decideRenaming(
  change: AccountChange,
  { username, usernameKey }: Pick<Account, "username" | "usernameKey">,
  holder: Account | null,
): Answer {
  if (holder !== null && holder.userId !== change.account.userId) return decided(nameTaken(holder))
  return changed(change, { username, usernameKey }, "account-changed")
}

/**
 * Removes the account permanently: credentials are revoked and sessions end. Its apps continue without an owner, and its
 * service accounts are disabled.
 */
export function decideRemoval(change: EndingChange): Answer {
  const { account, now, address, actorId } = change
  const { userId } = account
  if (isLastAdministrator(change)) return decided(lastAdministrator(account, "removed"))
  return decided(
    ok(account),
    { change: "credentialsRevoked", of: { userId }, at: now, because: "account-removed" },
    approvalsDenied(change),
    ...invitationsEnded(change),
    ...serviceAccountsDisabled(change, "the owner was removed"),
    { change: "accountRemoved", userId },
    eventRecorded("account-removed", now, { userId, address, actorId }),
  )
}

export function nameTaken({ username }: Account) {
  return err(`The name is taken: there is an account "${username}".`)
}

function isLastAdministrator({ account, otherAdministrator }: AccountChange): boolean {
  return account.type === "person" && account.admin && account.enabled && otherAdministrator === null
}

function lastAdministrator({ username }: Account, what: string) {
  return err(`"${username}" is the last enabled administrator and cannot be ${what}. Make another one first.`)
}

function sessionsEnded(
  { account: { userId }, now }: AccountChange,
  except: Extract<Change, { change: "sessionsEnded" }>["except"] = null,
) {
  return { change: "sessionsEnded", userId, except, at: now } as const
}

function approvalsDenied({ account: { userId }, now }: AccountChange) {
  return { change: "approvalsDenied", userId, at: now } as const
}

/** What an administrator promised ends with their administration, and does not come back with it. INVITE-5. */
function invitationsEnded({ account: { admin, userId } }: AccountChange): readonly Change[] {
  return admin ? [{ change: "invitationsEnded", invitedBy: userId }] : []
}

function serviceAccountsDisabled(
  { serviceAccounts, now, address, actorId }: EndingChange,
  detail: string,
): readonly Change[] {
  return serviceAccounts
    .filter(({ enabled }) => enabled)
    .flatMap((account) => {
      const facts = { userId: account.userId, address, actorId, detail }
      return [
        { change: "accountChanged", account: { ...account, enabled: false } },
        eventRecorded("account-disabled", now, facts),
      ] as const
    })
}

function changed(
  { account, now, address, actorId }: AccountChange,
  facts: Partial<Account>,
  kind: EventKind,
  ...more: readonly Change[]
): Answer {
  const after = { ...account, ...facts }
  const { userId } = account
  return decided(
    ok(after),
    { change: "accountChanged", account: after },
    ...more,
    eventRecorded(kind, now, { userId, address, actorId }),
  )
}
