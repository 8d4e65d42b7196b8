/** GET /console/documents: the documents of clients. CD-11. */
import { consolePage } from "../console/console-page.ts"
import { listPage } from "../console/list-paging.ts"
import { listDocuments } from "../../oauth/documents/document.ts"
import { renderDocuments } from "./document.view.ts"

export const showDocuments = consolePage("/console/documents", async (request) => {
  const { rows, paging } = await listPage(
    request,
    (page) => listDocuments(request.services, page),
    ({ client_id }) => client_id,
  )
  return request.send(renderDocuments({ ...request.frame, documents: rows, paging }))
})
