/** Operations on events, for administrators. */
import type { ClientId, TokenId, UserId } from "../../kernel/ids.ts"
import { integer, list, optional, record } from "../../platform/json/shape.rules.ts"
import { success } from "../api/call.ts"
import { clientIdShape, identifierShape, userIdShape } from "../api/ids.ts"
import { type Operation, operation } from "../api/operation.ts"
import { numberPaging, pageOf, readPage } from "../api/paging.ts"
import { eventKindShape, eventRecords, eventShape } from "./event-record.ts"
import { rowKeys } from "../../store/list.ts"

const moment = (what: string) => integer(`${what}, in seconds since 1970.`, 1_800_000_000)

export const eventOperations: readonly Operation[] = [
  operation("GET", "/api/admin/events", "adminListEvents", {
    summary: "List the audit trail, newest first",
    needs: ["admin:events"],
    query: record(null, {
      kind: optional(list("Only these kinds, separated by commas.", eventKindShape, { most: 50 })),
      user_id: optional(userIdShape("Only events of this account.")),
      client_id: optional(clientIdShape("Only events of this app.")),
      token_id: optional(identifierShape("Only events of this credential.")),
      since: optional(moment("The earliest time, inclusive")),
      until: optional(moment("The latest time, exclusive")),
      ...numberPaging,
    }),
    answers: pageOf("EventPage", eventShape),
    run: async ({ services, query }) => {
      const filter = {
        kinds: query.kind,
        userId: query.user_id as UserId | undefined,
        clientId: query.client_id as ClientId | undefined,
        tokenId: query.token_id as TokenId | undefined,
        since: query.since,
        until: query.until,
      }
      const found = await readPage(query, (page) => services.store.events(filter, page), rowKeys.events)
      return success({ ...found, items: await eventRecords(services, found.items) })
    },
  }),
]
