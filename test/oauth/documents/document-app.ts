/** A service that accepts clients with documents, and a host that publishes the documents. */
import type { Client } from "../../../src/model/clients/client.rules.ts"
import { DOCUMENT_HOST, DocumentServer, LOOPBACK_ALLOWED, toLoopback } from "../../support/document-server.ts"
import { fixture, type ServiceGiven } from "../../support/fixture.ts"
import { wholeFile } from "../../support/spawn.ts"
import type { TestApp, TestServer } from "../../support/test-server.ts"
import { REDIRECT_URI } from "../../support/connect.ts"

export type DocumentSite = { readonly server: TestServer; readonly documents: DocumentServer }

/** Opens both. Without a span, they run until the last test of the file. */
export async function openDocumentSite({
  span = wholeFile(),
  ...given
}: ServiceGiven = {}): Promise<DocumentSite> {
  const documents = await DocumentServer.open()
  span.after(() => documents.close())
  const { testServer: server } = await fixture({
    outgoing: LOOPBACK_ALLOWED,
    resolveName: toLoopback,
    settings: {
      "clients.documents": "on",
      "clients.document_domains": DOCUMENT_HOST,
      "registration.permissions": "account:read files:write",
    },
    span,
    ...given,
  })
  return { server, documents }
}

/** Publishes a document. `change` replaces members. */
export function publish(
  documents: DocumentServer,
  path: string,
  change: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
): TestApp {
  const clientId = documents.url(path)
  const document = {
    client_id: clientId,
    client_name: "Paperclip",
    redirect_uris: [REDIRECT_URI],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    ...change,
  }
  documents.serve(path, document, headers)
  return { clientId, secret: null, client: null as unknown as Client }
}
