/** Operations on events, for administrators. */
import type { ClientId, TokenId, UserId } from "../../kernel/ids.ts"
import type { EventKind } from "../../records/event.rules.ts"
import { eventRecord } from "../event-record.rules.ts"
import { namesIn } from "../paged.ts"
import { type Call, success } from "../../api/kit/operation.ts"
import { mapPage, readPage, type Paging } from "../../api/kit/paging.ts"

type EventQuery = Paging & {
  readonly kind?: readonly EventKind[] | undefined
  readonly user_id?: string | undefined
  readonly client_id?: string | undefined
  readonly token_id?: string | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}

/** Newest first. */
export async function listEvents({ context, query }: Call<never, EventQuery>) {
  const { kind: kinds, since, until } = query
  const filter = {
    kinds,
    userId: query.user_id as UserId | undefined,
    clientId: query.client_id as ClientId | undefined,
    tokenId: query.token_id as TokenId | undefined,
    since,
    until,
  }
  const { store } = context.services
  const found = await readPage(
    query,
    (page) => store.events(filter, page),
    ({ id }) => String(id),
  )
  const names = await namesIn({ store }, found.items)
  return success(mapPage(found, (one) => eventRecord(one, names)))
}
