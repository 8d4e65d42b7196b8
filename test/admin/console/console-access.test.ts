/** Tests who may see the console and send its forms. One table lists every page and every form. */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { FRESH_PROOF_SECONDS } from "../../../src/kernel/account-limits.ts"
import { consoleRoutes } from "../../../src/admin/pages.ts"
import { setAdministration } from "../../../src/accounts/accounts.ts"
import { Browser } from "../../support/browser.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { PASSWORD, OPERATOR } from "../../support/test-server.ts"
import { textOf } from "../../platform/ui/markup.ts"
import { consoleWorld } from "./console-world.ts"

const world = await consoleWorld()

/** Returns a query with which the page shows something. */
function queryOf(path: string): string {
  const { bobId, app, server, tokenId } = world
  const queries: Readonly<Record<string, string>> = {
    "/console/account": `id=${bobId}`,
    "/console/account/rename": `id=${bobId}`,
    "/console/account/password": `id=${bobId}`,
    "/console/account/act": `id=${bobId}&do=remove`,
    "/console/account/groups": `id=${bobId}`,
    "/console/group": "name=staff",
    "/console/group/remove": "name=staff",
    "/console/app": `id=${app.clientId}`,
    "/console/app/edit": `id=${app.clientId}`,
    "/console/app/icon": `id=${app.clientId}`,
    "/console/app/act": `id=${server.clientId}&do=secret`,
    "/console/invitation/revoke": `id=${world.invitationId}`,
    "/console/credential": `id=${tokenId}`,
    "/console/credential/revoke": `id=${tokenId}`,
    "/console/events/export": "format=csv",
    "/console/setting": "key=registration.open",
  }
  const query = queries[path]
  return query === undefined ? path : `${path}?${query}`
}

const pages = consoleRoutes.map(({ path }): string => path)
const forms = consoleRoutes.flatMap(({ path, post }) => (post === undefined ? [] : [path]))

/**
 * If every form of a page needs a recent factor, the page asks for it first. Otherwise the form asks when it is sent.
 */
const serious = [
  "/console/account/password",
  "/console/account/act",
  "/console/account/groups",
  "/console/group/new",
  "/console/group/remove",
  "/console/invitation/new",
  "/console/invitation/revoke",
  "/console/app/act",
  "/console/credential/revoke",
  "/console/setting",
  "/console/appearance",
  "/console/appearance/logo",
]

describe("the pages of the console", () => {
  for (const path of pages) {
    test(`${path} is for administrators`, async () => {
      const address = queryOf(path)
      const { ada, testServer } = world
      assert.equal((await ada.get(address)).status, 200)

      const bob = await signedInBrowser(testServer, "bob")
      const nowhere = await bob.get("/console-that-there-is-not")
      const refused = await bob.get(address)
      assert.equal(refused.status, 404)
      assert.equal(
        withoutNumber(refused.text),
        withoutNumber(nowhere.text),
        "it does not tell that it exists",
      )

      const visitor = new Browser(testServer.url)
      const page = await visitor.get(address)
      assert.match(page.text, /name="password"/)
      assert.doesNotMatch(page.text, /Notebook/)
      const back = await visitor.submit(page, "/sign-in", { username: "ada", password: PASSWORD })
      assert.equal(back.location, address)
    })
  }

  test("administration is looked up at each request", async () => {
    const { testServer } = world
    const carol = await signedInBrowser(testServer, "carol")
    assert.equal((await carol.get("/console")).status, 200)
    await setAdministration(testServer.latchkey, "carol", false, OPERATOR)
    for (const path of pages) assert.equal((await carol.get(queryOf(path))).status, 404, path)
    await setAdministration(testServer.latchkey, "carol", true, OPERATOR)
    assert.equal((await carol.get("/console")).status, 200)
  })

  test("an unknown path leads an administrator on, and says nothing to others", async () => {
    const { ada, testServer } = world
    for (const path of ["/console/nothing", "/console/nothing/at/all", "/console/app?id=x"]) {
      const page = await ada.get(path)
      assert.equal(page.status, 404, path)
      assert.match(page.text, /<nav class="places" aria-label="Console">/)
      const bob = await (await signedInBrowser(testServer, "bob")).get(path)
      const visitor = await new Browser(testServer.url).get("/console/nothing")
      for (const refused of [bob, visitor]) {
        assert.equal(refused.status, 404, path)
        assert.doesNotMatch(refused.text, /<nav/)
      }
    }
  })

  test("nothing is kept by caches, framed, or run", async () => {
    const { headers, text } = await world.ada.get("/console")
    assert.equal(headers.get("cache-control"), "no-store")
    assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'; style-src 'sha256-/)
    assert.doesNotMatch(text, /<script|\bon[a-z]+="|\bstyle="/)
  })

  test("invalid ids, unknown ids, and ids given twice: not found, and never a fault", async () => {
    const { ada } = world
    const ids = ["", "x", "0".repeat(26), "%00", "%22%3E%3Cscript%3E", "../..", "__proto__"]
    const own = ["/console/account", "/console/app", "/console/credential", "/console/setting"]
    // These pages are of the whole service.
    const ofAll = /\/(?:new|providers|appearance|logo)$/
    const ofOne = forms.filter((one) => !ofAll.test(one))
    for (const path of [...own, ...ofOne])
      for (const id of ids) {
        const answer = await ada.get(`${path}?id=${id}&key=${id}&do=remove`)
        assert.equal(answer.status, 404, `${path} ${id}`)
      }
    assert.equal((await ada.get(`/console/account/act?id=${world.bobId}&do=__proto__`)).status, 404)
    assert.equal((await ada.get(`/console/app/act?id=${world.app.clientId}&do=constructor`)).status, 404)
    assert.equal((await ada.get(`/console/account?id=${world.bobId}&id=x`)).status, 200)
  })
})

describe("the forms of the console", () => {
  const harmless = (path: string) => ({
    id: world.bobId,
    do: "disable",
    key: "registration.open",
    value: "off",
    path,
  })

  for (const path of forms) {
    test(`${path} takes a form of its own pages only`, async () => {
      const { ada, testServer } = world
      const csrf = csrfIn((await ada.get(queryOf(path))).text)
      const known = await kinds()
      for (const [fields, headers] of [
        [{}, {}],
        [{ csrf: "x" }, {}],
        [{ csrf }, { origin: "https://evil.example" }],
        [{ csrf }, { "sec-fetch-site": "cross-site" }],
      ] as const)
        assert.equal((await ada.post(path, { ...harmless(path), ...fields }, headers)).status, 403)
      assert.equal((await new Browser(testServer.url).post(path, { ...harmless(path), csrf })).status, 403)

      const bob = await signedInBrowser(testServer, "bob")
      const bobs = csrfIn((await bob.get("/account")).text)
      const refused = await bob.post(path, { ...harmless(path), csrf: bobs })
      assert.equal(refused.status, 404)
      const nowhere = await bob.get("/console-that-there-is-not")
      assert.equal(withoutNumber(refused.text), withoutNumber(nowhere.text))
      assert.deepEqual(
        (await kinds()).filter((kind) => kind !== "signed-in"),
        known.filter((kind) => kind !== "signed-in"),
        "nothing was recorded, so nothing was done",
      )
    })
  }

  const kinds = async () => (await world.testServer.store.events({}, { limit: 500 })).map(({ kind }) => kind)
})

describe("FACTOR-8: what is serious in the console needs a fresh proof", () => {
  test("the pages that lead to it ask for it, and go on to where one was", async () => {
    const { testServer } = world
    const admin = await signedInBrowser(testServer, "ada")
    testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
    const asking = []
    for (const path of pages) {
      const page = await admin.get(queryOf(path))
      if (page.text.includes('action="/account/prove"')) asking.push(path)
    }
    assert.deepEqual(
      asking,
      pages.filter((path) => serious.includes(path)),
    )
    const page = await admin.get("/console/setting?key=registration.open")
    assert.match(textOf(page.text), /To change “Open registration” , confirm that you are ada/)
    assert.match(page.text, /<a href="\/console\/settings">Go back<\/a>/)
    assert.match(page.text, /href="\/console\/settings"[^>]*aria-current="page"/)
    const removal = await admin.get(queryOf("/console/account/act"))
    assert.ok(removal.text.includes(`<a href="/console/account?id=${world.bobId}">Go back</a>`))
    const proven = await admin.submit(page, "/account/prove", { password: PASSWORD })
    assert.equal(proven.location, "/console/setting?key=registration.open")
    assert.match((await admin.get(proven.location ?? "")).text, /name="value"/)
  })

  test("their forms ask for it as well, when the proof went stale meanwhile, and do nothing", async () => {
    const { testServer, bobId, server, tokenId } = world
    const admin = await signedInBrowser(testServer, "ada")
    const csrf = csrfIn((await admin.get("/console/settings")).text)
    testServer.clock.advance(FRESH_PROOF_SECONDS + 1)
    const count = (await testServer.store.events({}, { limit: 500 })).length
    const sent: readonly (readonly [string, Record<string, string>])[] = [
      ["/console/account/new", { username: "mallory", password: PASSWORD, admin: "on" }],
      ["/console/account/password", { id: bobId, password: "another good password" }],
      ["/console/account/act", { id: bobId, do: "remove" }],
      ["/console/account/act", { id: bobId, do: "grant" }],
      ["/console/account/act", { id: bobId, do: "factors" }],
      ["/console/account/groups", { id: bobId, group: "staff" }],
      ["/console/group", { name: "staff", title: "Other" }],
      ["/console/group/new", { name: "mallory" }],
      ["/console/group/remove", { name: "staff" }],
      ["/console/invitation/new", { name: "mallory", days: "7" }],
      ["/console/invitation/revoke", { id: world.invitationId }],
      ["/console/app/act", { id: server.clientId, do: "secret" }],
      ["/console/app/act", { id: server.clientId, do: "remove" }],
      ["/console/credential/revoke", { id: tokenId }],
      ["/console/setting", { key: "registration.open", value: "on" }],
    ]
    for (const [path, fields] of sent) {
      const answer = await admin.post(path, { csrf, ...fields })
      assert.match(answer.text, /Confirm that it’s you/, path)
    }
    assert.equal((await testServer.store.events({}, { limit: 500 })).length, count)
  })
})

/** Removes the request id, which differs in every response. */
function withoutNumber(text: string): string {
  assert.match(text, /<code>[0-9a-f]{16}<\/code>/)
  return text.replace(/<code>[0-9a-f]{16}<\/code>/, "")
}

function csrfIn(text: string): string {
  return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ""
}
