/** GET /console/documents: the documents of clients. CD-11. */
import { paged } from "../../store/paged.ts"
import { consolePage } from "../console/console-page.ts"
import { pageOf, pagingOf } from "../console/list-paging.ts"
import { listDocuments } from "../../oauth/documents/document.ts"
import { renderDocuments } from "./document.view.ts"

export const showDocuments = consolePage("/console/documents", async (request) => {
  const page = pageOf(request)
  const found = await paged(
    (of) => listDocuments(request.services, of),
    ({ client_id }) => client_id,
    page,
  )
  const shown = renderDocuments({
    ...request.frame,
    documents: found.rows,
    paging: pagingOf(page, found),
  })
  return request.send(shown)
})
