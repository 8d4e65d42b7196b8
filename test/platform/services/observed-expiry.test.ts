/** An end that a list or a record has reported is stored, so a clock that is set back revives nothing. */
import assert from "node:assert/strict"
import { test } from "node:test"
import type { TokenId } from "../../../src/kernel/ids.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { listCredentials } from "../../../src/admin/credentials/credential.command.ts"
import { assertRefused } from "../../support/answers.ts"
import { refresh, signedInBrowser } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { grant } from "../../support/grant.ts"
import { call } from "../../support/signed-in.ts"
import { textOf } from "../ui/markup.ts"

const {
  testServer: server,
  userIds: { ada: adaId },
  app,
  admin,
} = await fixture({
  rateLimit: "off",
  admins: ["root"],
  accounts: ["ada"],
  apps: {
    app: { name: "Notebook" },
    admin: { permissions: ["account:write", "credentials:write", "admin:credentials"] },
  },
})

async function page(username: string, path: string): Promise<string> {
  const answer = await (await signedInBrowser(server, username)).get(path)
  assert.equal(answer.status, 200)
  return textOf(answer.text)
}

async function ofApi(username: string, path: string): Promise<string> {
  const browser = await signedInBrowser(server, username)
  const scope = username === "root" ? "admin:credentials" : "credentials:write"
  const { access_token } = await grant(server, browser, admin, { scope })
  const answer = await call(server, path, access_token)
  assert.equal(answer.status, 200)
  return JSON.stringify(answer.body)
}

type Look = (tokenId: string) => Promise<string>
const places: readonly (readonly [name: string, look: Look])[] = [
  [
    "the list of the command line",
    async () => {
      const listed = await listCredentials(server.latchkey, { accountName: "ada", clientId: app.clientId })
      return JSON.stringify(listed)
    },
  ],
  ["the list of the API", () => ofApi("root", `/api/admin/credentials?client_id=${app.clientId}`)],
  ["the record of the API", (tokenId) => ofApi("root", `/api/admin/credentials/${tokenId}`)],
  ["its explanation", (tokenId) => ofApi("root", `/api/admin/credentials/${tokenId}/explanation`)],
  ["the holder's explanation", (tokenId) => ofApi("ada", `/api/credentials/${tokenId}/explanation`)],
  ["the list of the console", () => page("root", "/console/credentials")],
  ["the list of ended credentials", () => page("root", "/console/credentials?state=over")],
  ["its page in the console", (tokenId) => page("root", `/console/credential?id=${tokenId}`)],
  ["the page of its app", () => page("root", `/console/app?id=${app.clientId}`)],
  ["the page of its account", () => page("root", `/console/account?id=${adaId}`)],
  ["the activity of its account", () => page("ada", "/account/activity")],
]

for (const [name, look] of places)
  test(`CRED-4 an end that ${name} has shown is stored`, async () => {
    const held = await grant(server, await signedInBrowser(server, "ada"), app)
    server.clock.advance(91 * DAY)
    assert.match(await look(held.token_id), /ended|not been used for/i)
    server.clock.advance(-91 * DAY)
    const { credential } = await server.store.read({ credential: held.token_id as TokenId })
    assert.equal(credential?.life.state, "ended")
    assertRefused(await refresh(server, app, held.refresh_token), 400, "invalid_grant")
    server.clock.advance(1)
  })

test("CRED-4 a list of live credentials writes nothing", async () => {
  const held = await grant(server, await signedInBrowser(server, "ada"), app)
  await page("root", "/console/credentials")
  assert.equal((await refresh(server, app, held.refresh_token)).status, 200)
})
