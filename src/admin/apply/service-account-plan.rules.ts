/** What the file changes of one service account. */
import { decideRemoval, decideServiceAccount } from "../../accounts/account-change.rules.ts"
import type { UserId } from "../../kernel/ids.ts"
import { type Account, asPerson } from "../../model/account.rules.ts"
import type { Change } from "../../model/change.rules.ts"
import { parseNewUsername, usernameKey, usernameProblems } from "../../model/username.rules.ts"
import { accountNamed, keyed, NOTHING, type Part, type Planning, wrong } from "./part.rules.ts"
import type { NamedServiceAccount } from "./set-up.rules.ts"

const from = { address: null } as const

/** `account` is null if the entry has a problem. */
type ServiceAccountPart = { readonly account: Account | null; readonly part: Part }

export function planServiceAccount(planning: Planning, entry: NamedServiceAccount): ServiceAccountPart {
  const { accounts } = planning.present
  const { name, line } = entry
  const what = `service_accounts: ${name}`
  const no = (problem: string) => ({ account: null, part: wrong(line, problem) })
  const owner = accountNamed(accounts, entry.owner)
  if (!owner.ok) return no(`${what}: owner: ${owner.error}`)
  const ownerId = owner.value?.userId ?? null
  const before = accounts.find((one) => one.usernameKey === usernameKey(name)) ?? null
  if (before !== null) {
    if (before.type !== "service") return no(`${what}: "${before.username}" is not a service account.`)
    return entry.owner === undefined || before.ownerId === ownerId
      ? { account: before, part: { ...NOTHING, changes: keyed(planning, rowOf(name, before), false) } }
      : no(`${what}: owner: The owner of a service account cannot change.`)
  }
  const parsed = parseNewUsername(name)
  if (!parsed.ok) return no(`${what}: ${usernameProblems[parsed.error]}`)
  if (owner.value && asPerson(owner.value) === null)
    return no(`${what}: owner: There is no account named "${owner.value.username}" that signs in.`)
  const account: Account = {
    userId: planning.freshOf("service_accounts", name).id as UserId,
    ...parsed.value,
    ...{
      type: "service",
      ownerId,
      passwordHash: null,
      admin: false,
      enabled: true,
      language: null,
      groups: [],
    },
    createdAt: planning.now,
  }
  const { answer, changes } = decideServiceAccount(
    account,
    { holder: null, owner: owner.value ?? null },
    from,
  )
  if (!answer.ok) return no(`${what}: ${answer.error}`)
  const members = entry.owner === undefined ? [] : [{ member: "owner", before: null, after: entry.owner }]
  const row = rowOf(name, account)
  return {
    account,
    part: {
      planned: [{ change: "add", ...row, members }],
      changes: [...changes, ...keyed(planning, row, true)],
      problems: [],
    },
  }
}

function rowOf(key: string, { userId: made }: Account) {
  return { what: "service_account", key, made } as const
}

/** Returns null if the account is gone. */
export function removedServiceAccount({ present, now }: Planning, made: string): readonly Change[] | null {
  const account = present.accounts.find(({ userId }) => userId === made)
  if (account === undefined) return null
  const alone = { otherAdministrator: null, serviceAccounts: [], owner: null }
  return decideRemoval({ account, ...alone, now, ...from }).changes
}
