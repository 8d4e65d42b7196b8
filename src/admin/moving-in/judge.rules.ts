/** Decides which accounts of a source move in. MOVE-2, MOVE-3. */
import { isUserId } from "../../kernel/identifier.ts"
import { NO_PASSWORD } from "../../model/account.rules.ts"
import type { Taken } from "../../model/moved/import.rules.ts"
import {
  mixedScriptsProblem,
  parseUsername,
  type Username,
  usernameProblems,
} from "../../model/username.rules.ts"
import type { MovedAccount, Skipped } from "./moved.rules.ts"

export type JudgedAccount = {
  readonly moved: MovedAccount
  readonly name: Username
  readonly passwordHash: string
}

/** The ids and the names that the file has used so far. */
export type Used = {
  /** The name that the file has for each id. It is empty if the name is not usable. */
  readonly userIds: Map<string, string>
  readonly usernameKeys: Set<string>
  /** The ids whose account moves in, or has moved in before with the same name. */
  readonly knownIds: Set<string>
  /** The ids that the file has for accounts of different names. */
  readonly ambiguousIds: Set<string>
}

export function nothingUsed(): Used {
  return { userIds: new Map(), usernameKeys: new Set(), knownIds: new Set(), ambiguousIds: new Set() }
}

export type Judged = {
  readonly accounts: readonly JudgedAccount[]
  readonly skipped: readonly Skipped[]
  /** The number of accounts that an earlier import has added. */
  readonly present: number
}

/**
 * Adds the ids and names of these accounts to `used`. Two sources may have one id for different people, so an account has
 * moved in before only if its name is the same (MOVE-3).
 */
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
    else if (!name.ok) skip(account, usernameProblems[name.error])
    else if (used.userIds.has(userId)) {
      skip(account, `The file has the id ${userId} twice.`)
      if (used.userIds.get(userId) !== name.value.usernameKey) used.ambiguousIds.add(userId)
    } else if (isSame(byId.get(userId), name.value)) {
      used.knownIds.add(userId)
      present++
    } else if (byId.get(userId)?.isImported === true)
      skip(
        account,
        `The imported account of the id ${userId} has another name. Rename it if it is the same person.`,
      )
    else if (byId.has(userId)) skip(account, `Another account has the id ${userId}.`)
    else if (removed.has(userId)) skip(account, `A removed account had the id ${userId}.`)
    else if (used.usernameKeys.has(name.value.usernameKey)) skip(account, "The file has this name twice.")
    else if (keys.has(name.value.usernameKey)) skip(account, "Another account has this name.")
    else if (mixedScriptsProblem(name.value) !== null) skip(account, mixedScriptsProblem(name.value) ?? "")
    else {
      used.usernameKeys.add(name.value.usernameKey)
      used.knownIds.add(userId)
      accounts.push({ moved: account, name: name.value, passwordHash: account.passwordHash ?? NO_PASSWORD })
    }
    if (!used.userIds.has(userId)) used.userIds.set(userId, name.ok ? name.value.usernameKey : "")
  }
  return { accounts, skipped, present }
}

function isSame(found: Taken["accounts"][number] | undefined, { usernameKey }: Username): boolean {
  return found?.isImported === true && found.usernameKey === usernameKey
}

/** Returns the keys to look up before `judgeAccounts`. */
export function keysOf(moved: readonly MovedAccount[]) {
  const names = moved.map(({ username }) => parseUsername(username))
  return {
    userIds: moved.map(({ userId }) => userId).filter(isUserId),
    usernameKeys: names.flatMap((name) => (name.ok ? [name.value.usernameKey] : [])),
  }
}
