/** Groups of accounts, and the marks of who put an account into a group. Interface GROUP. */
import { GROUP_NAME_LENGTH_AT_MOST, GROUP_TITLE_LENGTH_AT_MOST } from "../../kernel/limits.ts"
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

/** Returns the names of the groups, sorted and each once. */
export function groupsOf(memberships: readonly Membership[]): readonly string[] {
  return [...new Set(memberships.map(({ group }) => group))].sort()
}
