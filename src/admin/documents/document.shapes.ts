/** Requests about documents of clients in the JSON of the API. */
import { isClientId } from "../../kernel/identifier.ts"
import { DOCUMENT_BYTES_AT_MOST } from "../../kernel/limits.ts"
import { record, text } from "../../platform/json/shape.rules.ts"
import { pagingBy } from "../api/paging.ts"

export const documentQuery = record(null, pagingBy(isClientId))

export const pinnedDocument = record("PinnedDocument", {
  document: text("The document, as JSON text.", '{ "client_id": "https://app.example/oauth/client.json" }', {
    most: DOCUMENT_BYTES_AT_MOST,
  }),
})
