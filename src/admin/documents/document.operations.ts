/** Operations on documents of clients, for administrators. CD-11, CD-13. */
import {
  allowDocument,
  denyDocument,
  findDocument,
  listDocuments,
  pinDocument,
  refreshDocument,
  unpinDocument,
} from "../../oauth/documents/document.ts"
import { type DocumentRecord, documentShape } from "../../oauth/documents/document-record.rules.ts"
import { isClientId, isDocumentUrl } from "../../kernel/identifier.ts"
import { DOCUMENT_BYTES_AT_MOST } from "../../kernel/limits.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import { refused, unknown } from "../../platform/http/api-error.ts"
import { record, text } from "../../platform/json/shape.rules.ts"
import { byAdministrator, type Call, success } from "../api/call.ts"
import { type Operation, operation } from "../api/operation.ts"
import { pageOf, pagingBy, readPage } from "../api/paging.ts"

export const documentOperations: readonly Operation[] = [
  operation("GET", "/api/admin/documents", "adminListDocuments", {
    summary: "List the documents of apps, in the order of their URLs",
    needs: ["admin:apps"],
    query: record(null, pagingBy(isClientId)),
    answers: pageOf("DocumentPage", documentShape),
    run: async ({ services, query }) =>
      success(
        await readPage(
          query,
          (page) => listDocuments(services, page),
          ({ client_id }) => client_id,
        ),
      ),
  }),
  operation("GET", "/api/admin/documents/{client_id}", "adminGetDocument", {
    summary: "Get what is known of a document",
    needs: ["admin:apps"],
    answers: documentShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, path }) => {
      const found = await findDocument(services, path.client_id)
      return found.ok ? success(found.value) : unknown("document")
    },
  }),
  operation("POST", "/api/admin/documents/{client_id}/refresh", "adminRefreshDocument", {
    summary: "Fetch a document now",
    needs: ["admin:apps"],
    answers: documentShape,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: async (call) => answered(call, await refreshDocument(managing(call), call.path.client_id)),
  }),
  operation("PUT", "/api/admin/documents/{client_id}/pin", "adminPinDocument", {
    summary: "Pin a document, so that it is not fetched; registers the app if it is new",
    needs: ["admin:apps"],
    body: record("PinnedDocument", {
      document: text(
        "The document, as JSON text.",
        '{ "client_id": "https://app.example/oauth/client.json" }',
        { most: DOCUMENT_BYTES_AT_MOST },
      ),
    }),
    answers: documentShape,
    refuses: ["NOT_FOUND"],
    run: async (call) => {
      const { client_id: url } = call.path
      if (!isDocumentUrl(url)) return unknown("document")
      const pinned = await pinDocument(managing(call), url, call.body.document, byAdministrator(call))
      return pinned.ok ? success(pinned.value) : refused("INVALID_ARGUMENT", pinned.error)
    },
  }),
  operation("DELETE", "/api/admin/documents/{client_id}/pin", "adminUnpinDocument", {
    summary: "Unpin a document; the next authorization fetches it",
    needs: ["admin:apps"],
    answers: documentShape,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: async (call) =>
      answered(call, await unpinDocument(call.services, call.path.client_id, byAdministrator(call))),
  }),
  operation("PUT", "/api/admin/documents/{client_id}/denial", "adminDenyDocument", {
    summary: "Deny a document and every token of its app",
    needs: ["admin:apps"],
    answers: documentShape,
    refuses: ["NOT_FOUND"],
    run: async (call) => {
      const denied = await denyDocument(call.services, call.path.client_id, byAdministrator(call))
      // The only possible problem is a client_id that is not the URL of a document.
      return denied.ok ? success(denied.value) : unknown("document")
    },
  }),
  operation("DELETE", "/api/admin/documents/{client_id}/denial", "adminAllowDocument", {
    summary: "Allow a denied document, or one that gave up its key",
    needs: ["admin:apps"],
    answers: documentShape,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: async (call) =>
      answered(call, await allowDocument(call.services, call.path.client_id, byAdministrator(call))),
  }),
]

function managing({ services }: Pick<Call, "services">) {
  return { ...services, current: () => services.settings.current() }
}

/**
 * Responds with 404 to an unknown document, and with a conflict if the document's state does not allow the operation.
 */
async function answered(
  { services, path }: Pick<Call<"client_id">, "services" | "path">,
  changed: Result<DocumentRecord, Problem>,
) {
  if (changed.ok) return success(changed.value)
  const found = await findDocument(services, path.client_id)
  return found.ok ? refused("CONFLICT", changed.error) : unknown("document")
}
