/** API operations on documents of clients, for administrators. CD-11, CD-13. */
import { byAdministrator, type Call, success } from "../api/call.ts"
import { readPage, type Paging } from "../api/paging.ts"
import { refused, unknown } from "../../platform/http/api-error.ts"
import { isDocumentUrl } from "../../kernel/identifier.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import {
  allowDocument,
  denyDocument,
  findDocument,
  listDocuments,
  pinDocument,
  refreshDocument,
  unpinDocument,
} from "../../oauth/documents/document.ts"
import type { DocumentRecord } from "../../oauth/documents/document-record.rules.ts"

export async function getDocuments({ context, query }: Call<never, Paging>) {
  return success(
    await readPage(
      query,
      (page) => listDocuments(context.services, page),
      ({ client_id }) => client_id,
    ),
  )
}

export async function getDocument({ context, path }: Call<"client_id">) {
  const found = await findDocument(context.services, path.client_id)
  return found.ok ? success(found.value) : unknown("document")
}

export async function postRefresh(call: Call<"client_id">) {
  const { services } = call.context
  const current = () => services.settings.current()
  return answered(call, await refreshDocument({ ...services, current }, call.path.client_id))
}

export async function putPin(call: Call<"client_id", null, { readonly document: string }>) {
  const { services } = call.context
  if (!isDocumentUrl(call.path.client_id)) return unknown("document")
  const current = () => services.settings.current()
  const pinned = await pinDocument(
    { ...services, current },
    call.path.client_id,
    call.body.document,
    byAdministrator(call),
  )
  return pinned.ok ? success(pinned.value) : refused("INVALID_ARGUMENT", pinned.error)
}

export async function deletePin(call: Call<"client_id">) {
  return answered(
    call,
    await unpinDocument(call.context.services, call.path.client_id, byAdministrator(call)),
  )
}

export async function putDenial(call: Call<"client_id">) {
  const denied = await denyDocument(call.context.services, call.path.client_id, byAdministrator(call))
  // The only possible problem is a client_id that is not the URL of a document.
  return denied.ok ? success(denied.value) : unknown("document")
}

export async function deleteDenial(call: Call<"client_id">) {
  return answered(
    call,
    await allowDocument(call.context.services, call.path.client_id, byAdministrator(call)),
  )
}

/**
 * Responds with 404 to an unknown document, and with a conflict if the document's state does not allow the operation.
 */
async function answered(
  { context, path }: Pick<Call<"client_id">, "context" | "path">,
  changed: Result<DocumentRecord, Problem>,
) {
  if (changed.ok) return success(changed.value)
  const found = await findDocument(context.services, path.client_id)
  return found.ok ? refused("CONFLICT", changed.error) : unknown("document")
}
