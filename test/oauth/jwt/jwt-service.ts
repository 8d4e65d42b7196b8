/** A service with one API for each kind of access token, and the steps by which an app gets a JWT. */
import { createRemoteJWKSet, jwtVerify } from "jose"
import type { ResourceServer } from "../../../src/model/known-resources.rules.ts"
import type { SignatureAlgorithm } from "../../../src/model/signing-key.rules.ts"
import { decideRotation } from "../../../src/oauth/keys/key-turn.rules.ts"
import { makeKey } from "../../../src/oauth/keys/make-key.ts"
import { start, stop } from "../../../src/main.ts"
import type { Browser } from "../../support/browser.ts"
import { authorizePath, exchange, type Listening, newVerifier } from "../../support/connect.ts"
import type { Span } from "../../support/spawn.ts"
import type { TestApp, TestServer } from "../../support/test-server.ts"

/** An API with RS256, one with ES256, and one with opaque tokens. */
export const FILES = "https://files.example/"
export const MAIL = "https://mail.example/api"
export const PLAIN = "https://plain.example/"

export const resourceServers = new Map([
  [FILES, { name: "Files", jwt: { algorithm: "RS256", seconds: 300 } }],
  [MAIL, { name: "Mail", jwt: { algorithm: "ES256", seconds: 60 } }],
  [PLAIN, { name: "Plain", jwt: null }],
] as const)

export type Body = Readonly<Record<string, unknown>>

/** Consents to the resources in the browser. Returns the body of the exchange. */
export async function granted(
  testServer: TestServer,
  browser: Browser,
  app: TestApp,
  resources: readonly string[],
  more: Record<string, string> = {},
): Promise<Body> {
  const { verifier, challenge } = newVerifier()
  const query = resources.map((one) => `&resource=${encodeURIComponent(one)}`).join("")
  const page = await browser.get(`${authorizePath(app, challenge, more)}${query}`)
  const answer = await browser.submit(page, "/oauth/consent", { decision: "authorize" })
  const code = new URL(answer.location ?? "").searchParams.get("code") ?? ""
  return (await exchange(testServer, app, code, verifier)).body
}

/** Verifies an access token as any API can: with the published keys alone. */
export function verified(testServer: TestServer, { access_token: token }: Body, audience: string) {
  const keys = createRemoteJWKSet(new URL(`${testServer.url}/oauth/jwks`))
  return jwtVerify(String(token), keys, {
    issuer: testServer.issuer,
    audience,
    typ: "at+jwt",
    currentDate: new Date(testServer.clock.now() * 1000),
  })
}

/** `key rotate --now`: the key that signed is withdrawn. */
export async function withdrawKey(
  { latchkey, store, clock }: TestServer,
  algorithm: SignatureAlgorithm,
  laterSeconds = 1,
) {
  const made = await makeKey(algorithm, latchkey.keys, clock.now())
  await store.change({ signingKeys: true }, ({ signingKeys }) =>
    decideRotation(signingKeys ?? [], made, true, clock.now()),
  )
  clock.advance(laterSeconds)
}

/** Starts another node on the database. It knows only what is stored, as after a restart. */
export async function laterNode(
  testServer: TestServer,
  span: Span,
  more: readonly (readonly [string, ResourceServer])[] = [],
): Promise<Listening> {
  const { catalog, keys, log, issuer } = testServer.latchkey
  const servers = new Map<string, ResourceServer>([...resourceServers, ...more])
  const options = {
    catalog,
    trustedProxies: [],
    host: "127.0.0.1",
    port: 0,
    baseUrl: issuer,
    resourceServers: servers,
  }
  const store = await testServer.database.open()
  const node = await start(options, store, { clock: testServer.clock, keys, log })
  span.after(async () => {
    await stop(node, log)
    await store.close()
  })
  return { url: `http://localhost:${node.port}` }
}
