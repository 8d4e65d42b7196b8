/** Applies files beside a running service, at once, and with a process that is killed. */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { describe, it, type TestContext } from "node:test"
import { applySetUp } from "../../../src/admin/apply/apply.ts"
import { readSetUp } from "../../../src/admin/apply/set-up-file.ts"
import { systemClock } from "../../../src/kernel/clock.ts"
import { readConfig } from "../../../src/platform/config/config.ts"
import { databaseIn, dropDatabase } from "../../support/database.ts"
import {
  done,
  environmentWith,
  LATCHKEY,
  latchkey,
  newDirectory,
  SpawnedServer,
} from "../../support/spawn.ts"
import { until } from "../../support/until.ts"

const APPS = 100
const SECRET = "a secret that is given, and 32 characters".replaceAll(" ", "-")
type Applied = { readonly changes: readonly { readonly change: string; readonly key: string }[] }

function directory(t: TestContext): string {
  const dir = newDirectory(t)
  t.after(() => dropDatabase(dir))
  return dir
}

/** Writes a file with a hundred confidential apps, and a service account of half of them. */
function hundredApps(dir: string, name = "app", title = "App"): string {
  writeFileSync(join(dir, "app.secret"), SECRET)
  const apps = Array.from({ length: APPS }, (_, n) =>
    [
      `  ${name}-${n}: {client_id: ${name}-${n}, name: ${title} ${n}, type: confidential,`,
      `    redirects: ["https://${name}-${n}.example/done"], permissions: [account:read],`,
      `    ${n % 2 === 0 ? `service_account: ${name}, ` : ""}client_secret_file: app.secret}`,
    ].join("\n"),
  )
  const file = join(dir, `${name}.yaml`)
  writeFileSync(file, `service_accounts: {${name}: }\napps:\n${apps.join("\n")}\n`)
  return file
}

/** Returns an access token of the service account `planner`, which may read all that a plan needs. */
async function planningToken(dir: string, url: string): Promise<string> {
  const file = join(dir, "planner.yaml")
  writeFileSync(join(dir, "app.secret"), SECRET)
  writeFileSync(
    file,
    `set: planner
apps: {planner: {client_id: planner, name: Planner, type: confidential, client_secret_file: app.secret,
  permissions: [admin:apps, admin:accounts, admin:settings], service_account: planner}}
`,
  )
  await done(dir, ["apply", file])
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    scope: "admin:apps admin:accounts admin:settings",
  })
  const authorization = `Basic ${Buffer.from(`planner:${SECRET}`).toString("base64")}`
  const answer = await fetch(`${url}/oauth/token`, { method: "POST", body, headers: { authorization } })
  const { access_token: token } = (await answer.json()) as { readonly access_token: string }
  return token
}

describe("apply", () => {
  it("APPLY-2, APPLY-3 a hundred apps are planned and applied in under two seconds each, and then nothing is to do", async (t) => {
    const dir = directory(t)
    await done(dir, ["setting", "set", "token.access_seconds", "600"])
    const file = hundredApps(dir)
    const config = await readConfig({ data: dir, config: null, databaseUrl: null })
    assert.ok(config.ok)
    const opened = config.value
    // A machine that is busy delays a process, so this counts the time that the processor worked for it.
    const measured = async (isDryRun: boolean) => {
      const store = await (await databaseIn(dir)).open()
      const before = process.cpuUsage()
      const { setUp } = await readSetUp(readFileSync(file, "utf8"), file, true)
      const services = { ...opened, store, clock: systemClock }
      const answer = await applySetUp(services, setUp, { isPruning: false, isDryRun })
      const { user, system } = process.cpuUsage(before)
      await store.close()
      assert.ok(answer.ok)
      return { changes: answer.value.planned.length, seconds: (user + system) / 1e6 }
    }
    const [planned, applied, again] = [await measured(true), await measured(false), await measured(false)]
    assert.deepEqual(
      [planned, applied, again].map(({ changes }) => changes),
      [APPS + 1, APPS + 1, 0],
    )
    t.diagnostic(`plan ${planned.seconds.toFixed(2)} s, apply ${applied.seconds.toFixed(2)} s`)
    assert.ok(planned.seconds < 2 && applied.seconds < 2, `${planned.seconds} s, ${applied.seconds} s`)
    const events = await done<readonly { kind: string }[]>(dir, ["events"])
    assert.deepEqual(events.filter(({ kind }) => kind === "app-registered").length, APPS)
    assert.deepEqual(events.filter(({ kind }) => kind === "service-account-bound").length, APPS / 2)
    assert.equal((await latchkey(["verify", "--data", dir])).code, 0)
  })

  it("APPLY-2 killed at any moment, all of a file is there or nothing", async (t) => {
    const dir = directory(t)
    await done(dir, ["setting", "set", "token.access_seconds", "600"])
    const { environment } = await databaseIn(dir)
    const ends = new Set<string>()
    for (let round = 0; round < 40 && !(ends.has("0") && ends.has(String(APPS)) && round >= 12); round++) {
      const name = `round-${round}`
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, "apply-slowly.ts"), dir, hundredApps(dir, name)],
        { env: environmentWith(environment), stdio: ["ignore", "pipe", "inherit"] },
      )
      const closed = once(child, "close")
      const lines = createInterface(child.stdout)
      // PostgreSQL plans once without locks, and then again under them.
      await once(lines, "line")
      const timer = setTimeout(() => child.kill("SIGKILL"), 2 * round * 1.05 ** round)
      await closed
      clearTimeout(timer)
      const store = await (await databaseIn(dir)).open()
      const clients = await store.clients({ limit: 10_000 })
      const made = clients.filter(({ clientId }) => clientId.startsWith(`${name}-`))
      const account = await store.read({ accountByName: name })
      const bound = made.filter(({ binding }) => binding !== null)
      const rows = (await store.read({ applied: "default" })).applied ?? []
      const keys = rows.filter(({ key }) => key === name || key.startsWith(`${name}-`))
      const events = await store.events({ kinds: ["app-registered"] }, { limit: 10_000 })
      assert.deepEqual(await store.verify(), [])
      await store.close()
      const recorded = events.filter(({ clientId }) => clientId?.startsWith(`${name}-`) === true)
      assert.ok(made.length === 0 || made.length === APPS, `${made.length} apps`)
      assert.equal(account.accountByName !== null, made.length > 0)
      assert.deepEqual(
        [bound.length, keys.length, recorded.length],
        made.length === 0 ? [0, 0, 0] : [APPS / 2, APPS + 1, APPS],
      )
      ends.add(String(made.length))
    }
    assert.deepEqual(
      [...ends].toSorted(),
      ["0", String(APPS)],
      "no kill came before, or none after the commit",
    )
  })

  it("APPLY-2 two applies of one set at once make each thing once", async (t) => {
    const dir = directory(t)
    await done(dir, ["setting", "set", "token.access_seconds", "600"])
    const file = join(dir, "set-up.yaml")
    const apps = ["one", "two"].map((key) => `${key}: {name: ${key}, type: public}`)
    writeFileSync(file, `service_accounts: {ci: }\napps: {${apps.join(", ")}}\n`)
    const all = await Promise.all(
      Array.from({ length: 4 }, () => latchkey(["apply", file, "--data", dir, "--json"])),
    )
    assert.deepEqual(
      all.map(({ code, stderr }) => `${code}${stderr}`),
      ["0", "0", "0", "0"],
    )
    const counts = all.map(({ stdout }) => (JSON.parse(stdout) as Applied).changes.length)
    assert.deepEqual(counts.toSorted(), [0, 0, 0, 3])
    assert.equal((await done<readonly unknown[]>(dir, ["app", "list"])).length, 2)
  })

  it("APPLY-1, APPLY-3 a running service follows within a second", async (t) => {
    const dir = directory(t)
    const server = await SpawnedServer.start(t, dir)
    const file = join(dir, "set-up.yaml")
    const apply = async (secret: string, more = "") => {
      writeFileSync(join(dir, "app.secret"), `${secret}\n`)
      const app = `{client_id: worker, name: Worker, type: confidential, service_account: ci,
        permissions: [account:read], client_secret_file: app.secret${more}}`
      writeFileSync(file, `service_accounts: {ci: }\napps:\n  worker: ${app}\n`)
      return done<Applied>(dir, ["apply", file])
    }
    const status = async (secret: string) => {
      const body = new URLSearchParams({ grant_type: "client_credentials" })
      const authorization = `Basic ${Buffer.from(`worker:${secret}`).toString("base64")}`
      const answer = await fetch(`${server.url}/oauth/token`, {
        method: "POST",
        body,
        headers: { authorization },
      })
      return answer.status
    }
    const follows = async (secret: string, expected: number) => {
      const began = performance.now()
      await until(async () => (await status(secret)) === expected, `${expected} for the secret`)
      assert.ok(performance.now() - began < 1000)
    }
    assert.equal(await status(SECRET), 401)
    await apply(SECRET)
    await follows(SECRET, 200)
    const other = SECRET.toUpperCase()
    assert.deepEqual((await apply(other)).changes, [
      { change: "update", what: "app", key: "worker", members: ["client_secret_file"] },
    ])
    await follows(SECRET, 401)
    assert.equal(await status(other), 200)
    await apply(other, ", enabled: false")
    await follows(other, 401)
  })

  it("APPLY-6, WORK-1 the plan over the API is the plan beside the database, but for secrets", async (t) => {
    const dir = directory(t)
    await done(dir, ["account", "add", "ada", "--password-stdin"], "correct horse battery")
    await done(dir, ["account", "add", "planner", "--service", "--admin"])
    const server = await SpawnedServer.start(t, dir)
    const token = await planningToken(dir, server.url)
    writeFileSync(join(dir, "token"), `${token}\n`)
    writeFileSync(join(dir, "app.secret"), SECRET)
    writeFileSync(join(dir, "other.secret"), SECRET.toUpperCase())
    const keys = '{keys: [{kty: OKP, crv: Ed25519, x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}'
    const first = `
groups: {sales: {title: Sales}, staff: }
service_accounts: {ci: {owner: ada, groups: [sales]}, old: }
apps:
  web: {client_id: web, name: Web, type: confidential, redirects: ["https://web.example/done"], owner: Ada,
    permissions: [credentials:write, account:read], client_secret_file: app.secret, service_account: ci, step_up: true, groups: [sales]}
  keys: {name: Keys, type: confidential, jwks: ${keys}, device_flow: false, id_token_signed_response_alg: ES256,
    post_logout_redirect_uris: ["https://keys.example/"], remember_consent: true}
  work: {name: Work, type: confidential, service_account: ci, workload: {issuer: https://issuer.example, audience: a, subject: "repo:acme/app:x"}}
  old: {client_id: old, name: Old, type: public, enabled: false}
settings: {token.access_seconds: 600, step_up.window_seconds: 900, registration.open: on}
appearance: {name: Acme, color: "#123456", terms: https://acme.example/terms}
`
    const second = `
groups: {sales: {title: All of sales}, more: }
service_accounts: {ci: {owner: ada, groups: [more]}, new: }
apps:
  web: {client_id: web, name: Web 2, type: confidential, redirects: ["https://web.example/other"], owner: null,
    permissions: [account:read], client_secret_file: app.secret, service_account: new, step_up: false, groups: []}
  keys: {jwks: ${keys}, device_flow: true, id_token_signed_response_alg: RS256, post_logout_redirect_uris: []}
  work: {jwks: ${keys}, workload: {issuer: https://issuer.example, audience: a, subject: "repo:acme/app:y"}}
  more: {client_id: more, name: More, type: public, ends_with_session: true}
settings: {token.access_seconds: 700}
appearance: {name: Acme, color: null, privacy: https://acme.example/privacy}
`
    const file = join(dir, "set-up.yaml")
    const plan = async (...flags: string[]) =>
      (await done<Applied>(dir, ["apply", file, "--dry-run", ...flags])).changes
    const remote = ["--service", server.url, "--token-file", join(dir, "token")]
    writeFileSync(file, first)
    const added = await plan()
    assert.ok(added.length > 8)
    assert.deepEqual(await plan(...remote), added)
    await done(dir, ["apply", file])
    assert.deepEqual([await plan(), await plan(...remote)], [[], []])
    writeFileSync(file, second)
    const changed = await plan("--prune")
    assert.deepEqual([...new Set(changed.map(({ change }) => change))].toSorted(), [
      "add",
      "remove",
      "update",
    ])
    assert.deepEqual(await plan("--prune", ...remote), changed)
    writeFileSync(file, first.replace("app.secret", "other.secret"))
    assert.deepEqual([(await plan()).length, await plan(...remote)], [1, []])
    writeFileSync(file, first.replace("account:read", "account:raed"))
    const refused = await latchkey(["apply", file, "--dry-run", ...remote, "--data", dir])
    assert.match(
      refused.stderr,
      /set-up\.yaml:6: apps: web: permissions: There is no permission "account:raed"/,
    )
    const unknown = await latchkey([
      "apply",
      file,
      "--dry-run",
      "--service",
      server.url,
      "--token-file",
      file,
      "--data",
      dir,
    ])
    assert.match(unknown.stderr, /set-up\.yaml is not an access token\.\n$/)
    writeFileSync(join(dir, "token"), `lka_${"x".repeat(86)}\n`)
    const ended = await latchkey(["apply", file, "--dry-run", ...remote, "--data", dir])
    assert.match(ended.stderr, /The service answered 401 to GET \/api\/admin\/applied/)
    assert.doesNotMatch(ended.stderr, /lka_/)
    for (const flags of [remote, ["--dry-run", "--service", server.url], ["--dry-run", "--token-file", file]])
      assert.equal((await latchkey(["apply", file, "--data", dir, ...flags])).code, 2)
  })

  it("APPLY-6 the example of a pull request prints the plan, and the file of the example can be applied", async (t) => {
    const dir = directory(t)
    await done(dir, ["account", "add", "planner", "--service", "--admin"])
    const server = await SpawnedServer.start(t, dir)
    await planningToken(dir, server.url)
    const example = join(import.meta.dirname, "../../../examples/set-up")
    mkdirSync(join(dir, "secrets"))
    writeFileSync(join(dir, "secrets/reports"), SECRET)
    const file = join(dir, "set-up.yaml")
    copyFileSync(join(example, "set-up.yaml"), file)
    const plan = async () => {
      const child = spawn(join(example, "plan"), [file, "--prune", "--data", dir], {
        env: environmentWith({
          SERVICE: server.url,
          PLANNER_ID: "planner",
          PLANNER_SECRET: SECRET,
          LATCHKEY,
        }),
        stdio: ["ignore", "pipe", "inherit"],
      })
      const parts: Buffer[] = []
      child.stdout.on("data", (part: Buffer) => parts.push(part))
      const [code] = (await once(child, "close")) as [number]
      return `${code} ${Buffer.concat(parts).toString()}`
    }
    assert.match(await plan(), /^0 \+ group staff: title\n[^]*\n9 to add, 0 to change, 0 to remove/)
    assert.equal((await done<Applied>(dir, ["apply", file, "--prune"])).changes.length, 9)
    assert.match(await plan(), /^0 Nothing to change/)
  })

  it("APPLY-5, WORK-1 an export is a file that changes nothing, and has no secret", async (t) => {
    const dir = directory(t)
    await done(dir, ["account", "add", "ada", "--password-stdin"], "correct horse battery")
    await done(dir, ["group", "add", "staff", "--title", "Staff"])
    const keys =
      '{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}'
    writeFileSync(join(dir, "keys.json"), keys)
    writeFileSync(join(dir, "app.secret"), SECRET)
    const file = join(dir, "set-up.yaml")
    writeFileSync(
      file,
      `groups: {sales: }
service_accounts: {ci: {owner: ada, groups: [sales, staff]}}
apps:
  web: {client_id: web, name: "Web: {1}", type: confidential, redirects: ["https://web.example/done"], owner: ada,
    permissions: [credentials:write, account:read], client_secret_file: app.secret, service_account: ci, verified: true, groups: [staff]}
  keys: {name: Keys, type: confidential, jwks_file: keys.json, device_flow: false, enabled: false}
  uri: {client_id: uri, name: Uri, type: confidential, jwks_uri: https://uri.example/keys, groups: [staff]}
  work: {client_id: work, name: Work, type: confidential, service_account: ci, workload: {issuer: https://issuer.example, audience: a, subject: "repo:acme/*:x"}}
  pod: {client_id: pod, name: Pod, type: confidential, service_account: ci, jwks_file: keys.json, workload: {issuer: https://k8s.example, audience: a, subject: system:serviceaccount:ns:name}}
settings: {token.access_seconds: 600}
appearance: {name: Acme, terms: https://acme.example/terms}
`,
    )
    await done(dir, ["apply", file])
    const exported = await latchkey(["export", "--data", dir])
    assert.equal(exported.code, 0)
    assert.doesNotMatch(exported.stdout, /secret/)
    const again = join(dir, "again.yaml")
    writeFileSync(again, exported.stdout)
    assert.deepEqual((await done<Applied>(dir, ["apply", again, "--dry-run", "--prune"])).changes, [])
    // Without its account, an app with a workload stays as it is.
    await done(dir, ["account", "remove", "ci"])
    const unbound = join(dir, "unbound.yaml")
    writeFileSync(unbound, (await latchkey(["export", "--data", dir])).stdout)
    assert.deepEqual((await done<Applied>(dir, ["apply", unbound, "--dry-run"])).changes, [])
    // Elsewhere, it makes the same, once it names the secret of each confidential app.
    const other = directory(t)
    await done(other, ["account", "add", "ada", "--password-stdin"], "correct horse battery")
    const refused = await latchkey(["apply", again, "--data", other])
    assert.match(refused.stderr, /again\.yaml:\d+: apps: web: expected client_secret_file/)
    writeFileSync(
      again,
      exported.stdout.replace("client_id: web", "client_id: web\n    client_secret_file: app.secret"),
    )
    await done(other, ["apply", again])
    assert.equal((await latchkey(["export", "--data", other])).stdout, exported.stdout)
  })

  it("APPLY-2, APPLY-5, APPLY-6, OIDC-1 one file turns OpenID Connect on and makes an app for it, on every service", async (t) => {
    const dir = directory(t)
    const file = join(dir, "set-up.yaml")
    const app = "redirects: [http://127.0.0.1/callback], permissions: [openid, profile]"
    const text = `settings: {openid.enabled: on}\napps: {wiki: {name: Wiki, type: public, ${app}}}\n`
    writeFileSync(file, text)
    const apply = async (at: string, ...flags: string[]) =>
      (await done<Applied>(at, ["apply", file, ...flags])).changes.map(
        ({ change, key }) => `${change} ${key}`,
      )
    assert.deepEqual(await apply(dir), ["add wiki", "add openid.enabled"])
    assert.match((await latchkey(["apply", file, "--data", dir])).stdout, /^Nothing to change/)
    const { stdout } = await latchkey(["export", "--data", dir])
    const other = directory(t)
    const server = await SpawnedServer.start(t, other)
    await done(other, ["account", "add", "planner", "--service", "--admin"])
    writeFileSync(join(other, "token"), await planningToken(other, server.url))
    const remote = ["--dry-run", "--service", server.url, "--token-file", join(other, "token")]
    const exported = /client_id: (.*)/.exec(stdout)?.[1] ?? assert.fail(stdout)
    writeFileSync(file, stdout)
    assert.deepEqual(await apply(other, ...remote), [`add ${exported}`, "add openid.enabled"])
    assert.deepEqual(await apply(other), [`add ${exported}`, "add openid.enabled"])
    assert.deepEqual([await apply(other), await apply(other, ...remote)], [[], []])
    writeFileSync(file, text.replace(": on", ": off"))
    for (const flags of [[], remote]) {
      const refused = await latchkey(["apply", file, "--data", other, ...flags])
      assert.match(refused.stderr, /set-up\.yaml:2: apps: wiki: permissions: There is no permission "openid"/)
    }
    assert.deepEqual(await apply(dir), ["update openid.enabled"])
  })

  it("APPLY-1 the client_id of a removed app is taken while its credentials are stored", async (t) => {
    const dir = directory(t)
    const file = hundredApps(dir)
    await done(dir, ["apply", file])
    for (const id of ["app-0", "app-1"]) await done(dir, ["app", "remove", id])
    const again = (id: string) =>
      latchkey(["app", "add", "--name", "A", "--type", "public", "--client-id", id, "--data", dir])
    // Only the apps with an even number are bound, and have a credential.
    assert.match((await again("app-0")).stderr, /A removed app had the client_id app-0/)
    assert.equal((await again("app-1")).code, 0)
    const refused = await latchkey(["apply", file, "--data", dir])
    assert.match(refused.stderr, /app\.yaml:3: apps: app-0: client_id: A removed app had/)
    assert.equal(refused.code, 1)
  })
})
