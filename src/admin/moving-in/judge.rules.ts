/** Decides which accounts of a source move in. MOVE-2, MOVE-3. */
import { isUserId } from "../../kernel/identifier.ts"
import { NO_PASSWORD } from "../../model/account.rules.ts"
import type { Taken } from "../../model/moved/import.rules.ts"
import { parseUsername, type Username } from "../../model/username.rules.ts"
import type { MovedAccount, Skipped } from "./moved.rules.ts"

export type JudgedAccount = {
  readonly moved: MovedAccount
  readonly name: Username
  readonly passwordHash: string
}

/** The ids and the names that the file has used so far. */
export type Used = {
  readonly userIds: Set<string>
  readonly usernameKeys: Set<string>
  /** The ids of the accounts that move in. */
  readonly movedIds: Set<string>
}

export function nothingUsed(): Used {
  return { userIds: new Set(), usernameKeys: new Set(), movedIds: new Set() }
}

export type Judged = {
  readonly accounts: readonly JudgedAccount[]
  readonly skipped: readonly Skipped[]
  /** The number of accounts that an earlier import has added. */
  readonly present: number
}

/** Adds the ids and names of these accounts to `used`. */
export function judgeAccounts(moved: readonly MovedAccount[], taken: Taken, used: Used): Judged {
  const byId = new Map(taken.accounts.map((one) => [one.userId, one]))
  const keys = new Set(taken.accounts.map(({ usernameKey }) => usernameKey))
  const removed = new Set(taken.removed)
  const accounts: JudgedAccount[] = []
  const skipped: Skipped[] = []
  let present = 0
  const skip = ({ username, userId }: MovedAccount, reason: string) =>
    skipped.push({ what: "account", name: username || userId, reason })
  for (const account of moved) {
    const { userId } = account
    const name = parseUsername(account.username)
    if (!isUserId(userId)) skip(account, "The id does not have 1 to 255 visible ASCII characters.")
    else if (!name.ok) skip(account, name.error)
    else if (used.userIds.has(userId)) skip(account, `The file has the id ${userId} twice.`)
    else if (byId.get(userId)?.isImported === true) present++
    else if (byId.has(userId)) skip(account, `Another account has the id ${userId}.`)
    else if (removed.has(userId)) skip(account, `A removed account had the id ${userId}.`)
    else if (used.usernameKeys.has(name.value.usernameKey)) skip(account, "The file has this name twice.")
    else if (keys.has(name.value.usernameKey)) skip(account, "Another account has this name.")
    else {
      used.usernameKeys.add(name.value.usernameKey)
      used.movedIds.add(userId)
      accounts.push({ moved: account, name: name.value, passwordHash: account.passwordHash ?? NO_PASSWORD })
    }
    used.userIds.add(userId)
  }
  return { accounts, skipped, present }
}

/** Returns the keys to look up before `judgeAccounts`. */
export function keysOf(moved: readonly MovedAccount[]) {
  const names = moved.map(({ username }) => parseUsername(username))
  return {
    userIds: moved.map(({ userId }) => userId).filter(isUserId),
    usernameKeys: names.flatMap((name) => (name.ok ? [name.value.usernameKey] : [])),
  }
}
