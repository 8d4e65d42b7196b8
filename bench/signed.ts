/**
 * Measures what signatures cost: `npm run bench:signed -- [--seconds 5] [--rounds 5] [--json FILE]`.
 *
 * Each server answers refreshes of the same loop in turn: Latchkey without a signature, with an id_token and with a JWT
 * access token, and Keycloak, whose every refresh has an access token and an id_token that are signed. Latchkey has its
 * embedded database, Keycloak the one of `start-dev`. Keycloak is reached by https, over connections that are kept.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Keycloak, keycloakArchive } from "../proofs/providers/keycloak.ts"
import { selfSigned } from "../test/support/certificate.ts"
import type { Signed } from "./fill.ts"
import { refreshLoop, type Refreshing } from "./refresh-loop.ts"
import { amount, count, flagsOf, resultFile, workDirectory, writeJson } from "./command.ts"
import { machineOf } from "./machine.ts"
import { median, say } from "./measure.ts"
import { quick, sizesFor } from "./plan.ts"
import { canPin, familyCpuSeconds, printedBy, startNode, startService } from "./server-process.ts"
import type { Signatures } from "./results.ts"
import { stampNow } from "./stamp.ts"
import { JWT_RESOURCE, Stock } from "./stock.ts"

const CONNECTIONS = 16
const WARM_UP_SECONDS = 10
const PASSWORD = "a password of the benchmark"

const asked = flagsOf({
  json: { type: "string" },
  seconds: { type: "string", default: "5" },
  rounds: { type: "string", default: "5" },
})
const [seconds, rounds] = [amount("seconds", asked.seconds), count("rounds", asked.rounds)]
resultFile(asked.json)
const work = workDirectory("signed")

type Arm = {
  readonly name: string
  readonly refreshing: Refreshing
  readonly pid: number
  readonly stop: () => Promise<void>
}

const variants: readonly (readonly [string, Signed])[] = [
  ["Latchkey, nothing signed", "off"],
  ["Latchkey, id_token RS256", "id_token RS256"],
  ["Latchkey, id_token ES256", "id_token ES256"],
  ["Latchkey, JWT access token RS256", "jwt RS256"],
  ["Latchkey, JWT access token ES256", "jwt ES256"],
]

const arms: Arm[] = []
try {
  for (const [name, signed] of variants) arms.push(await latchkey(name, signed))
  const archive = keycloakArchive()
  if ("missing" in archive) say(`without Keycloak: ${archive.missing}`)
  else arms.push(await keycloak(archive.zip))
  const rows = await measure()
  console.table(rows)
  const { json } = asked
  const measured: Signatures = {
    ...stampNow(),
    machine: machineOf(work),
    seconds,
    rounds,
    rows,
  }
  if (json !== undefined) await writeJson(json, measured)
} finally {
  for (const { stop } of arms) await stop()
}

async function measure(): Promise<Signatures["rows"]> {
  const figures = new Map(arms.map((arm) => [arm, [] as { rate: number; microseconds: number }[]]))
  for (const { refreshing } of arms) await refreshLoop(refreshing, CONNECTIONS, WARM_UP_SECONDS)
  for (let round = 0; round < rounds; round++)
    for (const [arm, measured] of figures) {
      const before = familyCpuSeconds(arm.pid)
      const requests = await refreshLoop(arm.refreshing, CONNECTIONS, seconds)
      const microseconds = (1e6 * (familyCpuSeconds(arm.pid) - before)) / requests
      measured.push({ rate: requests / seconds, microseconds })
      say(`${arm.name}: ${Math.round(measured.at(-1)?.rate ?? 0)}/s`)
    }
  return [...figures].map(([{ name }, all]) => {
    const rates = all.map(({ rate }) => Math.round(rate))
    return {
      server: name,
      requestsPerSecond: Math.round(median(rates)),
      least: Math.min(...rates),
      most: Math.max(...rates),
      serverMicroseconds: Math.round(median(all.map(({ microseconds }) => microseconds))),
    }
  })
}

async function latchkey(name: string, signed: Signed): Promise<Arm> {
  const dir = join(work, name.replaceAll(/\W+/g, "-"))
  say(`filling ${name}`)
  await printedBy(
    startNode("any", [
      "bench/fill.ts",
      JSON.stringify({
        dir,
        databaseUrl: null,
        sizes: sizesFor({ ...quick, workloads: ["refresh"], credentials: 2000 }, "embedded"),
        signed,
      }),
    ]),
  )
  const config = `${dir}.yaml`
  const [kind, algorithm] = signed.split(" ")
  const tokens = kind === "jwt" ? { tokens: "jwt", algorithm } : {}
  writeFileSync(
    config,
    JSON.stringify({ resource_servers: [{ resource: JWT_RESOURCE, name: "API", ...tokens }] }),
  )
  const flags = ["--config", config]
  const { port, pid, stop } = await startService(dir, 0, { log: `${dir}.log`, flags })
  const stock = new Stock(dir)
  return {
    name,
    pid,
    stop,
    refreshing: {
      url: `http://localhost:${port}/oauth/token`,
      clientId: stock.identity.clientId,
      tokens: [...stock.shelf("refresh-tokens").lines].slice(0, 1000),
    },
  }
}

async function keycloak(zip: string): Promise<Arm> {
  say("starting Keycloak")
  const client = { clientId: "bench", enabled: true, publicClient: true, directAccessGrantsEnabled: true }
  const user = {
    ...{ username: "ada", enabled: true, emailVerified: true, firstName: "Ada", lastName: "Example" },
    email: "ada@example.org",
    credentials: [{ type: "password", value: PASSWORD, temporary: false }],
  }
  const realm = { realm: "bench", enabled: true, clients: [client], users: [user] }
  const server = await Keycloak.unpack(zip, work, selfSigned("localhost"), realm)
  await server.start(canPin ? 0 : null)
  const url = `${server.url}/realms/bench/protocol/openid-connect/token`
  const grant = new URLSearchParams({
    grant_type: "password",
    client_id: "bench",
    username: "ada",
    password: PASSWORD,
  })
  grant.set("scope", "openid")
  const form = { "content-type": "application/x-www-form-urlencoded" }
  const tokens: string[] = []
  while (tokens.length < 200) {
    const { text } = await server.send(url, "POST", form, grant.toString())
    tokens.push((JSON.parse(text) as { readonly refresh_token: string }).refresh_token)
  }
  return {
    name: "Keycloak, both tokens RS256",
    pid: server.pid,
    stop: async () => server.stop(),
    refreshing: { url, clientId: "bench", tokens, ca: server.certificate },
  }
}
