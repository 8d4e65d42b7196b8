/** Operations on events, for administrators. */
import type { ClientId, TokenId, UserId } from "../../kernel/ids.ts"
import { eventRecords } from "./event-record.ts"
import { type Call, success } from "../api/call.ts"
import { readPage } from "../api/paging.ts"
import type { Parsed } from "../../platform/json/shape.rules.ts"
import type { eventQuery } from "./event-record.ts"

/** Lists events, newest first. */
export async function listEvents({ context, query }: Call<never, Parsed<typeof eventQuery>>) {
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
  return success({ ...found, items: await eventRecords({ store }, found.items) })
}
