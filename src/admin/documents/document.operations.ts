/** Operations on documents of clients, for administrators. CD-11, CD-13. */
import { lazyHandlers, type Operation, operation } from "../api/operation.ts"
import { pageOf } from "../api/paging.ts"
import { documentShape } from "../../oauth/documents/document-record.rules.ts"
import { documentQuery, pinnedDocument } from "./document.shapes.ts"

const handlers = lazyHandlers(() => import("./document.handlers.ts"))

export const documentOperations: readonly Operation[] = [
  operation("GET", "/api/admin/documents", "adminListDocuments", {
    summary: "List the documents of apps, in the order of their URLs",
    needs: ["admin:apps"],
    query: documentQuery,
    answers: pageOf("DocumentPage", documentShape),
    run: handlers((of) => of.getDocuments),
  }),
  operation("GET", "/api/admin/documents/{client_id}", "adminGetDocument", {
    summary: "Get what is known of a document",
    needs: ["admin:apps"],
    answers: documentShape,
    refuses: ["NOT_FOUND"],
    run: handlers((of) => of.getDocument),
  }),
  operation("POST", "/api/admin/documents/{client_id}/refresh", "adminRefreshDocument", {
    summary: "Fetch a document now",
    needs: ["admin:apps"],
    answers: documentShape,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: handlers((of) => of.postRefresh),
  }),
  operation("PUT", "/api/admin/documents/{client_id}/pin", "adminPinDocument", {
    summary: "Pin a document, so that it is not fetched; registers the app if it is new",
    needs: ["admin:apps"],
    body: pinnedDocument,
    answers: documentShape,
    refuses: ["NOT_FOUND"],
    run: handlers((of) => of.putPin),
  }),
  operation("DELETE", "/api/admin/documents/{client_id}/pin", "adminUnpinDocument", {
    summary: "Unpin a document; the next authorization fetches it",
    needs: ["admin:apps"],
    answers: documentShape,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: handlers((of) => of.deletePin),
  }),
  operation("PUT", "/api/admin/documents/{client_id}/denial", "adminDenyDocument", {
    summary: "Deny a document and every token of its app",
    needs: ["admin:apps"],
    answers: documentShape,
    refuses: ["NOT_FOUND"],
    run: handlers((of) => of.putDenial),
  }),
  operation("DELETE", "/api/admin/documents/{client_id}/denial", "adminAllowDocument", {
    summary: "Allow a denied document, or one that gave up its key",
    needs: ["admin:apps"],
    answers: documentShape,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: handlers((of) => of.deleteDenial),
  }),
]
