/** Tests GET /account/activity: what happened, and why a session ended. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { setAccountEnabled } from "../../../src/accounts/accounts.ts"
import { removeApp, updateApp } from "../../../src/apps/app.ts"
import { endCredential } from "../../../src/oauth/credential/credential.ts"
import { Browser } from "../../support/browser.ts"
import { exchange, refresh, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { grant, issueCode } from "../../support/grant.ts"
import { OPERATOR } from "../../support/test-server.ts"
import { DAY } from "../../../src/kernel/time.ts"

const PATH = "/account/activity"

const { testServer, app } = await fixture({ rateLimit: "off", apps: { app: { name: "Notebook" } } })

async function person(name: string): Promise<Browser> {
  await testServer.addAccount(name)
  return signedInBrowser(testServer, name)
}

/** Returns the sentences of a page without their markup, newest first. */
const sentences = (text: string) =>
  [...text.matchAll(/<p class="sentence[^"]*">(.*?)<\/p>/gs)].map(([, inside = ""]) =>
    inside
      .replace(/<[^>]*>/g, "")
      .replaceAll("&#39;", "'")
      .replace(/\s+/g, " ")
      .trim(),
  )
const activityOf = async (browser: Browser) => sentences((await browser.get(PATH)).text)

test("CRED-2, CODE-3, CRED-3 it names who ended a credential: reuse, replay, the app, you, an administrator", async () => {
  const ada = await person("ada")
  const reused = await grant(testServer, ada, app)
  const replayed = await issueCode(ada, app)
  await exchange(testServer, app, replayed.code, replayed.verifier)
  await exchange(testServer, app, replayed.code, replayed.verifier)
  const [byApp, byAdministrator] = [await grant(testServer, ada, app), await grant(testServer, ada, app)]
  await refresh(testServer, app, reused.refresh_token)
  testServer.clock.advance(61)
  await refresh(testServer, app, reused.refresh_token)
  await fetch(`${testServer.url}/oauth/revoke`, {
    method: "POST",
    body: new URLSearchParams({ client_id: app.clientId, token: byApp.refresh_token }),
  })
  await endCredential(testServer.latchkey, byAdministrator.token_id, OPERATOR)
  const mine = await grant(testServer, ada, app)
  const page = await ada.get(`/account/end-access?token_id=${mine.token_id}`)
  await ada.submit(page, "/account/end-access", {})
  const all = await activityOf(ada)
  for (const sentence of [
    "Notebook was signed out: a key that it had replaced long ago was used again.",
    "Notebook was signed out: the code that it signed in with came a second time.",
    "Notebook signed itself out.",
    "An administrator ended the access of Notebook.",
    "You ended the access of Notebook.",
    "You allowed Notebook to use your account.",
    "Notebook signed in.",
    "You signed in with your password.",
  ])
    assert.ok(all.includes(sentence), `${sentence} in ${all.join("\n")}`)
})

test("CRED-4 expiries are listed while their rows are there, at the time of the expiry", async () => {
  const bob = await person("bob")
  await grant(testServer, bob, app, { installation_name: "Old laptop" })
  testServer.clock.advance(91 * DAY)
  const later = await signedInBrowser(testServer, "bob")
  const idle = "Notebook (Old laptop) was signed out: it had not been used for ninety days."
  const all = await activityOf(later)
  assert.deepEqual(all.slice(0, 2), ["You signed in with your password.", idle])

  const kept = await grant(testServer, later, app)
  let token = kept.refresh_token
  for (let quarter = 0; quarter < 4; quarter++) {
    testServer.clock.advance(89 * DAY)
    token = String((await refresh(testServer, app, token)).body["refresh_token"])
  }
  testServer.clock.advance(10 * DAY)
  const last = await activityOf(await signedInBrowser(testServer, "bob"))
  assert.ok(
    last.includes("Notebook was signed out: a year had passed since you allowed it."),
    last.join("\n"),
  )
})

test("PERM-5 changes of an app that the account uses are listed, also its removal, and what to do then", async () => {
  const carol = await person("carol")
  const own = await testServer.addApp({ name: "Sketches" })
  const other = await person("dora")
  await grant(testServer, other, app)
  await grant(testServer, carol, own, { installation_name: "Desk" })
  testServer.clock.advance(10)
  await updateApp(testServer.latchkey, own.clientId, { name: "Sketches 2" }, OPERATOR)
  await updateApp(testServer.latchkey, own.clientId, { removePermissions: ["files:write"] }, OPERATOR)
  const changed = "What Sketches 2 may do was changed."
  assert.equal((await activityOf(carol)).filter((one) => one === changed).length, 1)
  assert.ok(!(await activityOf(other)).some((one) => one.includes("Sketches")))
  await removeApp(testServer.latchkey, own.clientId, OPERATOR)
  const page = await carol.get(PATH)
  assert.ok(
    sentences(page.text).includes(
      "an app that is gone (Desk) was signed out: the app was removed from this service.",
    ),
  )
  assert.ok(page.text.includes("It has to register again"))
  assert.ok(sentences(page.text).includes("You allowed an app that is gone (Desk) to use your account."))
})

test("an account sees its own events alone, and no address of others who changed it", async () => {
  const [eve, fred] = [await person("eve"), await person("fred")]
  await new Browser(testServer.url).signIn("eve", "not the password")
  await grant(testServer, fred, app)
  const all = await activityOf(eve)
  assert.ok(all.includes("Someone tried to sign in to your account with a wrong password."))
  assert.ok(!all.some((one) => one.includes("Notebook")))
  await disabledAndEnabled("eve")
  const page = await (await signedInBrowser(testServer, "eve")).get(PATH)
  const entry = /An administrator disabled your account\.<\/p>.*?<\/li>/s.exec(page.text)?.[0] ?? ""
  assert.ok(entry !== "" && !entry.includes("Network address"))
})

async function disabledAndEnabled(name: string): Promise<void> {
  for (const enabled of [false, true]) await setAccountEnabled(testServer.latchkey, name, enabled, OPERATOR)
}

test("activity is paged by key: each event once, newest first, also those that share a second", async () => {
  const gina = await person("gina")
  for (let i = 0; i < 60; i++) {
    await grant(testServer, gina, app)
    if (i % 7 === 0) testServer.clock.advance(1)
  }
  let path: string | undefined = PATH
  const pages: string[][] = []
  while (path !== undefined && pages.length < 10) {
    const { text }: { text: string } = await gina.get(path)
    pages.push(sentences(text))
    path = /href="(\/account\/activity\?after=[^"]*)"/.exec(text)?.[1]?.replaceAll("&amp;", "&")
  }
  assert.deepEqual(
    pages.map((rows) => rows.length),
    [50, 50, 22],
  )
  assert.equal(pages.flat().filter((one) => one === "Notebook signed in.").length, 60)
  assert.equal(pages.flat().at(-1), "Your account was made.")
  for (const query of ["?after=x&before=1", "?after=1", "?after=1&before=-1", "?after=1&after=2"])
    assert.equal((await gina.get(PATH + query)).status, 200, query)
})
