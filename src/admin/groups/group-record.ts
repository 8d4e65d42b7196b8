/** A group in JSON, and the memberships of an account. */
import type { Grouped } from "../../accounts/groups/group-change.rules.ts"
import { previewShape } from "../../apps/preview/preview-record.ts"
import { GROUP_NAME_LENGTH_AT_MOST, GROUP_TITLE_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import {
  instant,
  integer,
  list,
  optional,
  orNull,
  type Parsed,
  record,
  text,
} from "../../platform/json/shape.rules.ts"
import type { Membership } from "../../model/permissions/group.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { CountedGroup } from "../../store/list-shapes.ts"
import { accountMembers, accountRecord } from "../accounts/account-record.ts"

export const groupName = text("The name of the group.", "sales", { most: GROUP_NAME_LENGTH_AT_MOST })
export const groupTitle = orNull(
  // A character outside the BMP has two UTF-16 units, and is trimmed of what surrounds it.
  text("A text for people, or null.", "Sales team", { most: 4 * GROUP_TITLE_LENGTH_AT_MOST }),
)

const groupMembers = {
  name: groupName,
  title: groupTitle,
  members: integer("How many accounts are in it.", 7),
  created_at: instant("When it was created"),
}

export const groupShape = record("Group", groupMembers)
export const removedGroupShape = record("RemovedGroup", { ...groupMembers, preview: optional(previewShape) })

export function groupRecord({ name, title, members, createdAt }: CountedGroup): Parsed<typeof groupShape> {
  return { name, title, members, created_at: createdAt }
}

export const groupedShape = record("GroupedAccount", {
  ...accountMembers,
  memberships: list(
    "Who put the account into each of its groups. It leaves a group with the last mark.",
    record("Membership", {
      group: groupName,
      provider: orNull(text("The sign-in provider. Null if it was done by hand.", "corp"), null),
    }),
  ),
  preview: optional(previewShape),
})

/** The account with its memberships. */
export async function groupedRecord(services: Pick<Services, "store">, { account, memberships }: Grouped) {
  const keyOf = ({ group, provider }: Membership) => `${group} ${provider ?? ""}`
  const sorted = memberships.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  return { ...(await accountRecord(services, account)), memberships: sorted }
}
