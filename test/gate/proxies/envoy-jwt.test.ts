/** Envoy's `jwt_authn` verifies JWT access tokens alone, with the published keys. */
import assert from "node:assert/strict"
import { createServer } from "node:http"
import { once } from "node:events"
import { type AddressInfo } from "node:net"
import { writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { stringify } from "yaml"
import { findProgram, startProxy } from "../../deploy/proxy.ts"
import { fixture } from "../../support/fixture.ts"
import { freePort } from "../../support/free-port.ts"
import { newDirectory } from "../../support/spawn.ts"
import { FILES, granted, MAIL, PLAIN, resourceServers } from "../../oauth/jwt/jwt-service.ts"

/** The second is where the proofs of the gate install it. */
const envoy = findProgram(
  ["envoy", join(homedir(), ".cache/latchkey-prove/envoy-1.40.0/bin/envoy")],
  "--version",
)

const cluster = (name: string, port: number) => ({
  name,
  load_assignment: {
    cluster_name: name,
    endpoints: [
      {
        lb_endpoints: [
          { endpoint: { address: { socket_address: { address: "127.0.0.1", port_value: port } } } },
        ],
      },
    ],
  },
})

const typed = (type: string, more: object) => ({
  "@type": `type.googleapis.com/envoy.extensions.filters.${type}`,
  ...more,
})

function configuration(port: number, service: URL, issuer: string, app: number): string {
  const jwt = typed("http.jwt_authn.v3.JwtAuthentication", {
    providers: {
      latchkey: {
        issuer,
        audiences: [FILES],
        forward: true,
        remote_jwks: {
          http_uri: { uri: new URL("/oauth/jwks", service).href, cluster: "service", timeout: "5s" },
        },
      },
    },
    rules: [{ match: { prefix: "/" }, requires: { provider_name: "latchkey" } }],
  })
  const manager = typed("network.http_connection_manager.v3.HttpConnectionManager", {
    stat_prefix: "api",
    http_filters: [
      { name: "jwt", typed_config: jwt },
      { name: "router", typed_config: typed("http.router.v3.Router", {}) },
    ],
    route_config: {
      virtual_hosts: [
        { name: "api", domains: ["*"], routes: [{ match: { prefix: "/" }, route: { cluster: "app" } }] },
      ],
    },
  })
  const address = { socket_address: { address: "127.0.0.1", port_value: port } }
  return stringify({
    static_resources: {
      listeners: [{ address, filter_chains: [{ filters: [{ name: "http", typed_config: manager }] }] }],
      clusters: [cluster("service", Number(service.port)), cluster("app", app)],
    },
  })
}

const skip = envoy === null && "Envoy is not installed"

test(
  "JWT-2, JWT-3, SIGN-2: Envoy passes a JWT for its API and refuses every other token",
  { skip },
  async (t) => {
    const { testServer, ada, app } = await fixture({
      resourceServers,
      accounts: ["ada"],
      browsers: ["ada"],
      apps: { app: {} },
      span: t,
    })
    const api = createServer((_, response) => response.end("reached")).listen(0, "127.0.0.1")
    await once(api, "listening")
    t.after(() => api.close())
    const [port, file] = [await freePort(), join(newDirectory(t), "envoy.yaml")]
    const { port: apiPort } = api.address() as AddressInfo
    writeFileSync(file, configuration(port, new URL(testServer.url), testServer.issuer, apiPort))
    const args = [
      "-c",
      file,
      "--concurrency",
      "1",
      "--log-level",
      "error",
      "--base-id",
      String(await freePort()),
    ]
    await startProxy(t, port, envoy ?? "", args)

    const ask = async (token: unknown) => {
      const headers = { authorization: `Bearer ${String(token)}`, connection: "close" }
      const answer = await fetch(`http://127.0.0.1:${port}/`, { headers })
      return `${answer.status} ${(await answer.text()).slice(0, 7)}`
    }
    const { access_token: own } = await granted(testServer, ada, app, [FILES])
    assert.equal(await ask(own), "200 reached")
    const [header, payload] = String(own).split(".")
    const others = [
      (await granted(testServer, ada, app, [MAIL]))["access_token"],
      (await granted(testServer, ada, app, [PLAIN]))["access_token"],
      `${header}.${payload}.${"A".repeat(512)}`,
      `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${payload}.`,
    ]
    for (const token of others) assert.match(await ask(token), /^40[13] /, String(token))
  },
)
