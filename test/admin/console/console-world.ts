/** A service with entries in every list of the console, and administrators who look at them. */
import assert from "node:assert/strict"
import { addGroup } from "../../../src/accounts/groups/groups.ts"
import { invite } from "../../../src/accounts/invitations/invite.ts"
import type { Browser } from "../../support/browser.ts"
import { connect } from "../../support/connect.ts"
import { fixture } from "../../support/fixture.ts"
import { OPERATOR, type TestApp, type TestServer } from "../../support/test-server.ts"

/** The most dangerous markup that the rules for names allow. */
export const HOSTILE_NAME = `</td><script>alert("1")</script>'&lt;`

export type ConsoleWorld = {
  readonly testServer: TestServer
  readonly app: TestApp
  readonly server: TestApp
  /** The credential that "bob" has given to `app`. */
  readonly tokenId: string
  readonly bobId: string
  readonly invitationId: string
  readonly ada: Browser
}

/** Opens the world for all tests of a file. */
export async function consoleWorld(): Promise<ConsoleWorld> {
  const { testServer, userIds, app, server, ada } = await fixture({
    admins: ["ada", "carol"],
    accounts: ["bob"],
    browsers: ["ada"],
    apps: {
      app: { name: "Notebook" },
      server: {
        name: HOSTILE_NAME,
        type: "confidential",
        resourceServer: true,
        permissions: ["account:read"],
      },
    },
  })
  await testServer.addAccount(`eve${HOSTILE_NAME}`.slice(0, 60))
  const { token_id: tokenId } = await connect(testServer, app, "bob", { installation_name: HOSTILE_NAME })
  await connect(testServer, server, "bob", {})
  const guest = { username: `${HOSTILE_NAME}`.slice(0, 60), email: null, admin: true, groups: [] }
  const made = await invite(testServer.latchkey, { ...guest, days: 7, language: null }, OPERATOR)
  assert.ok(made.ok)
  assert.ok((await addGroup(testServer.latchkey, "staff", HOSTILE_NAME, OPERATOR)).ok)
  const { invitationId } = made.value.invitation
  return { invitationId, testServer, app, server, tokenId, bobId: userIds.bob, ada }
}
