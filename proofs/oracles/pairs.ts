/** Pairs of requests whose responses must be the same and take the same time. */
import { randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"
import { setAccountEnabled } from "../../src/accounts/accounts.ts"
import { setAppEnabled } from "../../src/apps/app.ts"
import { DEVICE_GRANT, startDevice } from "../../test/oauth/device/device.ts"
import { hiddenFields } from "../../test/support/browser.ts"
import { connect, own, refresh, send, signedInBrowser } from "../../test/support/connect.ts"
import { type TestServer, PASSWORD } from "../../test/support/test-server.ts"
import type { Request } from "./wire.ts"

export type Pair = {
  /** What an attacker would learn from a difference. */
  readonly secret: string
  /** Each function returns the next request of its kind. */
  readonly first: () => Promise<Request> | Request
  readonly second: () => Promise<Request> | Request
  /** How many requests of each kind the whole proof sends. */
  readonly times: number
  /** After this many requests of each kind, the clock moves beyond the rate limits. */
  readonly batch?: number
  /** Moves the clock in another way. */
  readonly pause?: () => Promise<void>
  /** Whether the caller must already know a token. Its 256 random bits cannot be guessed. */
  readonly isAboutToken?: boolean
  /** A pair with a known difference. It shows that the test can detect differences. */
  readonly isControl?: true
}

export type Make = (testServer: TestServer) => Promise<Pair>

/** If a request hashes a password, fewer requests are enough, and small differences are not visible. */
export const SLOW = 400
const QUICK = 4000

const signIn: Make = async (testServer) => {
  await testServer.addAccount("xanthippe")
  const { form, headers } = await signInForm(testServer)
  const post = (username: string): Request => ({
    method: "POST",
    path: "/sign-in",
    headers,
    fields: { ...form, username, password: "not the password" },
  })
  return {
    secret: "whether an account of that name exists (sign-in)",
    first: () => post("xanthippe"),
    second: () => post("quetzalco"),
    times: SLOW,
    batch: 9,
  }
}

const disabledAccount: Make = async (testServer) => {
  await testServer.addAccount("dora")
  await setAccountEnabled(testServer.latchkey, "dora", false, { address: null })
  const { form, headers } = await signInForm(testServer)
  const post = (username: string, password: string): Request => ({
    method: "POST",
    path: "/sign-in",
    headers,
    fields: { ...form, username, password },
  })
  return {
    secret: "whether the password of a disabled account is right (sign-in)",
    first: () => post("dora", PASSWORD),
    second: () => post("dora", "not the password"),
    times: SLOW,
    batch: 4,
  }
}

const clientSecret: Make = async (testServer) => {
  const app = await testServer.addApp({ type: "confidential" })
  const post = (clientId: string): Request => ({
    method: "POST",
    path: "/oauth/token",
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${"lks_wrong".padEnd(53, "x")}`).toString("base64")}`,
    },
    fields: { grant_type: "refresh_token", refresh_token: "x" },
  })
  return {
    secret: "whether an app of that id exists (client authentication)",
    first: () => post(app.clientId),
    second: () => post(altered(app.clientId)),
    times: QUICK,
  }
}

const disabledApp: Make = async (testServer) => {
  const app = await testServer.addApp({ type: "confidential" })
  const disabled = await testServer.addApp({ type: "confidential" })
  await setAppEnabled(testServer.latchkey, disabled.clientId, false, { address: null, owner: null })
  const post = (clientId: string, secret: string | null): Request => ({
    method: "POST",
    path: "/oauth/revoke",
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}` },
    fields: { token: "x" },
  })
  return {
    secret: "whether the secret of a disabled app is right (client authentication)",
    first: () => post(disabled.clientId, disabled.secret),
    second: () => post(disabled.clientId, app.secret),
    times: QUICK,
  }
}

const revocation: Make = async (testServer) => {
  const app = await testServer.addApp()
  await testServer.addAccount("bob")
  const held = await connect(testServer, app, "bob")
  await send(testServer, "/oauth/revoke", { ...own(app), token: held.access_token })
  const post = (token: string): Request => ({
    method: "POST",
    path: "/oauth/revoke",
    fields: { client_id: app.clientId, token },
  })
  return {
    secret: "whether a token was ever issued (revocation)",
    first: () => post(held.access_token),
    second: () => post(lookalike(held.access_token)),
    times: QUICK,
    isAboutToken: true,
  }
}

const introspection: Make = async (testServer) => {
  const app = await testServer.addApp()
  const server = await testServer.addApp({
    type: "confidential",
    resourceServer: true,
    permissions: [],
    redirectUris: [],
  })
  await testServer.addAccount("bob")
  const held = await connect(testServer, app, "bob")
  await send(testServer, "/oauth/revoke", { ...own(app), token: held.access_token })
  const post = (token: string): Request => ({
    method: "POST",
    path: "/oauth/introspect",
    fields: { ...own(server), token },
  })
  return {
    secret: "whether a token was ever issued (introspection)",
    first: () => post(held.access_token),
    second: () => post(lookalike(held.access_token)),
    times: QUICK,
    isAboutToken: true,
  }
}

const refreshToken: Make = async (testServer) => {
  const [app, other] = [await testServer.addApp(), await testServer.addApp()]
  await testServer.addAccount("bob")
  const held = await connect(testServer, app, "bob")
  const post = (token: string): Request => ({
    method: "POST",
    path: "/oauth/token",
    fields: { client_id: other.clientId, grant_type: "refresh_token", refresh_token: token },
  })
  return {
    secret: "whether a refresh token is another app's (token endpoint)",
    first: () => post(held.refresh_token),
    second: () => post(lookalike(held.refresh_token)),
    times: QUICK,
    isAboutToken: true,
  }
}

const deviceCode: Make = async (testServer) => {
  const [app, other] = [await testServer.addApp(), await testServer.addApp()]
  const grant = await startDevice(testServer, app)
  const post = (code: string): Request => ({
    method: "POST",
    path: "/oauth/token",
    fields: { client_id: other.clientId, grant_type: DEVICE_GRANT, device_code: code },
  })
  return {
    secret: "whether a device code is another app's (token endpoint)",
    first: () => post(grant.deviceCode),
    second: () => post(lookalike(grant.deviceCode)),
    times: QUICK,
    isAboutToken: true,
  }
}

const userCode: Make = async (testServer) => {
  const app = await testServer.addApp()
  const answered = await startDevice(testServer, app)
  testServer.clock.advance(3600)
  await testServer.addAccount("bob")
  const browser = await signedInBrowser(testServer, "bob")
  const cookie = ["session", "browser"]
    .map((name) => [`latchkey_${name}`, browser.cookie(`latchkey_${name}`)])
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ")
  const look = (code: string): Request => ({
    method: "GET",
    path: `/oauth/device?user_code=${code}`,
    headers: { cookie },
  })
  return {
    secret: "whether a user code was ever given out (device page)",
    first: () => look(answered.userCode),
    second: () => look(answered.userCode.replace(/^./, (letter) => (letter === "B" ? "C" : "B"))),
    times: SLOW,
    batch: 2,
  }
}

const icon: Make = async (testServer) => {
  const app = await testServer.addApp()
  const look = (clientId: string): Request => ({ method: "GET", path: `/oauth/apps/${clientId}/icon` })
  return {
    secret: "whether an app of that id exists (icon)",
    first: () => look(app.clientId),
    second: () => look(altered(app.clientId)),
    times: QUICK,
  }
}

const control: Make = async (testServer) => {
  const app = await testServer.addApp()
  await testServer.addAccount("bob")
  const held = await connect(testServer, app, "bob")
  let token = held.refresh_token
  return {
    secret: "a refresh from a refusal (distinguishable on purpose)",
    first: async () => {
      const answer = await refresh(testServer, app, token)
      token = String(answer.body["refresh_token"])
      return {
        method: "POST",
        path: "/oauth/token",
        fields: { ...own(app), grant_type: "refresh_token", refresh_token: token },
      }
    },
    second: () => ({
      method: "POST",
      path: "/oauth/token",
      fields: { ...own(app), grant_type: "refresh_token", refresh_token: "x" },
    }),
    times: 3 * SLOW,
    isControl: true,
  }
}

export const pairs: readonly Make[] = [
  signIn,
  disabledAccount,
  clientSecret,
  disabledApp,
  revocation,
  introspection,
  refreshToken,
  deviceCode,
  userCode,
  icon,
  control,
]

function signInForm(testServer: TestServer) {
  return formOf(testServer, "/sign-in")
}

/** Returns the hidden fields of a form for visitors, and the cookie and origin that belong to it. */
export async function formOf(testServer: TestServer, path: string) {
  const response = await fetch(testServer.url + path)
  const form = hiddenFields(await response.text(), path)
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")
  return { form, headers: { cookie, origin: testServer.url } }
}

/** Returns another id of the same form and time. */
function altered(id: string): string {
  return id.replace(/.$/, (last) => (last === "0" ? "1" : "0"))
}

/** Returns a token of the same kind that was never issued, with a correct checksum. */
function lookalike(token: string): string {
  const [head, secret] = [token.slice(0, -CHECKSUM - RANDOM), randomBytes(RANDOM).toString("base64url")]
  // The first part names the row. It is replaced by another id of the same time.
  const signed = head.slice(0, 4) + altered(head.slice(4, 30)) + head.slice(30) + secret.slice(0, RANDOM)
  return signed + checksumOf(signed)
}

const CHECKSUM = 6
/** Every token has more random letters than this. */
const RANDOM = 30

/** Returns a CRC-32 in base64url. */
function checksumOf(text: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(text))
  return bytes.toString("base64url")
}
