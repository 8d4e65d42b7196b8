import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { DOCUMENT_STALE_SECONDS } from "../../../src/kernel/limits.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { FAILURE_KEPT_MILLISECONDS } from "../../../src/platform/outgoing/guarded-fetch.ts"
import { returned, assertRefused } from "../../support/answers.ts"
import { authorizePath, newVerifier, REDIRECT_URI, send, signedInBrowser } from "../../support/connect.ts"
import { DOCUMENT_HOST } from "../../support/document-server.ts"
import { grant, issueCode } from "../../support/grant.ts"
import { Signer } from "../../support/signer.ts"
import type { TestApp } from "../../support/test-server.ts"
import { textOf } from "../../platform/ui/markup.ts"
import { openDocumentSite, publish } from "../documents/document-app.ts"
import { answerDevice, fetched, openCode, poll, startDevice } from "./device.ts"

const DEVICE = "/oauth/device-authorization"
const CONSENT = "/oauth/consent"
const { challenge } = newVerifier()

const { server, documents } = await openDocumentSite({ admins: ["root"], accounts: ["ada"] })
let ada = await signedInBrowser(server, "ada")

/** Publishes a document and stores its client by a consent in a browser. */
async function connected(path: string, change: Readonly<Record<string, unknown>> = {}): Promise<TestApp> {
  const app = publish(documents, path, change)
  await grant(server, ada, app)
  return app
}

const fetches = (path: string) => documents.asked.filter((asked) => asked === path).length
const ask = (app: TestApp) => ada.get(authorizePath(app, challenge))
const start = (app: TestApp) => send(server, DEVICE, { client_id: app.clientId })

/** Lets the stored copy get old. */
async function age(seconds: number): Promise<void> {
  server.clock.advance(seconds)
  ada = await signedInBrowser(server, "ada")
}

const policies = [
  { name: "of a denied host", key: "clients.denied_document_domains", value: DOCUMENT_HOST, usual: "" },
  {
    name: "of an unlisted host",
    key: "clients.document_domains",
    value: "other.example",
    usual: DOCUMENT_HOST,
  },
  { name: "while documents are off", key: "clients.documents", value: "off", usual: "on" },
] as const

describe("the policy of documents also holds for devices", () => {
  for (const { name, key, value, usual } of policies)
    test(`CD-1, CD-8 a document ${name} gets no code, its codes open no page, and open pages grant nothing`, async () => {
      const app = await connected(`/policy-${key.replaceAll(/\W/g, "-")}`)
      const opened = await startDevice(server, app)
      const shown = await openCode(ada, opened.userCode)
      const browserPage = await ask(app)
      await server.set(key, value)
      try {
        const earlier = documents.asked.length
        assertRefused(await start(app), 401, "invalid_client")
        const page = await openCode(ada, opened.userCode)
        assert.equal(page.status, 400)
        assert.match(textOf(page.text), /not (?:allowed|registered) here/)
        for (const form of [shown, browserPage]) {
          const answer = await ada.submit(form, CONSENT, { decision: "authorize" })
          assert.equal(answer.status, 400)
          assert.equal(answer.location, null)
          assert.match(textOf(answer.text), /No access was granted/)
        }
        assertRefused(await poll(server, app, opened), 400, "authorization_pending")
        assert.equal(documents.asked.length, earlier)
      } finally {
        await server.set(key, usual)
      }
      await answerDevice(ada, opened, "authorize")
      assert.ok((await fetched(server, app, opened)).access_token)
    })

  test("CD-8 a page of a document that is not stored yet grants nothing once its host is denied", async () => {
    const app = publish(documents, "/new-and-denied")
    const page = await ask(app)
    await server.set("clients.denied_document_domains", DOCUMENT_HOST)
    const answer = await ada.submit(page, CONSENT, { decision: "authorize" })
    await server.set("clients.denied_document_domains", "")
    assert.equal(answer.status, 400)
    const { client } = await server.store.read({ client: app.clientId as ClientId })
    assert.equal(client, null)
  })

  test("CD-8 the button Refuse works whatever the policy says", async () => {
    const app = await connected("/refused")
    const opened = await startDevice(server, app)
    const shown = await openCode(ada, opened.userCode)
    const browserPage = await ask(app)
    await server.set("clients.denied_document_domains", DOCUMENT_HOST)
    const answer = await ada.submit(shown, CONSENT, { decision: "refuse" })
    const inBrowser = await ada.submit(browserPage, CONSENT, { decision: "refuse" })
    await server.set("clients.denied_document_domains", "")
    assert.equal(answer.status, 200)
    assert.equal(returned(inBrowser, REDIRECT_URI)["error"], "access_denied")
    assertRefused(await poll(server, app, opened), 400, "access_denied")
  })
})

describe("a copy that is no longer fresh", () => {
  test("CD-6, CD-7 is fetched again by a device, once for all; a copy that is too old gets no code", async () => {
    const app = await connected("/aged")
    await age(DAY)
    assert.equal((await start(app)).status, 200)
    assert.equal((await start(app)).status, 200)
    assert.equal(fetches("/aged"), 2)
    documents.fail("/aged", 404)
    await age(DAY)
    const opened = await startDevice(server, app)
    assert.equal((await openCode(ada, opened.userCode)).status, 200)
    await age(DOCUMENT_STALE_SECONDS + DAY)
    const earlier = fetches("/aged")
    for (let i = 0; i < 5; i++) assertRefused(await start(app), 401, "invalid_client")
    assert.equal(fetches("/aged"), earlier + 1)
    publish(documents, "/aged")
    server.clock.advance(FAILURE_KEPT_MILLISECONDS / 1000)
    assert.equal((await start(app)).status, 200)
  })

  test("CD-7 opens no page of a device once it is too old", async () => {
    const app = await connected("/aged-page")
    documents.fail("/aged-page", 404)
    server.clock.advance(DOCUMENT_STALE_SECONDS)
    await age(55 * 60)
    const opened = await startDevice(server, app)
    await age(6 * 60)
    const page = await openCode(ada, opened.userCode)
    assert.equal(page.status, 400)
    assert.match(textOf(page.text), /could not be checked/)
  })

  test("CD-6 an unknown document gets no code, and nothing is fetched", async () => {
    const app = publish(documents, "/unknown")
    assertRefused(await start(app), 401, "invalid_client")
    assert.equal(fetches("/unknown"), 0)
  })

  test("CD-12 its new keys prove the client that asks for a code", async () => {
    const [one, two] = [await Signer.make(), await Signer.make()]
    const keyed = { token_endpoint_auth_method: "private_key_jwt" }
    await issueCode(ada, publish(documents, "/keyed", { ...keyed, jwks: { keys: [one.publicJwk] } }))
    const stored = publish(documents, "/keyed", { ...keyed, jwks: { keys: [two.publicJwk] } })
    await age(DAY)
    const by = async (signer: Signer) =>
      send(server, DEVICE, await signer.authenticates(stored.clientId, server.issuer, server.clock.now()))
    assert.equal((await by(two)).status, 200)
    assertRefused(await by(one), 401, "invalid_client")
    assertRefused(await start(stored), 401, "invalid_client")
  })
})

describe("a change of the document", () => {
  const more = { redirect_uris: [REDIRECT_URI, "https://new.example/callback"] }

  test("CD-9, CD-10 is shown on the page of the device, with the host, and then no more", async () => {
    const app = await connected("/changed")
    publish(documents, "/changed", more)
    await age(DAY)
    const opened = await startDevice(server, app)
    const text = textOf((await openCode(ada, opened.userCode)).text)
    assert.ok(text.includes(`Describes itself at app.documents.test:${documents.port}`))
    assert.match(text, /it changed the addresses that it returns to/)
    server.clock.advance(1)
    await answerDevice(ada, opened, "authorize")
    await fetched(server, app, opened)
    assert.doesNotMatch(textOf((await ask(app)).text), /it changed the addresses/)
  })

  test("CD-10 warns on the page of the device if every redirect leads to a program on it", async () => {
    const app = publish(documents, "/local", { redirect_uris: ["http://127.0.0.1/callback"] })
    await grant(server, ada, app, { redirect_uri: "http://127.0.0.1:4567/callback" })
    const opened = await startDevice(server, app)
    assert.match(textOf((await openCode(ada, opened.userCode)).text), /any program can use its name/)
  })

  test("CD-9 while a page lies open grants nothing, so that the next page shows it", async () => {
    const app = await connected("/changed-meanwhile")
    const opened = await startDevice(server, app)
    const forms = [await openCode(ada, opened.userCode), await ask(app)]
    publish(documents, "/changed-meanwhile", more)
    server.clock.advance(5 * 60)
    await server.database.rows("UPDATE client_document SET fresh_until = 0")
    assert.match(textOf((await ask(app)).text), /it changed the addresses/)
    for (const form of forms) {
      const answer = await ada.submit(form, CONSENT, { decision: "authorize" })
      assert.equal(answer.status, 409)
      assert.match(textOf(answer.text), /changed while/)
    }
    assert.match(
      textOf((await openCode(ada, opened.userCode)).text),
      /it changed the addresses that it returns to/,
    )
  })
})
