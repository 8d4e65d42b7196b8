/**
 * What attackers published against proxies with forward authentication, tried from outside. No attack may bring a
 * request to the app that the gate would refuse, or an identity that the gate did not set.
 */
import assert from "node:assert/strict"
import type { TokenResponse } from "../../../src/oauth/credential/token-response.rules.ts"
import { IDENTITY_HEADERS } from "../../../src/gate/identity.rules.ts"
import { ROUTING_HEADERS } from "../../../src/gate/snippets/snippet.rules.ts"
import { tokenIdOf } from "../../support/grant.ts"
import { type Arrived, type GuardedApp, valuesOf } from "./guarded-app.ts"
import { type RunningProxy, SECRET } from "./proxy.ts"
import type { Sent } from "./wire.ts"

type Header = readonly [string, string]

/** Headers by which a request claims to be another one. */
const CLAIMS: readonly Header[] = [
  ...["X-Original-URI", "X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Uri", "X-Forwarded-Path"].map(
    (name): Header => [name, "/public"],
  ),
  ...["X-Original-Method", "X-Forwarded-Method", "X-HTTP-Method-Override"].map((name): Header => [
    name,
    "GET",
  ]),
  ["X-Forwarded-Prefix", "/public"],
  ["X-Auth-Request-Redirect", "/public"],
]

const underscored = (name: string) => name.replaceAll("-", "_")
const dotted = (name: string) => name.replaceAll("-", ".")
const asIs = (name: string) => name

export const attacks = {
  claimsAnotherPath: CLAIMS.flatMap((claim) =>
    [asIs, underscored, dotted, (name: string) => name.toLowerCase()].map((spelled) => ({
      path: "/files/1",
      headers: [[spelled(claim[0]), claim[1]] as const],
    })),
  ),
  claimsToBeTrusted: [
    ["User-Agent", "GoogleHC/1.0"],
    ["User-Agent", "kube-probe/1.30"],
    ["X-Forwarded-For", "127.0.0.1"],
    ["X-Real-IP", "127.0.0.1"],
    ["Forwarded", "for=127.0.0.1;host=api.example;proto=https"],
    ["X-Forwarded-Proto", "http"],
    ["Latchkey-Gate-Secret", SECRET],
    ["Cookie", "session=\u0001"],
  ].map(([name = "", value = ""]) => ({ path: "/files/1", headers: [[name, value] as const] })),
  fragments: [
    "/public#/../files/1",
    "/files/1#/public",
    "/public#",
    "/public%23/../files/1",
    "/#/public",
  ].map((path) => ({ path })),
  identityHeaders: IDENTITY_HEADERS.flatMap((name) =>
    [
      asIs,
      underscored,
      dotted,
      (text: string) => text.toUpperCase(),
      (text: string) => text.toLowerCase(),
    ].flatMap((spelled) => [
      { path: "/public", headers: [[spelled(name), "root"] as const] },
      { path: "/files/1", withToken: true, headers: [[spelled(name), "root"] as const] },
    ]),
  ),
  hopByHop: IDENTITY_HEADERS.map((name) => ({
    path: "/files/1",
    withToken: true,
    headers: [["Connection", `close, ${name}, X-Original-URI, X-Forwarded-Uri`] as const],
  })),
  // An app that takes an upgrade to HTTP/2 would get all further requests past the proxy.
  upgrades: [
    ["h2c"],
    ["H2C"],
    ["h2c, websocket"],
    ["websocket, h2c"],
    ["h2c", "websocket"],
    ["websocket", "h2c"],
  ].map((values) => ({
    path: "/public",
    headers: [
      ["Connection", "close, Upgrade, HTTP2-Settings"] as const,
      ...values.map((value) => ["Upgrade", value] as const),
      ["HTTP2-Settings", "AAMAAABkAARAAAAAAAIAAAAA"] as const,
    ],
  })),
  malformedTokens: [
    "",
    "Bearer",
    "Bearer ",
    "bearer null",
    "Basic cm9vdDpyb290",
    "Bearer lka_",
    `Bearer lka_${"A".repeat(5000)}`,
    "Bearer \u00e9\u0001",
    "Bearer a b",
    "Bearer undefined",
  ].map((value) => ({ path: "/files/1", headers: [["Authorization", value] as const] })),
  hosts: [
    "API.EXAMPLE",
    "api.example:443",
    "api.example.",
    "other.example",
    "api.example@other.example",
    "",
  ].map((host) => ({ host, path: "/files/1" })),
  hostBesideAuthority: [
    { path: "/files/1", headers: [["Host", "other.example"] as const] },
    { host: "other.example", path: "/public", headers: [["Host", "api.example"] as const] },
  ],
  malformedPaths: [
    "/files/%",
    "/files/%zz",
    "/files/%c0%af",
    "/public%00",
    "/public\\..\\files\\1",
    "/public%5c..%5cfiles%5c1",
    "*",
    "files/1",
    "?/public",
    "http://other.example/public",
    "http://api.example/files/1",
    "/public\u00e9",
  ].map((path) => ({ path })),
  matchers: [
    "/files/1/",
    "/files/1;x=1",
    "/public;/../files/1",
    "/public/;/files/1",
    "//files/1",
    "/files//1",
    "/public//files/1",
    "/public/",
    "//public",
    "/PUBLIC",
    "/public/x",
    "/public%2f",
  ].map((path) => ({ path })),
  claimsBesideAToken: ROUTING_HEADERS.flatMap((name) =>
    [asIs, underscored, dotted].flatMap((spelled) => [
      { path: "/public", headers: [[spelled(name), "DELETE"] as const] },
      { path: "/files/1", withToken: true, headers: [[spelled(name), "DELETE"] as const] },
    ]),
  ),
  dotSegments: [
    "/files/1/../../public",
    "/files/1/%2e%2e/%2e%2e/public",
    "/./public",
    "/files/../public",
    "/public/../files/1",
    "/public/..%2ffiles/1",
    "/public/%2e%2e/files/1",
    "/public/%2E./files/1",
    "/./files/1",
    "/public/..;/files/1",
    "/public/%252e%252e/files/1",
    "/.well-known/oauth-protected-resource/../../files/1",
    "/.well-known/oauth-protected-resource/%2e%2e/%2e%2e/files/1",
    "/../auth/nginx",
  ].map((path) => ({ path })),
  ownAddresses: ["/_latchkey", "/auth/nginx", "/auth/envoy/public", "/auth/caddy", "/health", "/metrics"].map(
    (path) => ({ path, headers: CLAIMS }),
  ),
  methods: ["POST", "DELETE", "HEAD", "OPTIONS", "PROPFIND", "get"].map((method) => ({
    method,
    path: "/files/1",
    headers: [
      ["X-HTTP-Method-Override", "GET"],
      ["X-Original-Method", "GET"],
      ["X-Forwarded-Method", "GET"],
    ] as const,
  })),
} as const satisfies Readonly<Record<string, readonly (Sent & { readonly withToken?: boolean })[]>>

export type AttackName = keyof typeof attacks

const ONLY_HTTP1: readonly AttackName[] = ["hopByHop", "upgrades"]

/** The attacks that HTTP/2 can express. It has no header Connection. */
export const attacksByHttp2 = (Object.keys(attacks) as AttackName[]).filter(
  (name) => !ONLY_HTTP1.includes(name),
)

/** Tries attacks through proxies. Returns the number of requests. */
export async function tryAttack(
  guarded: GuardedApp,
  proxies: readonly RunningProxy[],
  ...names: readonly AttackName[]
): Promise<number> {
  const held = await guarded.api.grant()
  let tried = 0
  for (const proxy of proxies)
    for (const name of names)
      for (const attack of attacks[name] as readonly (Sent & { readonly withToken?: boolean })[]) {
        const { withToken = false, ...sent } = attack
        const before = guarded.arrived.length
        const received = await proxy.send(withToken ? { ...sent, token: held.access_token } : sent)
        const what = `${proxy.name}, ${name}: ${JSON.stringify(sent)} got ${received.status}`
        for (const arrived of guarded.arrived.slice(before))
          assertHarmless(arrived, withToken ? held : null, what)
        tried++
      }
  return tried
}

/** Only the public route is open without a token, and the app reads no identity but the gate's. */
function assertHarmless(arrived: Arrived, held: TokenResponse | null, what: string): void {
  const { method, url } = arrived
  if (held === null) assert.deepEqual([method, url.split("?")[0]], ["GET", "/public"], what)
  else assert.equal(url, "/files/1", what)
  for (const name of IDENTITY_HEADERS) {
    const values = valuesOf(arrived, name)
    assert.ok(values.length <= 1, `${what}: ${name} is there ${values.length} times`)
    const [value = ""] = values
    assert.ok(!value.includes("root"), `${what}: ${name} is ${value}`)
    if (name !== "Latchkey-Assertion")
      assert.equal(value === "", held === null, `${what}: ${name} is "${value}"`)
  }
  if (held !== null)
    assert.deepEqual(valuesOf(arrived, "Latchkey-Credential"), [tokenIdOf(held.access_token)], what)
  assert.deepEqual(valuesOf(arrived, "Latchkey-Gate-Secret"), [], what)
  for (const name of ROUTING_HEADERS) assert.deepEqual(valuesOf(arrived, name), [], `${what}: ${name}`)
  const upgrade = valuesOf(arrived, "Upgrade")
  assert.ok(upgrade.length === 0 || upgrade.join() === "websocket", `${what}: Upgrade is ${upgrade.join()}`)
}
