/** Documents of apps on every engine. Part of the contract of the store. */
import assert from "node:assert/strict"
import { describe, it } from "node:test"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { type ClientDocument, fetchedDocument } from "../../../src/model/clients/document.rules.ts"
import { client, NOW } from "../samples.ts"
import { eachStore, type Open } from "./fixture.ts"

export function documentContract(name: string, open: Open): void {
  describe(`documents of apps on ${name}`, () => {
    const db = eachStore(open)
    const { write } = db

    it("CD-6 the document of an app, rewritten, and gone with its app", async () => {
      const clientId = "https://app.example/client.json" as ClientId
      const document = fetchedDocument(clientId, NOW, 600)
      const later: ClientDocument = {
        ...document,
        freshUntil: NOW + 1,
        failure: { at: NOW + 2, problem: "The host did not answer in time." },
        isPinned: true,
        isDenied: true,
        changed: { at: NOW + 3, parts: ["redirect_uris", "keys"] },
        mayDropKey: true,
        leftOut: ["http://[::1]/callback: a reason"],
      }
      const none = { ...document, fetchedAt: null }
      await write(
        { change: "clientAdded", client: client(0, { clientId, registeredBy: "document" }) },
        { change: "documentSet", document: none },
      )
      assert.deepEqual(await db.store.read({ document: clientId }), { document: none })
      await write({ change: "documentSet", document: later })
      assert.deepEqual(await db.store.read({ document: clientId }), { document: later })
      await write({ change: "documentSet", document })
      await db.reopen()
      assert.deepEqual(await db.store.read({ document: clientId }), { document })
      assert.deepEqual(await db.store.verify(), [])
      await write({ change: "clientRemoved", clientId })
      assert.deepEqual(await db.store.read({ document: clientId }), { document: null })
    })
  })
}
