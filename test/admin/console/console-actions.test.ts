/**
 * Tests the actions of the console on accounts, apps, credentials and settings. Each action that removes access is
 * previewed first.
 */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import sharp from "sharp"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { connect, refresh, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD, OPERATOR } from "../../support/test-server.ts"
import { textOf } from "../../platform/ui/markup.ts"
import { isSignedIn } from "../../accounts/factors/factors.ts"

const {
  testServer,
  userIds: { ada: adaId },
  ada,
} = await fixture({ admins: ["ada"], browsers: ["ada"] })

/** Returns the events, newest first. */
const events = async () =>
  (await testServer.store.events({}, { limit: 20 })).map(({ kind, actorId }) => ({ kind, actorId }))

const fill = async (page: string, action: string, fields: Record<string, string | readonly string[]>) =>
  ada.submit(await ada.get(page), action, fields)

describe("accounts", () => {
  test("one is added, renamed, gets a password, and all of it is recorded with who did it", async () => {
    const path = "/console/account/new"
    const added = await fill(path, path, { username: "bob", password: PASSWORD })
    assert.match(added.location ?? "", /^\/console\/account\?id=\w{26}&done=added$/)
    assert.match((await ada.get(added.location ?? "")).text, /The account was added\./)
    const again = await fill(path, path, { username: "BOB", password: PASSWORD })
    assert.equal(again.status, 400)
    assert.match(textOf(again.text), /The name is taken/)
    assert.match(again.text, /value="BOB"/)

    const id = idIn(added.location)
    const rename = "/console/account/rename"
    assert.equal((await fill(`${rename}?id=${id}`, rename, { username: "ada" })).status, 400)
    const renamed = await fill(`${rename}?id=${id}`, rename, { username: "robert" })
    assert.equal(renamed.location, `/console/account?id=${id}&done=renamed`)

    const robert = await signedInBrowser(testServer, "robert")
    const password = "/console/account/password"
    assert.equal((await fill(`${password}?id=${id}`, password, { password: "short" })).status, 400)
    await fill(`${password}?id=${id}`, password, { password: "another good password" })
    assert.equal(await isSignedIn(robert), false)
    assert.equal((await new Browser(testServer.url).signIn("robert", "another good password")).status, 303)
    const done = (await events()).filter(({ kind }) =>
      ["password-changed", "account-changed", "account-added"].includes(kind),
    )
    assert.deepEqual(done.slice(0, 3), [
      { kind: "password-changed", actorId: adaId },
      { kind: "account-changed", actorId: adaId },
      { kind: "account-added", actorId: adaId },
    ])
  })

  test("disabling says what it takes first, does it once, and enabling brings it back", async () => {
    const id = await testServer.addAccount("carol")
    const app = await testServer.addApp({ permissions: ["account:read"] })
    const held = await connect(testServer, app, "carol")
    const act = "/console/account/act"
    const page = await ada.get(`${act}?id=${id}&do=disable`)
    assert.match(textOf(page.text), /Takes account:read from 1 live credential of 1 app\./)
    assert.equal((await refresh(testServer, app, held.refresh_token)).status, 200, "nothing is done yet")
    for (let i = 0; i < 2; i++)
      assert.equal((await ada.submit(page, act, {})).location, `/console/account?id=${id}&done=disabled`)
    assert.equal((await testServer.store.events({ kinds: ["account-disabled"] }, { limit: 5 })).length, 1)
    assert.equal((await new Browser(testServer.url).signIn("carol", PASSWORD)).status, 403)
    const one = `/console/account?id=${id}`
    await fill(one, act, {})
    assert.equal((await new Browser(testServer.url).signIn("carol", PASSWORD)).status, 303)
  })

  test("administration is granted and withdrawn; the last administrator stays one", async () => {
    const id = await testServer.addAccount("dora")
    const act = "/console/account/act"
    await fill(`${act}?id=${id}&do=grant`, act, {})
    const dora = await signedInBrowser(testServer, "dora")
    assert.equal((await dora.get("/console")).status, 200)
    await fill(`${act}?id=${id}&do=withdraw`, act, {})
    assert.equal((await dora.get("/console")).status, 404)
    for (const deed of ["withdraw", "disable", "remove"]) {
      const page = await ada.get(`${act}?id=${adaId}&do=${deed}`)
      assert.equal(page.status, 409, deed)
      assert.match(textOf(page.text), /last/)
      const { csrf = "" } = hiddenFields((await ada.get(`/console/account?id=${id}`)).text, "/sign-out")
      assert.equal((await ada.post(act, { csrf, id: adaId, do: deed })).status, 409, deed)
    }
    assert.equal((await ada.get("/console")).status, 200)
  })

  test("factors are reset for a person who lost them", async () => {
    const id = await testServer.addAccount("emil")
    await addTotp(testServer.latchkey, "emil", OPERATOR)
    assert.match(textOf((await ada.get(`/console/account?id=${id}`)).text), /1 authenticator app/)
    const act = "/console/account/act"
    await fill(`${act}?id=${id}&do=factors`, act, {})
    assert.match(textOf((await ada.get(`/console/account?id=${id}`)).text), /Second steps None/)
    assert.equal((await new Browser(testServer.url).signIn("emil", PASSWORD)).status, 303)
  })

  test("removing names the apps that it leaves without an owner, and is for good", async () => {
    const id = await testServer.addAccount("fred")
    const path = "/console/app/new"
    const fields = { name: "Fred's app", type: "public", redirect_uris: "http://127.0.0.1/", owner: "fred" }
    const app = idIn((await fill(path, path, fields)).location)
    const act = "/console/account/act"
    const page = await ada.get(`${act}?id=${id}&do=remove`)
    assert.match(textOf(page.text), /The app Fred's app goes on without an owner\./)
    assert.equal((await ada.submit(page, act, {})).location, "/console/accounts?done=removed")
    assert.equal((await ada.submit(page, act, {})).status, 404)
    assert.equal((await ada.get(`/console/account?id=${id}`)).status, 404)
    assert.match(textOf((await ada.get(`/console/app?id=${app}`)).text), /Owner None/)
  })
})

test("CONSOLE-5 the question before a change shows the total, and folds what it takes permission by permission", async () => {
  const id = await testServer.addAccount("olga")
  const app = await testServer.addApp({ permissions: ["account:read", "credentials:read"] })
  await connect(testServer, app, "olga")
  const { text } = await ada.get(`/console/account/act?id=${id}&do=disable`)
  const [, before = "", folded = ""] = /^([^]*)<details[^>]*>([^]*)<\/details>/.exec(text) ?? []
  assert.match(
    textOf(before),
    /1 live credential of 1 app stops working until the account is enabled again\./,
  )
  assert.doesNotMatch(before, /Takes /)
  for (const name of ["account:read", "credentials:read"])
    assert.match(folded, new RegExp(`Takes ${name} from 1 live credential of 1 app\\.`))
})

test("CONSOLE-6 Disable and Remove look dangerous on the pages of an account and of an app, and nothing else does", async () => {
  const id = await testServer.addAccount("peter")
  const { clientId } = await testServer.addApp({ ownerName: "peter" })
  const peter = await signedInBrowser(testServer, "peter")
  for (const [browser, path] of [
    [ada, `/console/account?id=${id}`],
    [ada, `/console/app?id=${clientId}`],
    [peter, `/account/apps/app?id=${clientId}`],
  ] as const) {
    const { text } = await browser.get(path)
    const links = [...text.matchAll(/<a\s+class="button danger"[^>]*>([^<]*)<\/a\s*>/g)]
    assert.deepEqual(
      links.map(([, label]) => label),
      ["Disable", "Remove"],
      path,
    )
  }
})

describe("apps", () => {
  const path = "/console/app/new"
  const edit = "/console/app/edit"
  const confidential = {
    name: "Ledger",
    type: "confidential",
    redirect_uris: "https://ledger.example/back\r\n  https://ledger.example/other  ",
    permission: ["account:read", "files:write"],
    verified: "on",
    resource_server: "on",
  }

  test("CLIENT-3: one is registered, and its secret shown once; the same form sent again registers nothing", async () => {
    const page = await ada.get(path)
    const shown = await ada.submit(page, path, confidential)
    assert.equal(shown.status, 200)
    const secret = /<code class="secret copied">(lks_[\w-]+)<\/code>/.exec(shown.text)?.[1] ?? ""
    assert.notEqual(secret, "")
    const again = await ada.submit(page, path, confidential)
    assert.equal(again.location, "/console/apps")
    const { rows } = { rows: await testServer.store.clients({ limit: 50 }, { nameContains: "Ledger" }) }
    assert.equal(rows.length, 1)
    const [ledger] = rows
    assert.deepEqual(ledger?.redirectUris, ["https://ledger.example/back", "https://ledger.example/other"])
    assert.deepEqual(ledger?.ceiling, ["account:read", "files:write"])
    assert.deepEqual([ledger?.verified, ledger?.resourceServer, ledger?.stepUp], [true, true, false])
    // A sealed text may contain the same letters by chance.
    const later = await ada.get(`/console/app?id=${ledger?.clientId ?? ""}`)
    assert.doesNotMatch(later.text, /(?<![\w-])lks_/)
  })

  test("CLIENT-10: the switches of sessions and of the device flow, and the page of the app says them", async () => {
    const { clientId, client } = await testServer.addApp({ name: "Switches" })
    const typed = {
      name: "Switches",
      redirect_uris: client.redirectUris.join("\n"),
      permission: client.ceiling,
    }
    const saved = async (fields: Record<string, string>) => {
      const answer = await fill(`${edit}?id=${clientId}`, edit, { ...typed, ...fields })
      assert.equal(answer.status, 303, answer.text)
      const app = await stored(clientId)
      return [app?.endsWithSession, app?.deviceFlow]
    }
    assert.deepEqual(await saved({ ends_with_session: "on" }), [true, false])
    const { text } = await ada.get(`/console/app?id=${clientId}`)
    assert.match(textOf(text), /Device flow Not allowed Ends with the sign-in session Yes/)
    assert.deepEqual(await saved({ device_flow: "on" }), [false, true])
  })

  test("OIDC-10: the form has what an app has for OpenID Connect, and the page of the app says what was changed", async () => {
    const { clientId, client } = await testServer.addApp({ name: "Openid" })
    const address = `${edit}?id=${clientId}`
    const facts = async () => textOf((await ada.get(`/console/app?id=${clientId}`)).text)
    assert.doesNotMatch(await facts(), /Only for groups|id_tokens|Consent|After a sign-out/)
    const typed = {
      name: "Openid",
      redirect_uris: client.redirectUris.join("\n"),
      permission: client.ceiling,
      id_token_signed_response_alg: "ES256",
      remember_consent: "on",
    }
    const uris = ["https://a.example/bye", "http://127.0.0.1/"]
    const wrong = await fill(address, edit, { ...typed, post_logout_redirect_uris: "http://a.example/" })
    assert.equal(wrong.status, 400)
    assert.ok(wrong.text.includes('id="post_logout_redirect_uris-problem"'))
    const saved = await fill(address, edit, { ...typed, post_logout_redirect_uris: uris.join("\n") })
    assert.equal(saved.status, 303, saved.text)
    const app = await stored(clientId)
    assert.deepEqual(
      [app?.idTokenAlgorithm, app?.postLogoutRedirectUris, app?.rememberConsent],
      ["ES256", uris, true],
    )
    assert.match(await facts(), /id_tokens Signed with ES256.*After a sign-out https:\/\/a\.example\/bye/)
  })

  test("REDIR-3: what cannot be registered is said at its field, and what was typed stays", async () => {
    for (const [fields, field, problem] of [
      [{ redirect_uris: "javascript:alert(1)" }, "redirect_uris", /scheme/],
      [{ redirect_uris: "http://[::1]/back" }, "redirect_uris", /IPv6/],
      [{ name: "" }, "name", /name of an app is empty/],
      [{ name: "pay\u200bpal" }, "name", /invisible characters/],
      [{ owner: "no such account" }, "owner", /no account named/],
    ] as const) {
      const answer = await fill(path, path, { ...confidential, name: "Kept", ...fields })
      assert.equal(answer.status, 400, JSON.stringify(fields))
      const shown = new RegExp(`<p class="problem" id="${field}-problem"[^>]*>([^<]*)<`).exec(
        answer.text,
      )?.[1]
      assert.match(shown ?? "", problem)
      assert.match(answer.text, new RegExp(`id="${field}"[^>]*aria-invalid="true"`))
      assert.match(answer.text, /https:\/\/ledger\.example\/other|javascript:alert|\[::1\]/)
    }
    for (const [fields, problem] of [
      [{ type: "" }, /Choose what kind of app it is\./],
      [{ permission: "no:such" }, /no permission "no:such"/],
      [{ type: "public", resource_server: "on" }, /only a confidential app/],
    ] as const)
      assert.match(
        textOf((await fill(path, path, { ...confidential, name: "Kept", ...fields })).text),
        problem,
      )
    assert.deepEqual(await testServer.store.clients({ limit: 5 }, { nameContains: "Kept" }), [])
  })

  test("all that is wrong is said at once", async () => {
    const wrong = { name: "", type: "", redirect_uris: "javascript:x\nhttps://fine.example/\nhttp://x/" }
    const { text } = await fill(path, path, { ...wrong, owner: "no such account" })
    assert.equal(text.match(/class="problem"/g)?.length, 4)
    assert.match(textOf(text), /Check the marked fields\..*Line 1: .*Line 3: /)
  })

  test("PERM-5: a change of the ceiling is shown before it is saved, and only what was shown is saved", async () => {
    const app = await testServer.addApp({ name: "Sync", permissions: ["account:read", "files:write"] })
    const held = await connect(testServer, app, "ada")
    const address = `${edit}?id=${app.clientId}`
    const typed = {
      name: "Sync",
      redirect_uris: app.client.redirectUris.join("\n"),
      permission: ["account:read"],
    }
    const preview = await fill(address, edit, typed)
    assert.equal(preview.status, 200)
    assert.match(
      textOf(preview.text),
      /Nothing is saved yet\..*Takes files:write from 1 live credential of 1 account\./,
    )
    assert.deepEqual((await stored(app.clientId))?.ceiling, ["account:read", "files:write"])

    // A different change with the same confirmation is previewed again.
    const other = await ada.submit(preview, edit, { permission: [] as string[] })
    assert.match(textOf(other.text), /Takes account:read from 1 live credential/)
    const saved = await ada.submit(preview, edit, { permission: ["account:read"] })
    assert.equal(saved.location, `/console/app?id=${app.clientId}&done=saved`)
    const answer = await refresh(testServer, app, held.refresh_token)
    assert.equal(answer.body["scope"], "account:read")
  })

  test("what takes no reach is saved at once; the owner comes and goes", async () => {
    const app = await testServer.addApp({ name: "Plain", permissions: ["account:read"] })
    const address = `${edit}?id=${app.clientId}`
    const typed = {
      name: "Plainer",
      redirect_uris: "https://plain.example/",
      permission: ["account:read"],
      step_up: "on",
    }
    const saved = await fill(address, edit, { ...typed, owner: "ADA" })
    assert.equal(saved.location, `/console/app?id=${app.clientId}&done=saved`)
    const owned = await stored(app.clientId)
    assert.deepEqual([owned?.name, owned?.stepUp, owned?.ownerId], ["Plainer", true, adaId])
    await fill(address, edit, { ...typed, owner: "" })
    assert.equal((await stored(app.clientId))?.ownerId, null)
  })

  test("a new secret ends the old one; a form sent twice makes one", async () => {
    const app = await testServer.addApp({
      name: "Server",
      type: "confidential",
      permissions: ["account:read"],
    })
    const act = "/console/app/act"
    const page = await ada.get(`${act}?id=${app.clientId}&do=secret`)
    const shown = await ada.submit(page, act, {})
    assert.match(shown.text, /lks_[\w-]+/)
    const once = (await stored(app.clientId))?.secretHash
    assert.notEqual(once, app.client.secretHash)
    assert.equal((await ada.submit(page, act, {})).location, `/console/app?id=${app.clientId}`)
    assert.equal((await stored(app.clientId))?.secretHash, once)
    const open = await testServer.addApp({ name: "Open" })
    assert.equal((await fill(`${act}?id=${open.clientId}&do=secret`, act, {})).status, 409)
  })

  test("disabling and removing say what they take", async () => {
    const app = await testServer.addApp({ name: "Ending", permissions: ["account:read"] })
    const held = await connect(testServer, app, "ada")
    const act = "/console/app/act"
    const disable = await ada.get(`${act}?id=${app.clientId}&do=disable`)
    assert.match(
      textOf(disable.text),
      /1 live credential of 1 account stops working until the app is enabled again\./,
    )
    await ada.submit(disable, act, {})
    assert.equal((await refresh(testServer, app, held.refresh_token)).status, 401)
    await fill(`/console/app?id=${app.clientId}`, act, {})
    assert.equal((await refresh(testServer, app, held.refresh_token)).status, 200)
    const remove = await ada.get(`${act}?id=${app.clientId}&do=remove`)
    assert.match(textOf(remove.text), /1 live credential of 1 account is revoked for good\./)
    assert.equal((await ada.submit(remove, act, {})).location, "/console/apps?done=removed")
    assert.equal(await stored(app.clientId), null)
    assert.match(
      textOf((await ada.get(`/console/credential?id=${held.token_id}`)).text),
      /the app was removed/,
    )
  })

  test("CLIENT-5: an icon is stored, shown for a verified app, and taken away", async () => {
    const app = await testServer.addApp({ name: "Pictured", verified: true })
    const address = `/console/app/icon?id=${app.clientId}`
    const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: "#155e4c" } })
      .png()
      .toBuffer()
    const send = async (fields: Record<string, string | Blob>) => {
      const page = await ada.get(address)
      const body = new FormData()
      for (const [name, value] of Object.entries({
        ...hiddenFields(page.text, "/console/app/icon"),
        ...fields,
      }))
        body.set(name, value)
      const headers = { cookie: cookiesOf(ada), origin: new URL(testServer.url).origin }
      return fetch(`${testServer.url}/console/app/icon`, {
        method: "POST",
        body,
        headers,
        redirect: "manual",
      })
    }
    const bad = await send({ icon: new Blob(["<svg/>"], { type: "image/png" }) })
    assert.equal(bad.status, 400)
    assert.equal((await send({})).status, 400)
    const kept = await send({ icon: new Blob([png]) })
    assert.equal(kept.headers.get("location"), `/console/app?id=${app.clientId}&done=icon`)
    const icon = `/oauth/apps/${app.clientId}/icon`
    assert.equal((await fetch(testServer.url + icon)).status, 200)
    assert.ok((await ada.get(`/console/app?id=${app.clientId}`)).text.includes(icon))
    await send({ remove: "yes" })
    assert.equal((await fetch(testServer.url + icon)).status, 404)
  })
})

test("CRED-3: a credential is revoked once, and says by whom", async () => {
  const app = await testServer.addApp({ permissions: ["account:read"] })
  const held = await connect(testServer, app, "ada")
  const path = "/console/credential/revoke"
  const page = await ada.get(`${path}?id=${held.token_id}`)
  assert.equal(
    (await ada.submit(page, path, {})).location,
    `/console/credential?id=${held.token_id}&done=revoked`,
  )
  assert.equal(
    (await ada.submit(page, path, {})).location,
    `/console/credential?id=${held.token_id}&done=unchanged`,
  )
  assert.equal((await refresh(testServer, app, held.refresh_token)).body["error"], "invalid_grant")
  const shown = textOf((await ada.get(`/console/credential?id=${held.token_id}`)).text)
  assert.match(shown, /Revoked .*an administrator revoked it/)
})

describe("RATE-3: settings", () => {
  const path = "/console/setting"

  test("each has its explanation, its value and its default", async () => {
    const page = textOf((await ada.get("/console/settings")).text)
    for (const key of ["rate_limit.oauth_anonymous", "token.access_seconds", "registration.open"])
      assert.ok(page.includes(key), key)
    assert.match(page, /600 requests in 60 seconds the default/)
    assert.match(page, /3,600 seconds \(1 hour\) the default/)
  })

  test("REG-3: the permissions that the default stands for are named", async () => {
    const open = "account:read workers:read files:read files:write"
    assert.ok(textOf((await ada.get("/console/settings")).text).includes(`${open} the default`))
    const key = "registration.permissions"
    const { text } = await ada.get(`${path}?key=${key}`)
    assert.match(textOf(text), new RegExp(`The default is ${open} \\.`))
    assert.ok(text.includes(`value="${open}"`))
    await fill(`${path}?key=${key}`, path, { key, value: open })
    const named = textOf((await ada.get("/console/settings")).text)
    assert.ok(named.includes(`${open} the default is ${open}`), "stored names do not follow the catalog")
    await fill(`${path}?key=${key}`, path, { key, value: open, default: "yes" })
    assert.equal((await testServer.store.settings()).has(key), false)
  })

  test("what is on or off is chosen", async () => {
    const { text } = await ada.get(`${path}?key=registration.open`)
    assert.match(text, /type="radio"\s+name="value"\s+value="off"[^>]*checked/)
    const refused = await fill(`${path}?key=registration.open`, path, { value: "perhaps" })
    assert.match(refused.text, /<p class="problem"[^>]*>Write on or off\.<\/p>/)
  })

  test("a new value is in force within a second; a wrong one is refused beside the field; back to the default", async () => {
    const address = `${path}?key=token.access_seconds`
    const wrong = await fill(address, path, { value: "1" })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /id="value-problem"[^>]*>Write a whole number of seconds from 60 to 86400\./)
    assert.match(wrong.text, /aria-describedby="value-problem value-hint"/)
    assert.equal((await fill(address, path, { value: "120" })).location, "/console/settings?done=saved")
    testServer.clock.advance(1)
    const app = await testServer.addApp({ permissions: ["account:read"] })
    assert.equal((await connect(testServer, app, "ada")).expires_in, 120)
    await fill(address, path, { value: "120", default: "yes" })
    testServer.clock.advance(1)
    assert.equal((await connect(testServer, app, "ada")).expires_in, 3600)
  })
})

async function stored(clientId: string) {
  return (await testServer.store.read({ client: clientId as never })).client
}

function idIn(location: string | null): string {
  const id = /id=(\w{26})/.exec(location ?? "")?.[1]
  if (id === undefined) throw new Error(`no id in ${String(location)}`)
  return id
}

function cookiesOf(browser: Browser): string {
  return ["latchkey_browser", "latchkey_session"]
    .map((name) => `${name}=${browser.cookie(name) ?? ""}`)
    .join("; ")
}
