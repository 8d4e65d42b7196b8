/** What a test starts with: a service with settings, accounts, apps and browsers. */
import assert from "node:assert/strict"
import type { UserId } from "../../src/kernel/ids.ts"
import { StoreUnavailable } from "../../src/store/unavailable.ts"
import type { Browser } from "./browser.ts"
import { signedInBrowser } from "./connect.ts"
import { SignedInAccount } from "./signed-in.ts"
import { type Span, wholeFile } from "./spawn.ts"
import { type AppOptions, type TestApp, TestServer, type TestServerOptions } from "./test-server.ts"

export type ServiceGiven<Account = string> = TestServerOptions & {
  /** Turns the rate limit off, for tests that send more requests than one address may. */
  readonly rateLimit?: "off"
  readonly settings?: Readonly<Record<string, string>>
  /** The usernames of administrators. Every account has the password `PASSWORD`. */
  readonly admins?: readonly Account[]
  /** The usernames of accounts that are no administrators. */
  readonly accounts?: readonly Account[]
  /** How long the service runs. Without this member, it runs until the last test of the file. */
  readonly span?: Span
}

type Given<Account, OfBrowser, SignedIn, App extends string> = ServiceGiven<Account> & {
  /** The accounts that get a browser in which they are signed in. */
  readonly browsers?: readonly OfBrowser[]
  /** The accounts that sign in when a test needs them, and again after the clock has moved. */
  readonly signedIn?: readonly SignedIn[]
  /** The apps by the names that the test gives them. */
  readonly apps?: Readonly<Record<App, AppOptions>>
}

type Fixture<
  Account extends string,
  OfBrowser extends string,
  SignedIn extends string,
  App extends string,
> = {
  readonly testServer: TestServer
  readonly userIds: Readonly<Record<Account, UserId>>
} & Readonly<Record<OfBrowser, Browser>> &
  Readonly<Record<SignedIn, SignedInAccount>> &
  Readonly<Record<App, TestApp>>

/**
 * Starts a service with what is given. Returns it together with every browser, signed-in account and app under its own
 * name:
 *
 *     const { testServer, bob, app, files } = await fixture({
 *       admins: ["ada"],
 *       accounts: ["bob"],
 *       browsers: ["bob"],
 *       apps: { app: {}, files: { type: "confidential", resourceServer: true } },
 *     })
 *
 * The call of a whole file is made before its first test, because the service ends as soon as all known tests have run.
 */
export async function fixture<
  const Account extends string = never,
  const OfBrowser extends string = never,
  const SignedIn extends string = never,
  const App extends string = never,
>(given: Given<Account, OfBrowser, SignedIn, App> = {}): Promise<Fixture<Account, OfBrowser, SignedIn, App>> {
  const { span = wholeFile() } = given
  const testServer = await TestServer.open(given)
  try {
    const added = await seed(testServer, given)
    span.after(() => closeVerified(testServer))
    return { testServer, ...added } as Fixture<Account, OfBrowser, SignedIn, App>
  } catch (problem) {
    await testServer.close()
    throw problem
  }
}

/** Fails if `verify` finds a problem in what the tests made the service write. A store that a test closed is left out. */
async function closeVerified(testServer: TestServer): Promise<void> {
  try {
    const verified = testServer.store.verify()
    const problems = await verified.catch((error: unknown) => {
      if (error instanceof StoreUnavailable) return []
      throw error
    })
    assert.deepEqual(problems, [])
  } finally {
    await testServer.close()
  }
}

async function seed(testServer: TestServer, given: Given<string, string, string, string>): Promise<object> {
  if (given.rateLimit === "off") await testServer.set("rate_limit.oauth_anonymous", "off")
  for (const [key, value] of Object.entries(given.settings ?? {})) await testServer.set(key, value)
  const userIds: Record<string, string> = {}
  for (const name of given.admins ?? []) userIds[name] = await testServer.addAccount(name, true)
  for (const name of given.accounts ?? []) userIds[name] = await testServer.addAccount(name)
  const named: Record<string, TestApp | Browser | SignedInAccount> = {}
  for (const [name, app] of Object.entries(given.apps ?? {})) named[name] = await testServer.addApp(app)
  for (const name of given.browsers ?? []) named[name] = await signedInBrowser(testServer, name)
  for (const name of given.signedIn ?? []) named[name] = new SignedInAccount(testServer, name)
  return { userIds, ...named }
}
