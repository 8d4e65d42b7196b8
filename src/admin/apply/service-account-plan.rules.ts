/** What the file changes of one service account. */
import { decideRemoval, decideServiceAccount } from "../../accounts/account-change.rules.ts"
import { decideMemberships } from "../../accounts/groups/group-change.rules.ts"
import type { UserId } from "../../kernel/ids.ts"
import { ok } from "../../kernel/result.ts"
import { type Account, asPerson, newPerson } from "../../model/account.rules.ts"
import type { Change } from "../../model/change.rules.ts"
import { parseNewUsername, usernameProblems } from "../../model/username.rules.ts"
import { groupsProblem } from "./group-plan.rules.ts"
import {
  accountNamed,
  accountProblem,
  compared,
  findAccount,
  firstWrong,
  type Part,
  type Planning,
  type Shown,
  usernameOf,
  wrong,
} from "./part.rules.ts"
import type { NamedServiceAccount } from "./set-up.rules.ts"

const PART = "service_accounts"
const from = { address: null } as const

/** `groups` are those that are there when the apply is done. */
export function planServiceAccount(
  planning: Planning,
  groups: ReadonlySet<string>,
  entry: NamedServiceAccount,
): Part {
  const { accounts } = planning.present
  const { key, members } = entry
  const before = findAccount(accounts, key)
  const owner = accountNamed(accounts, members.owner)
  const isOther = before !== null && owner !== undefined && before.ownerId !== (owner?.userId ?? null)
  const isRobot = before === null && owner !== null && owner !== undefined && asPerson(owner) === null
  const name = before === null ? parseNewUsername(key) : ok(before)
  if (!name.ok) return wrong(PART, entry, null, usernameProblems[name.error])
  const first = firstWrong(PART, entry, [
    [null, before !== null && before.type !== "service" && `"${before.username}" is not a service account.`],
    ["owner", accountProblem(accounts, members.owner)],
    ["owner", isOther && "The owner of a service account cannot change."],
    ["owner", isRobot && `There is no account named "${owner.username}" that signs in.`],
    ["groups", groupsProblem(groups, members.groups)],
  ])
  if (first !== null) return first
  const of = {
    userId: planning.freshOf(PART, name.value.usernameKey).id as UserId,
    passwordHash: null,
    admin: false,
  }
  const made = newPerson(name.value, { ...of, createdAt: planning.now })
  const account: Account = before ?? { ...made, type: "service", ownerId: owner?.userId ?? null }
  const rows = { holder: null, owner: owner ?? null }
  const added = before === null ? decideServiceAccount(account, rows, from) : null
  if (added?.answer.ok === false) return wrong(PART, entry, null, added.answer.error)
  const joined = withGroups(planning, account, members.groups ?? account.groups)
  if (!joined.answer.ok) return wrong(PART, entry, "groups", joined.answer.error.problem)
  const { account: after } = joined.answer.value
  const shown = (one: Account) =>
    new Map<string, Shown>([
      ["owner", usernameOf(accounts, one.ownerId)],
      ["groups", one.groups],
    ])
  const changes = [...(added?.changes ?? []), ...joined.changes]
  const both = [before && shown(before), shown(after)] as const
  return ok(compared(planning, "service_account", entry, account.userId, both, changes))
}

/** A service account never signs in, so it has all its groups by hand. */
function withGroups({ now }: Planning, account: Account, groups: readonly string[]) {
  const memberships = account.groups.map((group) => ({ group, provider: null }))
  const remove = account.groups.filter((name) => !groups.includes(name))
  const add = groups.filter((name) => !account.groups.includes(name))
  return decideMemberships({ account, memberships }, { add, remove }, { now, ...from })
}

/** Returns null if the account is gone. */
export function removedServiceAccount({ present, now }: Planning, made: string): readonly Change[] | null {
  const account = present.accounts.find(({ userId }) => userId === made)
  if (account === undefined) return null
  const alone = { otherAdministrator: null, serviceAccounts: [], owner: null }
  return decideRemoval({ account, ...alone, now, ...from }).changes
}
