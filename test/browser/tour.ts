/** Visits every page of the service in the order in which people meet them. */
import type { Page } from "playwright-core"
import { offerSetUp } from "../../src/accounts/set-up/set-up.ts"
import { Browser } from "../support/browser.ts"
import { type Chromium, signIn } from "../support/chromium.ts"
import { authorizePath, connectIn, newVerifier, signedInBrowser } from "../support/connect.ts"
import { press } from "../support/person.ts"
import { accountTour } from "./account-tour.ts"
import { type AppOptions, type TestServer, PASSWORD, type TestApp } from "../support/test-server.ts"

/** A page to look at. `visit` opens it and returns it. Each stop depends on the stops before it. */
export type Stop = { readonly name: string; readonly visit: () => Promise<Page> }

type Address = { readonly app: TestApp; readonly [parameter: string]: string | TestApp }

const LONG_NAME = "An app whose name goes on and on, as far as a name may go at all, and then some"
const ADMINISTRATION = "admin:accounts admin:settings"

/** The test server must not have an account yet. */
export async function tour(testServer: TestServer, chromium: Chromium): Promise<readonly Stop[]> {
  const [stranger, alice, ada] = [await chromium.page(), await chromium.page(), await chromium.page()]
  const apps = await addApps(testServer)
  const to = async (page: Page, address: string): Promise<Page> => {
    await page.goto(testServer.url + address)
    return page
  }
  const ask = (page: Page, { app, ...parameters }: Address) =>
    to(page, authorizePath(app, newVerifier().challenge, parameters as Record<string, string>))

  const setUp: readonly Stop[] = [
    {
      name: "setup",
      visit: async () => to(stranger, `/setup?link=${await offerSetUp(testServer.latchkey)}`),
    },
    { name: "setup-problem", visit: () => submitSetUp(stranger, "ada", "short") },
    {
      name: "account-administrator",
      visit: async () => {
        await submitSetUp(stranger, "ada", PASSWORD)
        await stranger.context().clearCookies()
        await testServer.addAccount("alice")
        await signIn(alice, testServer, "alice")
        await signIn(ada, testServer, "ada")
        return ada
      },
    },
    { name: "setup-gone", visit: () => to(stranger, "/setup?link=used") },
  ]
  const signIns: readonly Stop[] = [
    { name: "sign-in", visit: () => to(stranger, "/sign-in") },
    { name: "sign-in-wrong", visit: () => submitSignIn(stranger, "alice", "not the password") },
    { name: "sign-in-app", visit: () => ask(stranger, { app: apps.plain }) },
    { name: "sign-in-app-wrong", visit: () => submitSignIn(stranger, "alice", "not the password") },
    {
      name: "sign-in-stale",
      visit: async () => {
        await to(stranger, "/sign-in")
        await stranger.context().clearCookies()
        return submitSignIn(stranger, "alice", PASSWORD)
      },
    },
    {
      name: "sign-in-throttled",
      visit: async () => {
        const guesser = new Browser(testServer.url)
        for (let i = 0; i < 10; i++) await guesser.signIn("unknown", `guess ${i}`)
        await to(stranger, "/sign-in")
        return submitSignIn(stranger, "unknown", "guess")
      },
    },
  ]
  const consents: readonly Stop[] = [
    { name: "account-empty", visit: () => to(alice, "/account") },
    { name: "consent", visit: () => ask(alice, { app: apps.plain, installation_name: "Alice’s laptop" }) },
    {
      name: "consent-loopback",
      visit: () => ask(alice, { app: apps.plain, redirect_uri: "http://127.0.0.1:5000/callback" }),
    },
    {
      name: "consent-private-use",
      visit: () => ask(alice, { app: apps.native, redirect_uri: "com.example.app:/callback" }),
    },
    {
      name: "consent-administration",
      visit: () => ask(ada, { app: apps.administration, scope: `account:read ${ADMINISTRATION}` }),
    },
    {
      name: "consent-refused-part",
      visit: () => ask(alice, { app: apps.administration, scope: `account:read ${ADMINISTRATION}` }),
    },
    { name: "consent-nothing", visit: () => ask(alice, { app: apps.administration, scope: ADMINISTRATION }) },
    {
      name: "consent-long",
      visit: () =>
        ask(alice, {
          app: apps.long,
          installation_name: "x".repeat(100),
          redirect_uri: apps.long.client.redirectUris[0] ?? "",
        }),
    },
    {
      name: "account",
      visit: async () => {
        const browser = await signedInBrowser(testServer, "alice")
        await connectIn(browser, testServer, apps.plain, { installation_name: "Alice’s laptop" })
        await connectIn(browser, testServer, apps.long, {
          redirect_uri: apps.long.client.redirectUris[0] ?? "",
        })
        return to(alice, "/account")
      },
    },
  ]
  const errors: readonly Stop[] = [
    {
      name: "error-app-unknown",
      visit: () => ask(stranger, { app: { ...apps.plain, clientId: "unknown" } }),
    },
    {
      name: "error-return-address",
      visit: () => ask(stranger, { app: apps.plain, redirect_uri: "https://else.example/" }),
    },
    { name: "error-malformed", visit: () => to(stranger, "/oauth/authorize?client_id=a&client_id=b") },
    { name: "error-not-found", visit: () => to(stranger, "/nowhere") },
    { name: "error-method", visit: () => to(stranger, "/oauth/consent") },
    {
      name: "error-answered",
      visit: async () => {
        await ask(alice, { app: apps.plain })
        const ticket = (await alice.locator("input[name=ticket]").getAttribute("value")) ?? ""
        const csrf = (await alice.locator("input[name=csrf]").first().getAttribute("value")) ?? ""
        await alice.request.post(`${testServer.url}/oauth/consent`, {
          form: { ticket, csrf, decision: "refuse" },
          maxRedirects: 0,
        })
        return decide(alice)
      },
    },
    {
      name: "error-foreign",
      visit: async () => {
        await ask(alice, { app: apps.plain })
        await alice.evaluate(
          `for (const input of document.querySelectorAll("[name=csrf]")) input.value = "x"`,
        )
        return decide(alice)
      },
    },
    {
      name: "error-stale",
      visit: async () => {
        await ask(alice, { app: apps.plain })
        testServer.clock.advance(601)
        return decide(alice)
      },
    },
  ]
  const signedOut: Stop = {
    name: "signed-out",
    visit: async () => {
      await to(alice, "/account")
      await alice.getByRole("button", { name: "Sign out" }).click()
      await alice.getByRole("heading", { name: "You are signed out" }).waitFor()
      return alice
    },
  }
  const account = accountTour(testServer, alice, "alice")
  return [...setUp, ...signIns, ...consents, ...account, ...errors, signedOut]
}

async function addApps(testServer: TestServer) {
  const add = (name: string, options: AppOptions) => testServer.addApp({ name, ...options })
  return {
    plain: await add("Paperclip", {}),
    native: await add("Émile & Söhne", { redirectUris: ["com.example.app:/callback"] }),
    administration: await add("Fleet Console", {
      permissions: ["account:read", "credentials:write", ...ADMINISTRATION.split(" ")],
    }),
    long: await add(LONG_NAME, {
      redirectUris: [`https://${"a-very-long-label.".repeat(8)}example/callback`],
      permissions: ["account:write", "credentials:write", "apps:write", "files:write"],
    }),
  }
}

async function submitSetUp(page: Page, username: string, password: string): Promise<Page> {
  await page.getByLabel("Username").fill(username)
  await page.getByLabel("Password").fill(password)
  await submitted(page, () => page.getByRole("button", { name: "Create the administrator" }).click())
  return page
}

async function submitSignIn(page: Page, username: string, password: string): Promise<Page> {
  await page.getByLabel("Username").fill(username)
  await page.getByLabel("Password").fill(password)
  await submitted(page, () => page.getByRole("button", { name: "Sign in" }).click())
  return page
}

async function decide(page: Page): Promise<Page> {
  await submitted(page, () => press(page, "Refuse"))
  return page
}

/** Waits for the page after the form, even if its URL is the same. */
async function submitted(page: Page, act: () => Promise<void>): Promise<void> {
  const shown = page.waitForEvent("domcontentloaded")
  await act()
  await shown
}
