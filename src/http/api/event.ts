/** The record of events, and what the counts say. For administrators. */
import type { ClientId, TokenId, UserId } from "../../core/brand.ts"
import type { Event, EventKind } from "../../core/event.ts"
import { type Call, given } from "./operation.ts"
import { ofPage, pageRead, type Paging } from "./paging.ts"

type EventQuery = Paging & {
  readonly kind?: readonly EventKind[] | undefined
  readonly user_id?: string | undefined
  readonly client_id?: string | undefined
  readonly token_id?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** Newest first. */
export async function listEvents({ site, query }: Call<never, EventQuery>) {
  const { kind: kinds, since, until } = query
  const filter = {
    kinds,
    userId: query.user_id as UserId | undefined,
    clientId: query.client_id as ClientId | undefined,
    tokenId: query.token_id as TokenId | undefined,
    since,
    until,
  }
  const read = (page: { after: string | undefined; limit: number }) =>
    site.latchkey.store.events(filter, page)
  return given(ofPage(await pageRead(query, read, ({ id }) => String(id)), eventRecord))
}

export function eventRecord(recorded: Event & { readonly id: number }) {
  const { id, at, kind, userId, clientId, tokenId, address, detail } = recorded
  return { id, at, kind, user_id: userId, client_id: clientId, token_id: tokenId, address, detail }
}
