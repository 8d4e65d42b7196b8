/** A service with entries in every list of the console, and administrators who look at them. */
import type { Browser } from "../../support/browser.ts"
import { connect, signedInBrowser } from "../../support/connect.ts"
import { TestServer, type TestApp } from "../../support/test-server.ts"

/** The most dangerous markup that the rules for names allow. */
export const HOSTILE_NAME = `</td><script>alert("1")</script>'&lt;`

export type ConsoleWorld = {
  readonly testServer: TestServer
  readonly app: TestApp
  readonly server: TestApp
  /** The credential that "bob" has given to `app`. */
  readonly tokenId: string
  readonly bobId: string
  readonly ada: Browser
}

export async function consoleWorld(): Promise<ConsoleWorld> {
  const testServer = await TestServer.open()
  await testServer.addAccount("ada", true)
  await testServer.addAccount("carol", true)
  const bobId = await testServer.addAccount("bob")
  await testServer.addAccount(`eve${HOSTILE_NAME}`.slice(0, 60))
  const app = await testServer.addApp({ name: "Notebook" })
  const server = await testServer.addApp({
    name: HOSTILE_NAME,
    type: "confidential",
    resourceServer: true,
    permissions: ["account:read"],
  })
  const { token_id: tokenId } = await connect(testServer, app, "bob", { installation_name: HOSTILE_NAME })
  await connect(testServer, server, "bob", {})
  return { testServer, app, server, tokenId, bobId, ada: await signedInBrowser(testServer, "ada") }
}
