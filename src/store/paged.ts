/** A page of a list, with the key of the next page. */
import type { ClientId, UserId } from "../kernel/ids.ts"
import type { Account } from "../model/account.rules.ts"
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
  const apps = new Map<ClientId, string>()
  const accounts = await accountsById(
    { store },
    rows.flatMap(({ userId, actorId }) => [userId, actorId]),
  )
  const clientIds = new Set(rows.flatMap(({ clientId }) => (clientId === null ? [] : [clientId])))
  for (const clientId of clientIds) {
    const { client } = await store.read({ client: clientId })
    if (client !== null) apps.set(clientId, client.name)
  }
  return { accounts: new Map([...accounts.values()].map((one) => [one.userId, one.username])), apps }
}

/** Returns the accounts that exist of these. Reads each once. */
export async function accountsById(
  { store }: { readonly store: Store },
  userIds: readonly (UserId | null | undefined)[],
): Promise<ReadonlyMap<UserId | null | undefined, Account>> {
  const found = new Map<UserId, Account>()
  for (const userId of new Set(userIds.filter((id) => id !== null && id !== undefined))) {
    const { account } = await store.read({ account: userId })
    if (account !== null) found.set(account.userId, account)
  }
  return found
}
