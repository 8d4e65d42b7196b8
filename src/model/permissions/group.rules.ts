/** Groups of accounts, and the marks of who put an account into a group. Interface GROUP. */
import {
  GROUP_NAME_LENGTH_AT_MOST,
  GROUP_TITLE_LENGTH_AT_MOST,
  GROUPS_OF_APP_AT_MOST,
} from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { codePointCount, isVisibleText } from "../../kernel/visible-text.ts"

export type Group = {
  readonly name: string
  /** A text for people. Null if it has none. */
  readonly title: string | null
  readonly createdAt: number
}

/** An account is in a group while any giver has a mark. `provider` is null for a mark that was given by hand. */
export type Membership = { readonly group: string; readonly provider: string | null }

/** The form of a name, as messages say it. */
export const GROUP_NAME_FORM = `1 to ${GROUP_NAME_LENGTH_AT_MOST} of a-z 0-9 . _ : -`

export function isGroupName(text: string): boolean {
  return text.length <= GROUP_NAME_LENGTH_AT_MOST && /^[a-z0-9._:-]+$/.test(text)
}

/** The form of a title, as messages say it. */
export const GROUP_TITLE_FORM = `1 to ${GROUP_TITLE_LENGTH_AT_MOST} visible characters`

/** Whether a text, trimmed and composed (NFC), may be a title. */
export function isGroupTitle(text: string): boolean {
  return (
    text !== "" &&
    text.length <= 4 * GROUP_TITLE_LENGTH_AT_MOST &&
    codePointCount(text) <= GROUP_TITLE_LENGTH_AT_MOST &&
    isVisibleText(text)
  )
}

/** Checks the names of the groups that an app is for. Whether they exist is not looked up. */
export function parseAppGroups(names: readonly string[]): Result<readonly string[], Problem> {
  const wrong = names.find((name) => !isGroupName(name))
  if (wrong !== undefined)
    return err(`${JSON.stringify(wrong)} is not a name of a group, which has ${GROUP_NAME_FORM}.`)
  const once = [...new Set(names)].sort()
  return once.length <= GROUPS_OF_APP_AT_MOST
    ? ok(once)
    : err(`An app is for at most ${GROUPS_OF_APP_AT_MOST} groups.`)
}

/** Returns the names of the groups, sorted and each once. */
export function groupsOf(memberships: readonly Membership[]): readonly string[] {
  return [...new Set(memberships.map(({ group }) => group))].sort()
}
