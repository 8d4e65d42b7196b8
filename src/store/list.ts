/** Reads whole lists, page by page. */
import type { Account } from "../model/account.rules.ts"
import type { Client } from "../model/clients/client.rules.ts"
import type { Invitation } from "../model/invitation.rules.ts"
import type { CountedGroup, HeldCredential, Page, RecordedEvent } from "./list-shapes.ts"

const ROWS_A_PAGE = 500

/** The key of a row in the list of this name. The next page begins after it. */
export const rowKeys = {
  accounts: ({ userId }: Account) => userId,
  clients: ({ clientId }: Client) => clientId,
  credentials: ({ credential }: HeldCredential) => credential.consent.tokenId,
  events: ({ id }: RecordedEvent) => String(id),
  groups: ({ name }: CountedGroup) => name,
  invitations: ({ invitationId }: Invitation) => invitationId,
} as const

/** Returns all rows of a list. `read` returns a page. The next page begins after the key that `keyOf` returns. */
export async function all<Row>(
  read: (page: Page) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let after: string | undefined
  for (;;) {
    const page = await read({ after, limit: ROWS_A_PAGE })
    rows.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < ROWS_A_PAGE) return rows
    after = keyOf(last)
  }
}
