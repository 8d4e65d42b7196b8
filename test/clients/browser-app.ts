/** Tests a page on another origin in a real browser. All requests between the page and the service are cross-origin. */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContext, Page } from "playwright-core"
import { Chromium, fillSignIn, needsChromium } from "../support/chromium.ts"
import { openSite } from "../support/site.ts"
import { press } from "../support/person.ts"
import { until } from "../support/until.ts"
import { type App, type Client, type Decision, type Held, Refused, type Way } from "./client.ts"
import { type Deployment, SCOPE } from "./deployment.ts"

const SCRIPT = readFileSync(join(import.meta.dirname, "browser-app.js"), "utf8")

export const browserApp: Client = {
  name: "a page in a browser",
  needs: needsChromium,
  ways: ["public", "registered"],
  can: ["discovery", "registration", "refresh", "revocation"],
  open: async (deployment, way) => opened(await deskAt(deployment), way),
  more: {
    "CONSENT-1: with its person signed in beside it, it reads nothing that is not for apps": (deployment) =>
      readsNothing(deployment),
  },
}

/** The browser of Alice, and the site of the app. */
type Desk = {
  readonly deployment: Deployment
  readonly context: BrowserContext
  readonly site: string
}

const desks = new WeakMap<Deployment, Promise<Desk>>()

function deskAt(deployment: Deployment): Promise<Desk> {
  const desk = desks.get(deployment) ?? seeded(deployment)
  desks.set(deployment, desk)
  return desk
}

async function seeded(deployment: Deployment): Promise<Desk> {
  const page = `<title>My page</title><script>${SCRIPT}</script>`
  const port = await openSite(deployment.span, { "/": page, "/callback": page })
  const site = `http://localhost:${port}`
  const first = await new Chromium(deployment.span).page({ ignoreHTTPSErrors: true })
  await first.goto(`${deployment.url}/sign-in`)
  await fillSignIn(first, "alice")
  await first.waitForURL(`${deployment.url}/account`)
  return { deployment, context: first.context(), site }
}

async function opened(desk: Desk, way: Way): Promise<App> {
  const { deployment, site } = desk
  const page = await desk.context.newPage()
  const redirectUri = `${site}/callback`
  await page.goto(site)
  const clientId =
    way === "registered"
      ? await does<string>(page, deployment, `register(service, ${JSON.stringify(redirectUri)})`)
      : deployment.app("public").clientId
  const known = [clientId, redirectUri].map((value) => JSON.stringify(value)).join()
  const call = async (endpoint: string, parameters: Readonly<Record<string, string>>) =>
    does<Answer>(
      page,
      deployment,
      `call(service.${endpoint}, ${JSON.stringify({ client_id: clientId, ...parameters })})`,
    )
  return {
    clientId,
    connect: async (decision: Decision) => {
      await page.goto(site)
      // The call is not awaited, because the page is left before it could return.
      await page.evaluate(`void ${inPage(deployment, `leave(service, ${known}, ${JSON.stringify(SCOPE)})`)}`)
      await page.waitForURL(`${deployment.url}/oauth/authorize?*`)
      await press(page, decision === "authorize" ? "Authorize" : "Refuse")
      await page.waitForURL(`${redirectUri}?*`)
      const held = heldIn(await does<Answer>(page, deployment, `arrive(service, ${known})`))
      return held
    },
    refresh: async ({ refreshToken }) =>
      heldIn(await call("token_endpoint", { grant_type: "refresh_token", refresh_token: refreshToken })),
    revoke: async ({ refreshToken }) => {
      await call("revocation_endpoint", { token: refreshToken })
    },
  }
}

/**
 * Returns the cookies of all requests that the page sends while it acts, as the network of the browser reports them.
 * Also returns the number of requests and their redirects. The network reports the cookies of a request separately,
 * before or after the response.
 */
async function cookiesSent(
  page: Page,
  requests: number,
  act: () => Promise<unknown>,
): Promise<readonly string[]> {
  const asked: string[] = []
  const said: { readonly id: string; readonly cookie: string }[] = []
  const session = await page.context().newCDPSession(page)
  session.on("Network.requestWillBeSent", ({ requestId }) => asked.push(requestId))
  session.on("Network.requestWillBeSentExtraInfo", ({ requestId, headers }) =>
    said.push({ id: requestId, cookie: headers["Cookie"] ?? "" }),
  )
  await session.send("Network.enable")
  await act()
  const known = () => said.filter(({ id }) => asked.includes(id))
  await until(
    () => new Set(asked).size >= requests && known().length >= asked.length,
    `the cookies of ${requests} requests`,
  )
  await session.detach()
  assert.equal(new Set(asked).size, requests)
  return known().map(({ cookie }) => cookie)
}

type Answer = { readonly access_token: string; readonly refresh_token: string }

function heldIn({ access_token, refresh_token }: Answer): Held {
  return { accessToken: access_token, refreshToken: refresh_token }
}

/** Builds a call of one of the page's functions. `service` is the result of its discovery. */
function inPage(deployment: Deployment, expression: string): string {
  return `app.discover(${JSON.stringify(deployment.url)}).then((service) => app.${expression})`
}

/** Runs the call and returns its value. */
async function does<T>(page: Page, deployment: Deployment, expression: string): Promise<T> {
  const script = `${inPage(deployment, expression)}
    .then((value) => ({ value }), (error) => ({ error: error.message }))`
  const { value, error } = await page.evaluate<{ value?: T; error?: string }>(script)
  if (error === undefined) return value as T
  throw /^[a-z_]+$/.test(error) ? new Refused(error) : new Error(error)
}

async function readsNothing(deployment: Deployment): Promise<void> {
  const desk = await deskAt(deployment)
  const page = await desk.context.newPage()
  await page.goto(desk.site)
  const read = (path: string, options: RequestInit) =>
    page.evaluate<string>(
      `fetch(${JSON.stringify(deployment.url + path)}, ${JSON.stringify(options)})
        .then((response) => response.text().then((text) => response.type + " " + text.length))
        .catch((error) => error.name)`,
    )
  const pages = [
    "/account",
    "/sign-in",
    "/console",
    "/account/apps",
    "/oauth/device",
    "/oauth/authorize",
    "/setup",
  ]
  for (const path of pages)
    for (const credentials of ["omit", "include"] as const)
      assert.equal(await read(path, { credentials }), "TypeError", `${path} with credentials: ${credentials}`)
  // Every origin may read these responses, so requests for them must never carry the browser's cookies.
  for (const path of ["/.well-known/oauth-authorization-server", "/api/account"]) {
    assert.match(await read(path, { credentials: "omit" }), /^cors \d+$/)
    assert.equal(await read(path, { credentials: "include" }), "TypeError", path)
  }
  assert.equal(await read("/oauth/token", { method: "POST", credentials: "include" }), "TypeError")
  const bare = await cookiesSent(page, 2, () => does(page, deployment, "discover(service.issuer)"))
  assert.deepEqual(bare, ["", ""])
  const sent = await cookiesSent(page, 1, async () =>
    assert.equal(await read("/account", { mode: "no-cors", credentials: "include" }), "opaque 0"),
  )
  // Without TLS, two ports of one host are the same site. The cookie is sent, but the page still cannot read the
  // response.
  assert.equal(
    sent.some((cookie) => cookie !== ""),
    deployment.certificate === null,
  )
  // The app must learn why a call was refused.
  const challenge = await page.evaluate<string>(
    `fetch(${JSON.stringify(`${deployment.url}/api/account`)}, { headers: { authorization: "Bearer lka_none" } })
      .then((response) => response.status + " " + response.headers.get("www-authenticate"))`,
  )
  assert.match(challenge, /^401 Bearer .*resource_metadata=/)
}
