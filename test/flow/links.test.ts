/**
 * Follows every link of every page, as an administrator and as the owner of apps, from the first page after the sign-in.
 * The service holds data of every kind, so that every page has a link that leads to it.
 */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { removeAccount } from "../../src/accounts/accounts.ts"
import { addGroup } from "../../src/accounts/groups/groups.ts"
import { invite } from "../../src/accounts/invitations/invite.ts"
import { setEmailByOperator } from "../../src/accounts/email/email.ts"
import { addTotp } from "../../src/accounts/factors/totp.ts"
import { loadAllRoutes } from "../support/routes.ts"
import { type Browser } from "../support/browser.ts"
import { connect, own, send, signedInBrowser } from "../support/connect.ts"
import { fixture } from "../support/fixture.ts"
import { MailServer } from "../support/mail-server.ts"
import { providerAt } from "../support/oidc.ts"
import { wholeFile } from "../support/spawn.ts"
import { OPERATOR } from "../support/test-server.ts"
import { codeAt, halfSignedIn } from "../accounts/factors/factors.ts"

const file = wholeFile()
const mails = await MailServer.open()
file.after(() => mails.close())

/** Pages to which no link of a signed-in person leads, with the way to them. */
const UNLINKED: Readonly<Record<string, string>> = {
  "/": "leads on to the account",
  "/setup": "the printed link",
  "/sign-in": "before the sign-in",
  "/sign-in/code": "before the sign-in",
  "/sign-in/passkey": "before the sign-in",
  "/sign-in/with/:name": "before the sign-in",
  "/sign-in/with/:name/callback": "the provider",
  "/sign-in/with/:name/username": "the provider",
  "/recover": "before the sign-in",
  "/invitation": "a printed link, or a mail",
  "/email/confirm": "a mail",
  "/email/restore": "a mail",
  "/oauth/authorize": "an app",
  "/oauth/end-session": "an app",
  "/oauth/device": "a device",
  "/account/prove": "a form",
  "/account/prove/with": "a form",
  "/account/security/connect": "a form",
  "/account/security/disconnect": "a form",
  "/account/security/rename": "a form",
  "/account/security/remove": "a form",
  "/assets/passkey.js": "no page",
  "/console/*": "the page of an unknown path",
}

describe("CONSOLE-1: no link of a page is dead", async () => {
  const world = await linkedWorld()
  const seen = new Set<string>()

  test("as an administrator", async () => {
    const { found, dead } = await follow(world.ada, ["/account", "/console"])
    assert.deepEqual(dead, [])
    for (const path of found) seen.add(path)
  })

  test("as an owner of apps", async () => {
    const { found, dead } = await follow(world.bob, ["/account"])
    assert.deepEqual(dead, [])
    for (const path of found) seen.add(path)
  })

  test("every page was reached, but for those that are not linked", async () => {
    const pages = (await loadAllRoutes()).filter(({ family, get }) => family === "page" && get !== undefined)
    const missed = pages.map(({ path }) => path).filter((path) => !seen.has(path) && !(path in UNLINKED))
    assert.deepEqual(missed.toSorted(), [])
  })
})

async function linkedWorld() {
  const providers = new Map([["corp", providerAt("https://login.example.org")]])
  const { testServer, device, disabled, files } = await fixture({
    span: file,
    mail: mails.config(),
    providers,
    settings: { "registration.open": "on", "clients.documents": "on" },
    admins: ["ada", "carol"],
    accounts: ["bob", "gone"],
    apps: {
      device: { name: "Notebook", type: "confidential", stepUp: true, verified: true, ownerName: "bob" },
      disabled: { name: "Old notebook", ownerName: "ada" },
      files: { name: "Files", type: "confidential", resourceServer: true, permissions: ["account:read"] },
    },
  })
  const { latchkey } = testServer
  await testServer.addServiceAccount("builds", false, "ada")
  const bound = await testServer.addBoundApp("builds", { name: "Deploys", ownerName: "bob" })
  await send(testServer, "/oauth/token", { ...own(bound), grant_type: "client_credentials" })
  // More rows than a page of a list shows.
  for (let n = 0; n < 51; n++) await testServer.addServiceAccount(`machine-${n}`)
  await addGroup(latchkey, "crew", null, OPERATOR)
  const invited = { username: null, email: null, admin: false, groups: ["crew"], days: 7, language: null }
  const invitation = await invite({ ...latchkey, guesses: null }, invited, OPERATOR)
  assert.ok(invitation.ok)
  await setEmailByOperator(latchkey, "bob", "bob@example.org", OPERATOR)
  await removeAccount(latchkey, "gone", OPERATOR)

  const bob = await signedInBrowser(testServer, "bob")
  for (const app of [device, disabled, files]) await connect(testServer, app, "bob")
  const ended = await connect(testServer, device, "ada", { installation_name: "A laptop" })
  await send(testServer, "/oauth/revoke", { ...own(device), token: ended.refresh_token })
  await connect(testServer, device, "ada")

  const totp = await addTotp(latchkey, "ada", OPERATOR)
  if (!totp.ok) throw new Error(totp.error)
  const { browser: ada, page } = await halfSignedIn(testServer, "ada")
  const signedIn = await ada.submit(page, "/sign-in/code", { code: codeAt(testServer, totp.value.secret) })
  assert.equal(signedIn.status, 303)
  return { ada, bob }
}

/** Visits the pages and everything of this service that they link to. */
async function follow(browser: Browser, first: readonly string[]) {
  const known = new Set(first)
  const found = new Set<string>()
  const dead: string[] = []
  const from = new Map<string, string>()
  for (const path of known) {
    const { status, location, text, headers } = await browser.get(path)
    if (status !== 200 && status !== 303) dead.push(`${status} ${path} on ${from.get(path)}`)
    else found.add(path.replace(/[?#].*$/, ""))
    const isPage = headers.get("content-type")?.startsWith("text/html") === true
    for (const link of [...(isPage ? linksOf(text) : []), ...(location === null ? [] : [location])]) {
      const next = link.replace(/#.*$/, "")
      if (!next.startsWith("/") || known.has(next)) continue
      from.set(next, path)
      known.add(next)
    }
  }
  return { found, dead }
}

function linksOf(text: string): readonly string[] {
  const links = [...text.matchAll(/<(?:a|link|img|script)\b[^>]*?\s(?:href|src)="([^"]*)"/g)]
  return links.map(([, link = ""]) => link.replaceAll("&amp;", "&"))
}
