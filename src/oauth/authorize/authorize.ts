/** The authorization endpoint: RFC 6749 §4.1.1; interface AUTHZ-*. The request itself is not stored. */
import type { Query } from "../../kernel/form.ts"
import { isDocumentUrl } from "../../kernel/identifier.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Requester } from "../clients/fetch-document.ts"
import { resolveDocument, type ResolvedDocument } from "../clients/resolve-document.ts"
import { withCurrentCeiling } from "../clients/open-ceiling.ts"
import { readClient } from "../clients/resolve.ts"
import { type Authorization, clientOf, decideAuthorization } from "./authorization-request.rules.ts"

/** `document` is present if the client_id is the URL of a document. */
export type Authorizing = Authorization & { readonly document?: ResolvedDocument }

/** `requester` selects the limits that apply if a document is fetched. */
export async function authorize(
  services: Pick<
    Services,
    "store" | "catalog" | "clock" | "settings" | "outgoing" | "log" | "issuer" | "resources"
  >,
  query: Query,
  requester: Requester,
): Promise<Authorizing> {
  const {
    catalog,
    resources: { spellingOf },
  } = services
  const named = clientOf(query)
  if (!named.ok || !isDocumentUrl(named.value.clientId)) {
    const client = named.ok ? await readClient(services, named.value.clientId) : null
    const current = client === null ? null : await withCurrentCeiling(services, client)
    return decideAuthorization(catalog, query, current, spellingOf)
  }
  const { clientId } = named.value
  const resolved = await resolveDocument(services, clientId, requester)
  if (!resolved.ok) return { outcome: "own-page", clientId, refusal: resolved.error }
  const document = resolved.value
  return { ...decideAuthorization(catalog, query, document.client, spellingOf), document }
}
