/** What one entry of the file would change: a line of the plan, and the writes. */
import type { UserId } from "../../kernel/ids.ts"
import { type Problem, type Result, err } from "../../kernel/result.ts"
import type { Account } from "../../model/account.rules.ts"
import type { Applied, Change } from "../../model/change.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { usernameKey } from "../../model/username.rules.ts"
import type { BindingInput } from "../../oauth/credential/binding.rules.ts"
import type { FileProblem, Named, Present } from "./set-up.rules.ts"

/** How a member looks in the plan. A secret has no value. */
export type Shown = string | boolean | null | readonly string[]

export type Difference = { readonly member: string; readonly before: Shown; readonly after: Shown }

export type Planned = {
  readonly change: "add" | "update" | "keep" | "remove"
  readonly what: Applied["what"]
  readonly key: string
  /** The id of the thing, which may be the id to come. */
  readonly made: string
  readonly members: readonly Difference[]
  readonly changes: readonly Change[]
}

export type Part = Result<Planned, FileProblem>

/** The random values that an entry needs, by its part and its key. They are drawn before the plan. */
export type Fresh = BindingInput & { readonly id: string }

export type Planning = {
  readonly set: string
  readonly present: Present
  readonly catalog: Catalog
  readonly languages: readonly string[]
  readonly now: number
  readonly freshOf: (part: "apps" | "service_accounts", key: string) => Fresh
}

type Members = ReadonlyMap<string, Shown>

/** Plans what an entry changes of `before`, which is null for a new thing. A new one shows the members of the file. */
export function compared(
  planning: Planning,
  what: Applied["what"],
  { key, lines }: Pick<Named<unknown>, "key" | "lines">,
  made: string,
  [before, after]: readonly [Members | null, Members],
  changes: readonly Change[],
): Planned {
  const members = [...(before === null ? lines : after).keys()]
    .map((member) => ({ member, before: before?.get(member) ?? null, after: after.get(member) ?? null }))
    .filter((one) => before === null || JSON.stringify(one.before) !== JSON.stringify(one.after))
  const change = before === null ? "add" : members.length + changes.length > 0 ? "update" : "keep"
  const known = planning.present.applied.find((row) => row.what === what && row.made === made)
  // Something that the set makes, or that it made under another key.
  const isKeyed = before === null || (known !== undefined && known.key !== key)
  const applied = { set: planning.set, what, key, made }
  const keyed: readonly Change[] = isKeyed ? [{ change: "appliedSet", applied }] : []
  return { change, what, key, made, members, changes: [...changes, ...keyed] }
}

type Entry = Pick<Named<unknown>, "key" | "line" | "lines">

/** A problem of a member of an entry. Null stands for the entry. */
export function wrong(part: string, { key, line, lines }: Entry, member: string | null, problem: Problem) {
  const of = member === null ? `${part}: ${key}` : `${part}: ${key}: ${member}`
  return err({ line: lines.get(member ?? "") ?? line, problem: `${of}: ${problem}` })
}

export type Check = readonly [member: string | null, problem: Problem | false | null]

export function firstWrong(part: string, entry: Entry, checks: readonly Check[]) {
  const [first] = checks.flatMap(([member, problem]) =>
    typeof problem === "string" ? [wrong(part, entry, member, problem)] : [],
  )
  return first ?? null
}

export function findAccount(accounts: readonly Account[], name: string): Account | null {
  const key = usernameKey(name)
  return accounts.find((account) => account.usernameKey === key) ?? null
}

/** Null stands for no account, and undefined for a member that is left out. */
export function accountNamed(accounts: readonly Account[], name: string | null | undefined) {
  return typeof name === "string" ? findAccount(accounts, name) : name
}

export function accountProblem(
  accounts: readonly Account[],
  name: string | null | undefined,
): Problem | null {
  return typeof name === "string" && findAccount(accounts, name) === null
    ? `There is no account named ${JSON.stringify(name)}.`
    : null
}

export function usernameOf(accounts: readonly Account[], id: UserId | null | undefined): string | null {
  return accounts.find(({ userId }) => userId === id)?.username ?? null
}
