/** Operations on events, for administrators. */
import type { ClientId, TokenId, UserId } from "../../kernel/ids.ts"
import { eventRecord } from "../event-record.rules.ts"
import { namesIn } from "../paged.ts"
import { type Call, success } from "../../api/kit/call.ts"
import { mapPage, readPage } from "../../api/kit/paging.ts"
import type { Parsed } from "../../api/kit/shape.ts"
import type * as requests from "../../api/records/requests.ts"

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
