import { test } from "node:test"
import assert from "node:assert/strict"
import { assertRefused } from "../../support/answers.ts"
import { authorizePath, newVerifier, refresh, signedInBrowser } from "../../support/connect.ts"
import { grant } from "../../support/grant.ts"
import { textOf } from "../../platform/ui/markup.ts"
import { openDocumentSite, publish } from "../../oauth/documents/document-app.ts"

const { server, documents } = await openDocumentSite({ admins: ["root"], accounts: ["ada"] })
let root = await signedInBrowser(server, "root")
let ada = await signedInBrowser(server, "ada")

const appPath = (clientId: string) => `/console/app?id=${encodeURIComponent(clientId)}`
const words = async (path: string) => textOf((await root.get(path)).text)

async function act(clientId: string, action: string): Promise<string> {
  const path = "/console/app/act"
  const page = await root.get(`${path}?${new URLSearchParams({ id: clientId, do: action }).toString()}`)
  assert.equal(page.status, 200)
  const answer = await root.submit(page, path, {})
  assert.equal(answer.status, 303)
  return answer.location ?? ""
}

test("CD-11 the list shows the last fetch, its result, the next one, and who holds credentials", async () => {
  assert.match(await words("/console/documents"), /No app has connected by a document yet/)
  const app = publish(documents, "/listed")
  await grant(server, ada, app)
  documents.fail("/listed", 403)
  server.clock.advance(2 * 3600)
  await ada.get(authorizePath(app, newVerifier().challenge))
  const text = await words("/console/documents")
  for (const part of ["Paperclip", "app.documents.test", "Failing", "The host answered with status 403."])
    assert.ok(text.includes(part), part)
  assert.match(await words("/console/apps?by=document"), /Paperclip[^]*Its document[^]*Documents of apps/)
  assert.equal((await ada.get("/console/documents")).status, 404)
})

test("CD-11, CD-13 on the page of an app its document is fetched, denied and allowed", async () => {
  // Allowing a document needs a recent factor.
  root = await signedInBrowser(server, "root")
  const app = publish(documents, "/acted")
  const held = await grant(server, ada, app)
  const shown = await words(appPath(app.clientId))
  for (const part of ["Its document", app.clientId, "Fresh", "Fetch now", "Deny"])
    assert.ok(shown.includes(part), part)

  publish(documents, "/acted", { client_name: "Renamed" })
  assert.equal(await act(app.clientId, "document-refresh"), `${appPath(app.clientId)}&done=document-fetched`)
  assert.match(await words(appPath(app.clientId)), /Renamed/)

  await act(app.clientId, "document-pin")
  publish(documents, "/acted", { client_name: "Again" })
  server.clock.advance(2 * 24 * 3600)
  assert.equal((await ada.get(authorizePath(app, newVerifier().challenge))).status, 200)
  const pinned = await words(appPath(app.clientId))
  assert.match(pinned, /Renamed[^]*Pinned/)
  assert.doesNotMatch(pinned, /Again/)
  await act(app.clientId, "document-unpin")
  assert.match(await words(appPath(app.clientId)), /Fetch now Pin Deny Who/)
  root = await signedInBrowser(server, "root")

  await act(app.clientId, "document-deny")
  assert.match(await words(appPath(app.clientId)), /Denied/)
  assertRefused(await refresh(server, app, held.refresh_token), 401, "invalid_client")
  await act(app.clientId, "document-allow")
  assert.equal((await refresh(server, app, held.refresh_token)).status, 200)
})

test("CD-6 an account holder sees the app, its host and its access, and ends it", async () => {
  ada = await signedInBrowser(server, "ada")
  const app = publish(documents, "/held", { client_name: "Held" })
  const held = await grant(server, ada, app)
  const page = await ada.get("/account")
  assert.match(textOf(page.text), new RegExp(`Held Describes itself at app.documents.test:${documents.port}`))
  const ending = await ada.get(`/account/end-access?app=${encodeURIComponent(app.clientId)}`)
  assert.equal(ending.status, 200)
  await ada.submit(ending, "/account/end-access", {})
  assertRefused(await refresh(server, app, held.refresh_token), 400, "invalid_grant")
})

test("CD-1 the console mentions documents only while the setting is on", async () => {
  await server.set("clients.documents", "off")
  assert.doesNotMatch(await words("/console/apps"), /Documents of apps/)
  await server.set("clients.documents", "on")
})
