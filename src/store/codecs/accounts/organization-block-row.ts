import type { OrganizationBlock } from "../../../model/sign-in/organization.rules.ts"
import { type Columns, columnText, decode, encode, type RowOf } from "../columns.ts"
import { insertInto } from "../insert.ts"
import type { Value } from "../value.ts"

const columns = {
  userId: "user_id",
  clientId: "client_id",
  provider: "provider",
  blockedAt: "blocked_at",
} as const satisfies Columns<OrganizationBlock>

export type OrganizationBlockRow = RowOf<OrganizationBlock, typeof columns>

export const blockColumns = columnText(columns)

export function blockOf(row: OrganizationBlockRow): OrganizationBlock {
  return decode<OrganizationBlock, typeof columns>(columns, row)
}

export function blockValues(block: OrganizationBlock): Value[] {
  return encode<OrganizationBlock>(columns, block)
}

/** The first block stays. The app or the account may have been removed before the credential is ended. */
export const BLOCK = `${insertInto("organization_block", blockColumns)} ON CONFLICT DO NOTHING`

export const ALLOW = "DELETE FROM organization_block WHERE user_id = ? AND client_id = ? AND provider = ?"
