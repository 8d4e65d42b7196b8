/** A service that accepts clients with documents, and a host that publishes the documents. */
import type { Client } from "../../../src/model/clients/client.rules.ts"
import { setSetting } from "../../../src/admin/settings/setting.ts"
import { DOCUMENT_HOST, DocumentServer, LOOPBACK_ALLOWED, toLoopback } from "../../support/document-server.ts"
import { TestServer, type TestApp, type TestServerOptions } from "../../support/test-server.ts"
import { REDIRECT_URI } from "../../support/connect.ts"

export type DocumentSite = { readonly server: TestServer; readonly documents: DocumentServer }

export async function openDocumentSite(options: TestServerOptions = {}): Promise<DocumentSite> {
  const documents = await DocumentServer.open()
  const server = await TestServer.open({
    outgoing: LOOPBACK_ALLOWED,
    resolveName: toLoopback,
    ...options,
  })
  await set(server, "clients.documents", "on")
  await set(server, "clients.document_domains", DOCUMENT_HOST)
  await set(server, "registration.permissions", "account:read files:write")
  return { server, documents }
}

export async function set(server: TestServer, key: string, value: string): Promise<void> {
  const done = await setSetting(server.latchkey, key, value, { address: null })
  if (!done.ok) throw new Error(done.error)
  // The settings are read again after a short time.
  server.clock.advance(1)
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
