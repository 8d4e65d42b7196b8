/** Operations on events, for administrators. */
import type { ClientId, TokenId, UserId } from "../../kernel/ids.ts"
import { eventRecord } from "../../model/event-record.rules.ts"
import { namesIn } from "../../store/paged.ts"
import { type Call, success } from "../api/call.ts"
import { mapPage, readPage } from "../api/paging.ts"
import type { Parsed } from "../api/shape.ts"
import type * as requests from "../api/requests.ts"

/** Lists events, newest first. */
export async function listEvents({ context, query }: Call<never, Parsed<typeof requests.eventQuery>>) {
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
