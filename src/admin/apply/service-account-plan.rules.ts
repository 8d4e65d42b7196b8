/** What the file changes of one service account. */
import { decideRemoval, decideServiceAccount } from "../../accounts/account-change.rules.ts"
import type { UserId } from "../../kernel/ids.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { type Account, asPerson } from "../../model/account.rules.ts"
import type { Change } from "../../model/change.rules.ts"
import { parseNewUsername, usernameProblems } from "../../model/username.rules.ts"
import { groupsProblem, planMemberships } from "./group-plan.rules.ts"
import { accountNamed, findAccount, keyed, type Part, type Planning, wrong } from "./part.rules.ts"
import type { NamedServiceAccount } from "./set-up.rules.ts"

const from = { address: null } as const

/** `account` is null if the entry has a problem. */
type ServiceAccountPart = { readonly account: Account | null; readonly part: Part }

/** `groups` are those that are there when the apply is done. */
export function planServiceAccount(
  planning: Planning,
  groups: ReadonlySet<string>,
  entry: NamedServiceAccount,
): ServiceAccountPart {
  const { name, line } = entry
  const what = `service_accounts: ${name}`
  const before = findAccount(planning.present.accounts, name)
  const no = (problem: string) => ({ account: null, part: wrong(line, `${what}: ${problem}`) })
  const made = before === null ? added(planning, entry) : found(planning, entry, before)
  if (!made.ok) return no(made.error)
  const missing = groupsProblem(groups, entry.groups)
  if (missing !== null) return no(`groups: ${missing}`)
  const { account, changes } = made.value
  const wanted = entry.groups?.toSorted() ?? account.groups
  const joining = planMemberships(planning, account, wanted)
  if (!joining.ok) return no(`groups: ${joining.error}`)
  const members = [
    ...(before !== null || entry.owner === undefined
      ? []
      : [{ member: "owner", before: null, after: entry.owner }]),
    ...(joining.value.length === 0 ? [] : [{ member: "groups", before: account.groups, after: wanted }]),
  ]
  const row = { what: "service_account", key: name, made: account.userId } as const
  const isSame = before !== null && members.length === 0
  return {
    account,
    part: {
      planned: isSame ? [] : [{ change: before === null ? "add" : "update", ...row, members }],
      changes: [...changes, ...joining.value, ...keyed(planning, row, before === null)],
      problems: [],
    },
  }
}

type Made = Result<{ readonly account: Account; readonly changes: readonly Change[] }, Problem>

function found({ present }: Planning, entry: NamedServiceAccount, account: Account): Made {
  if (account.type !== "service") return err(`"${account.username}" is not a service account.`)
  const owner = accountNamed(present.accounts, entry.owner)
  if (!owner.ok) return err(`owner: ${owner.error}`)
  return owner.value === undefined || account.ownerId === (owner.value?.userId ?? null)
    ? ok({ account, changes: [] })
    : err("owner: The owner of a service account cannot change.")
}

function added(planning: Planning, { name, owner: ownerName }: NamedServiceAccount): Made {
  const parsed = parseNewUsername(name)
  if (!parsed.ok) return err(usernameProblems[parsed.error])
  const owner = accountNamed(planning.present.accounts, ownerName)
  if (!owner.ok) return err(`owner: ${owner.error}`)
  if (owner.value && asPerson(owner.value) === null)
    return err(`owner: There is no account named "${owner.value.username}" that signs in.`)
  const account: Account = {
    userId: planning.freshOf("service_accounts", name).id as UserId,
    ...parsed.value,
    ...{ type: "service", ownerId: owner.value?.userId ?? null, passwordHash: null, admin: false },
    ...{ enabled: true, language: null, groups: [] },
    createdAt: planning.now,
  }
  const { answer, changes } = decideServiceAccount(
    account,
    { holder: null, owner: owner.value ?? null },
    from,
  )
  return answer.ok ? ok({ account, changes }) : answer
}

/** Returns null if the account is gone. */
export function removedServiceAccount({ present, now }: Planning, made: string): readonly Change[] | null {
  const account = present.accounts.find(({ userId }) => userId === made)
  if (account === undefined) return null
  const alone = { otherAdministrator: null, serviceAccounts: [], owner: null }
  return decideRemoval({ account, ...alone, now, ...from }).changes
}
