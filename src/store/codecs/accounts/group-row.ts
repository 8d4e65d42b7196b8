import type { UserId } from "../../../kernel/ids.ts"
import type { Group, Membership } from "../../../model/permissions/group.rules.ts"
import type { CountedGroup } from "../../list-shapes.ts"
import { upsertInto } from "../insert.ts"

export type GroupRow = { readonly name: string; readonly title: string | null; readonly created_at: number }

/** `provider` is empty for a membership that was given by hand. */
export type MembershipRow = {
  readonly user_id: string
  readonly group_name: string
  readonly provider: string
}

export const groupColumns = "name, title, created_at"
export const membershipColumns = "user_id, group_name, provider"

export function groupOf({ name, title, created_at: createdAt }: GroupRow): Group {
  return { name, title, createdAt }
}

export const countedGroupColumns = `${groupColumns},
  (SELECT count(DISTINCT user_id) FROM membership WHERE group_name = name) AS members`

export function countedGroupOf({ members, ...row }: GroupRow & { readonly members: number }): CountedGroup {
  return { ...groupOf(row), members }
}

export function membershipOf({ group_name: group, provider }: MembershipRow): Membership {
  return { group, provider: provider === "" ? null : provider }
}

export const SET_GROUP = upsertInto("account_group", "name", groupColumns)

export const END_MEMBERSHIPS = "DELETE FROM membership WHERE user_id = ?"

/** Adds nothing if the group is gone. */
const ADD_MEMBERSHIP = `
  INSERT INTO membership (user_id, group_name, provider)
  SELECT ?, name, ? FROM account_group WHERE name = ? ON CONFLICT DO NOTHING`

export function addMembership(userId: UserId, { group, provider }: Membership) {
  return { sql: ADD_MEMBERSHIP, values: [userId, provider ?? "", group] }
}

/** Sets the list of an account to the groups of its memberships. The parameters are the account, twice. */
export const SET_ACCOUNT_GROUPS = `
  UPDATE account SET groups = (
    SELECT coalesce(string_agg(group_name, ' ' ORDER BY group_name), '')
    FROM (SELECT DISTINCT group_name FROM membership WHERE user_id = ?) AS held)
  WHERE user_id = ?`

/** Takes a group out of the lists of its members. The parameters are the group, twice. */
export const LEAVE_GROUP = `
  UPDATE account SET groups = trim(replace(' ' || groups || ' ', ' ' || ? || ' ', ' '))
  WHERE user_id IN (SELECT user_id FROM membership WHERE group_name = ?)`

/** The memberships end with the group. No invitation and no set keeps its name for one that is made later. */
export const removeGroup = (name: string): readonly (readonly [sql: string, ...values: string[]])[] => [
  [
    "UPDATE invitation SET groups = trim(replace(' ' || groups || ' ', ' ' || ? || ' ', ' ')) WHERE groups <> ''",
    name,
  ],
  ["DELETE FROM applied WHERE what = 'group' AND made = ?", name],
  ["DELETE FROM account_group WHERE name = ?", name],
]
