/** A page of a list, with the key of the next page. */
import type { ClientId, UserId } from "../kernel/ids.ts"
import type { Page } from "./list-shapes.ts"
import type { Store } from "./store.ts"

export type Paged<Row> = {
  readonly rows: readonly Row[]
  /** The key of the last row. It is null on the last page. */
  readonly next: string | null
}

/** Whether a page key is the number of an event. */
export function isEventKey(text: string): boolean {
  return /^[1-9][0-9]{0,14}$/.test(text)
}

/** Returns one page. Reads one row more than it returns, to find out whether there is a next page. */
export async function paged<Row>(
  read: (page: Page) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
  { limit, ...page }: Page,
): Promise<Paged<Row>> {
  const found = await read({ ...page, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last !== undefined ? keyOf(last) : null }
}

/** The names of accounts and apps by id. Removed accounts and apps are missing. */
export type Names = {
  readonly accounts: ReadonlyMap<UserId, string>
  readonly apps: ReadonlyMap<ClientId, string>
}

type Named = {
  readonly userId: UserId | null
  readonly clientId: ClientId | null
  readonly actorId?: UserId | null
}

/** Looks up the names of the accounts and apps in the rows of a page. */
export async function namesIn({ store }: { readonly store: Store }, rows: readonly Named[]): Promise<Names> {
  const [accounts, apps] = [new Map<UserId, string>(), new Map<ClientId, string>()]
  const userIds = new Set(rows.flatMap(({ userId, actorId }) => [userId, actorId ?? null]))
  const clientIds = new Set(rows.flatMap(({ clientId }) => (clientId === null ? [] : [clientId])))
  for (const userId of userIds) {
    if (userId === null) continue
    const { account } = await store.read({ account: userId })
    if (account !== null) accounts.set(userId, account.username)
  }
  for (const clientId of clientIds) {
    const { client } = await store.read({ client: clientId })
    if (client !== null) apps.set(clientId, client.name)
  }
  return { accounts, apps }
}
