/** A group in JSON, and the memberships of an account. */
import type { Grouped } from "../../accounts/groups/group-change.rules.ts"
import { GROUP_NAME_LENGTH_AT_MOST, GROUP_TITLE_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { instant, integer, list, orNull, type Parsed, record, text } from "../../platform/json/shape.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { CountedGroup } from "../../store/list-shapes.ts"
import { accountRecord } from "../accounts/account-record.ts"

export const groupName = text("The name of the group.", "sales", { most: GROUP_NAME_LENGTH_AT_MOST })
export const groupTitle = orNull(
  // A character outside the BMP has two UTF-16 units, and is trimmed of what surrounds it.
  text("A text for people, or null.", "Sales team", { most: 4 * GROUP_TITLE_LENGTH_AT_MOST }),
)

export const groupMembers = {
  name: groupName,
  title: groupTitle,
  members: integer("How many accounts are in it.", 7),
  created_at: instant("When it was created"),
}

export const groupShape = record("Group", groupMembers)

export function groupRecord({ name, title, members, createdAt }: CountedGroup): Parsed<typeof groupShape> {
  return { name, title, members, created_at: createdAt }
}

export const memberships = list(
  "Who put the account into each of its groups. It leaves a group with the last mark.",
  record("Membership", {
    group: groupName,
    provider: orNull(text("The sign-in provider. Null if it was done by hand.", "corp"), null),
  }),
)

/** The account with its memberships. */
export async function groupedRecord(
  services: Pick<Services, "store">,
  { account, memberships: held }: Grouped,
) {
  const sorted = held.toSorted(
    (one, other) => compare(one.group, other.group) || compare(one.provider ?? "", other.provider ?? ""),
  )
  return { ...(await accountRecord(services, account)), memberships: sorted }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
