/** What one part of the file would change: the lines of the plan, and the writes. */
import type { UserId } from "../../kernel/ids.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { Account } from "../../model/account.rules.ts"
import type { Applied, Change } from "../../model/change.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { usernameKey } from "../../model/username.rules.ts"
import type { BindingInput } from "../../oauth/credential/binding.rules.ts"
import type { FileProblem, Present } from "./set-up.rules.ts"

/** How a member looks in the plan. A secret has no value. */
export type Shown = string | boolean | null | readonly string[]

export type Difference = { readonly member: string; readonly before: Shown; readonly after: Shown }

export type Planned = {
  readonly change: "add" | "update" | "remove"
  readonly what: Applied["what"]
  readonly key: string
  /** The id of the thing, which may be the id to come. */
  readonly made: string
  readonly members: readonly Difference[]
}

export type Part = {
  readonly planned: readonly Planned[]
  readonly changes: readonly Change[]
  readonly problems: readonly FileProblem[]
}

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

export const NOTHING: Part = { planned: [], changes: [], problems: [] }

export function joined(parts: readonly Part[]): Part {
  return {
    planned: parts.flatMap(({ planned }) => planned),
    changes: parts.flatMap(({ changes }) => changes),
    problems: parts.flatMap(({ problems }) => problems),
  }
}

export function wrong(line: number, problem: string): Part {
  return { ...NOTHING, problems: [{ line, problem }] }
}

/** Stores the key of something that the set makes, or that it made under another key. */
export function keyed(
  { set, present }: Pick<Planning, "set" | "present">,
  row: Omit<Applied, "set">,
  isNew: boolean,
): readonly Change[] {
  const known = present.applied.find(({ what, made }) => what === row.what && made === row.made)
  return isNew || (known !== undefined && known.key !== row.key)
    ? [{ change: "appliedSet", applied: { set, ...row } }]
    : []
}

export function findAccount(accounts: readonly Account[], name: string): Account | null {
  const key = usernameKey(name)
  return accounts.find((account) => account.usernameKey === key) ?? null
}

/** Null stands for no account, and undefined for a member that is left out. */
export function accountNamed(
  accounts: readonly Account[],
  name: string | null | undefined,
): Result<Account | null | undefined, Problem> {
  if (name === null || name === undefined) return ok(name)
  const found = findAccount(accounts, name)
  return found === null ? err(`There is no account named ${JSON.stringify(name)}.`) : ok(found)
}

export function usernameOf(accounts: readonly Account[], id: UserId | null | undefined): string | null {
  return accounts.find(({ userId }) => userId === id)?.username ?? null
}
