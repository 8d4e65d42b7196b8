/** The proxy files in deploy/ must refuse /metrics to every client, however its path is written. */
import assert from "node:assert/strict"
import { readFileSync, writeFileSync } from "node:fs"
import { request } from "node:https"
import { request as plainRequest } from "node:http"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import { parse } from "yaml"
import { freePort } from "../support/free-port.ts"
import { newDirectory } from "../support/spawn.ts"
import { needsNginx, Nginx } from "./nginx.ts"
import { configured, DEPLOY, findProgram, makeCertificate, startNode, startProxy } from "./proxy.ts"

const haproxy = findProgram(["haproxy", "/usr/sbin/haproxy"], "-v")
const caddy = findProgram(["caddy"], "version")
const needs = (program: string | null, name: string) =>
  program === null ? { skip: `no ${name} is installed` } : {}

/** Spellings that some program reads as /metrics, at the root of a host or below a path. */
const METRICS = ["", "/id"].flatMap((base) =>
  [
    "/metrics",
    "/metrics?a=b",
    "/metrics/",
    "//metrics",
    "/%6detrics",
    "/%6Detric%73",
    "/%6d%65%74%72%69%63%73",
    "/METRICS",
    "/Metrics",
    "/./metrics",
    "/x/../metrics",
    "/x/%2e%2e/metrics",
    "/%2e/metrics",
    "/%2fmetrics",
    "/metrics%2f",
    "/metrics/.",
    "/metrics;x=y",
    "/metrics/x",
  ].map((path) => base + path),
)
METRICS.push("/id%2fmetrics", "/id//metrics", "/a/b/c/metrics")

/** Paths that only look similar. */
const OTHERS = [
  "/",
  "/account?next=/metrics",
  "/metricsx",
  "/x-metrics",
  "/oauth/authorize?state=metrics",
  "/id/sign-in",
]

type Sent = { readonly port: number; readonly isPlain?: boolean }

/** Sends a request whose path is written exactly like this. */
function statusOf({ port, isPlain = false }: Sent, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = (isPlain ? plainRequest : request)(
      { host: "localhost", port, path, agent: false, method: "GET" },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      },
    )
    sent.once("error", reject).end()
  })
}

async function assertClosed(proxy: Sent, got: readonly string[], others = OTHERS): Promise<void> {
  for (const path of METRICS) {
    assert.equal(await statusOf(proxy, path), 404, path)
    assert.deepEqual(got, [], path)
  }
  for (const path of others) assert.equal(await statusOf(proxy, path), 200, path)
  assert.deepEqual(got, others)
}

for (const isBelowPath of [false, true]) {
  const where = isBelowPath ? "below a path" : "at the root"
  test(`METRICS-1: nginx.conf closes /metrics under every spelling, ${where}`, needsNginx, async (t) => {
    const node = await startNode(t)
    const port = await freePort()
    const nginx = await Nginx.start(t, { nodes: [node.port, node.port], port, isBelowPath })
    const others = isBelowPath ? ["/id/sign-in", "/id/metricsx", "/id/account?next=/metrics"] : OTHERS
    await assertClosed({ port: nginx.port }, node.got, others)
  })
}

test("METRICS-1: haproxy.cfg closes /metrics under every spelling", needs(haproxy, "haproxy"), async (t) => {
  const node = await startNode(t)
  await assertClosed({ port: await startHaproxy(t, node.port) }, node.got)
})

test("METRICS-1: the Caddyfile closes /metrics under every spelling", needs(caddy, "caddy"), async (t) => {
  const node = await startNode(t)
  await assertClosed({ port: await startCaddy(t, node.port), isPlain: true }, node.got)
})

test("METRICS-1: the compose file serves metrics on a listener of their own that is not published", () => {
  const file = parse(readFileSync(join(DEPLOY, "compose.yaml"), "utf8"), { merge: true }) as {
    services: Record<string, { environment?: Record<string, string>; ports?: string[] }>
  }
  for (const name of ["node1", "node2"]) {
    assert.match(file.services[name]?.environment?.["LATCHKEY_METRICS"] ?? "", /^0\.0\.0\.0:\d+$/)
    assert.equal(file.services[name]?.ports, undefined)
  }
})

async function startHaproxy(t: TestContext, node: number): Promise<number> {
  const dir = newDirectory(t)
  const [port, plainPort] = [await freePort(), await freePort()]
  makeCertificate(t, dir)
  const pem = ["fullchain.pem", "privkey.pem"].map((name) =>
    readFileSync(join(dir, "certificate", name), "utf8"),
  )
  writeFileSync(join(dir, "certificate.pem"), pem.join("\n"))
  const text = configured("haproxy.cfg", [
    [/bind :80$/m, `bind 127.0.0.1:${plainPort}`],
    [/bind :443 ssl/, `bind 127.0.0.1:${port} ssl`],
    [/\/etc\/haproxy/, dir],
    [/node1:8787/, `127.0.0.1:${node}`],
    [/node2:8787/, `127.0.0.1:${node}`],
  ])
  writeFileSync(join(dir, "haproxy.cfg"), text)
  await startProxy(t, port, haproxy ?? "", ["-db", "-f", join(dir, "haproxy.cfg")])
  return port
}

async function startCaddy(t: TestContext, node: number): Promise<number> {
  const dir = newDirectory(t)
  const port = await freePort()
  const text = configured("Caddyfile", [
    [
      /^id\.example\.org \{$/m,
      `{\n\tadmin off\n\tauto_https off\n}\nhttp://localhost:${port} {\n\tbind 127.0.0.1`,
    ],
    [/node1:8787 node2:8787/, `127.0.0.1:${node}`],
  ])
  writeFileSync(join(dir, "Caddyfile"), text)
  const env = { ...process.env, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir }
  const args = ["run", "--adapter", "caddyfile", "--config", join(dir, "Caddyfile")]
  await startProxy(t, port, caddy ?? "", args, env)
  return port
}
