/**
 * Creates what valid requests need: accounts with sessions, apps, and credentials with many or few permissions.
 * Requests gradually destroy a world, for example by signing out or removing an app. The run therefore creates a new
 * world from time to time.
 */
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { elevate } from "../../test/admin/api/api-world.ts"
import { DEVICE_GRANT, startDevice } from "../../test/oauth/device/device.ts"
import { Browser } from "../../test/support/browser.ts"
import {
  type AppIdentity,
  authorizePath,
  connectIn,
  type Listening,
  newVerifier,
  REDIRECT_URI,
} from "../../test/support/connect.ts"
import { addAccount, addApp, openRegistration, set, switchBudgetOff } from "../../test/support/seed.ts"
import { PASSWORD } from "../../test/support/test-server.ts"
import type { Pair } from "./draft.ts"

const OWN = ["account:write", "credentials:write", "apps:write", "openid", "profile", "email", "groups"]
const EVERYTHING = [
  ...OWN,
  ...["admin:accounts", "admin:apps", "admin:credentials", "admin:settings", "admin:events"],
]

/** A signed-in person, and what this person's browser sends. */
export type Person = {
  readonly username: string
  readonly browser: Browser
  readonly cookies: readonly Pair[]
  /** The secrets that give access to the account. */
  readonly session: string
  readonly csrf: string
}

export type World = {
  readonly server: Listening
  readonly origin: string
  /** Whether the database is a server, which may be unavailable for a moment. */
  readonly hasServer: boolean
  readonly root: Person
  readonly ada: Person
  /** A public app that may ask for a step-up. */
  readonly app: AppIdentity
  /** A confidential app. */
  readonly web: AppIdentity
  readonly resourceServer: AppIdentity
  /** The tokens of the administrator, which are elevated. */
  readonly full: TokenResponse
  /** The tokens of the other account, which are elevated. */
  readonly own: TokenResponse
  /** An app that the other account has registered. */
  readonly ownedAppId: string
  readonly userId: string
  /** The id_token of the other account. It signs in nowhere, and it opens nothing. */
  readonly idToken: string
  readonly authorizeUrl: string
  readonly deviceCode: string
  readonly userCode: string
  readonly deviceGrant: string
  /** JWT access tokens of the other account, each for one API: RS256 and ES256. They open nothing here. */
  readonly jwts: readonly string[]
  /** Secrets that no response and no log may contain. All of them were sent or issued in this run. */
  readonly secrets: readonly string[]
}

export async function newWorld(
  server: Listening & Pick<World, "origin" | "hasServer">,
  dir: string,
  number: number,
): Promise<World> {
  await switchBudgetOff(dir)
  await openRegistration(dir)
  await set(dir, "openid.enabled", "on")
  const [rootName, adaName] = [`root${number}`, `ada${number}`]
  await addAccount(dir, rootName, true)
  await addAccount(dir, adaName)
  const app = await addApp(dir, {
    name: "Fuzzed",
    type: "public",
    permissions: EVERYTHING,
    stepUp: true,
    postLogoutRedirectUris: [REDIRECT_URI],
  })
  const web = await addApp(dir, { name: "Web", type: "confidential", permissions: OWN })
  const resourceServer = await addApp(dir, {
    name: "Files",
    type: "confidential",
    resourceServer: true,
    permissions: [],
  })
  const root = await signedIn(server, rootName)
  const ada = await signedIn(server, adaName)
  const full = await connectIn(root.browser, server, app, { scope: EVERYTHING.join(" ") })
  const own = await connectIn(ada.browser, server, app, { scope: OWN.join(" ") })
  await elevate(server, root.browser, full)
  await elevate(server, ada.browser, own)
  const jwts = await jwtsOf(server, ada, app)
  const ownedAppId = await registered(server, own.access_token)
  const device = await startDevice(server, app)
  return {
    server,
    origin: server.origin,
    hasServer: server.hasServer,
    root,
    ada,
    app,
    web,
    resourceServer,
    full,
    own,
    ownedAppId,
    idToken: idTokenOf(own),
    jwts,
    userId: await userIdOf(server, own.access_token),
    authorizeUrl: authorizePath(app, newVerifier().challenge),
    deviceCode: device.deviceCode,
    userCode: device.userCode,
    deviceGrant: DEVICE_GRANT,
    secrets: [
      PASSWORD,
      root.session,
      ada.session,
      ...jwts,
      ...[full, own].flatMap((held) => [held.access_token, held.refresh_token]),
      web.secret ?? "",
      resourceServer.secret ?? "",
    ],
  }
}

/** The APIs of the configuration with JWTs, which live as long as they may. JWT-1. */
const JWT_APIS = { "https://files.example/": "RS256", "https://mail.example/": "ES256" } as const
const JWT_SECONDS = 900
export const JWT_RESOURCES = Object.keys(JWT_APIS)

/** The configuration file of the service. */
export const CONFIGURATION = `resource_servers:\n${Object.entries(JWT_APIS)
  .map(
    ([resource, algorithm]) =>
      `  - { resource: "${resource}", name: An API, tokens: jwt, algorithm: ${algorithm}, seconds: ${JWT_SECONDS} }\n`,
  )
  .join("")}`

async function jwtsOf(server: Listening, { browser }: Person, app: AppIdentity): Promise<readonly string[]> {
  const held = []
  for (const resource of JWT_RESOURCES)
    held.push(await connectIn(browser, server, app, { scope: OWN.join(" "), resource }))
  const tokens = held.map(({ access_token }) => access_token)
  if (!tokens.every((token) => token.startsWith("eyJ"))) throw new Error("an access token is no JWT")
  return tokens
}

export { REDIRECT_URI }

function idTokenOf(response: TokenResponse & { readonly id_token?: string }): string {
  if (response.id_token === undefined) throw new Error("the response has no id_token")
  return response.id_token
}

export async function signedIn(server: Listening, username: string): Promise<Person> {
  const browser = new Browser(server.url)
  const answer = await browser.signIn(username, PASSWORD)
  if (answer.status !== 303) throw new Error(`sign-in of ${username} answered ${answer.status}`)
  const names = ["latchkey_browser", "latchkey_session"]
  const cookies = names.map((name): Pair => [name, browser.cookie(name) ?? ""])
  const { text } = await browser.get("/account")
  const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1]
  const session = browser.cookie("latchkey_session")
  if (csrf === undefined || session === undefined) throw new Error("the account page holds no form")
  return { username, browser, cookies, session, csrf }
}

async function registered(server: Listening, token: string): Promise<string> {
  const body = await called(server, "POST", "/api/apps", token, {
    client_type: "confidential",
    client_name: "Own",
    redirect_uris: ["https://own.example/callback"],
    scope: "account:read",
  })
  return String(body["client_id"])
}

async function userIdOf(server: Listening, token: string): Promise<string> {
  return String((await called(server, "GET", "/api/account", token))["user_id"])
}

async function called(server: Listening, method: string, path: string, token: string, body?: object) {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${JSON.stringify(answer)}`)
  return answer
}
