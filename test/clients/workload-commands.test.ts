/** The blocks of docs/workloads.md run as they stand: the commands, the workflow and the pod. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { parse } from "yaml"
import { githubToken, podToken } from "../support/platform-issuer.ts"
import { Signer } from "../support/signer.ts"
import { done, environmentWith, newDirectory, type Span, SpawnedServer } from "../support/spawn.ts"
import { openssl } from "./curl.ts"
import { blocksOf } from "./documented.ts"

const run = promisify(execFile)
const blocks = blocksOf("workloads.md")
const block = (name: string) => {
  const found = blocks.find((one) => one.name === name)
  if (found === undefined) throw new Error(`docs/workloads.md has no block ${name}`)
  return found.text
}
const now = () => Math.floor(Date.now() / 1000)
const AUDIENCE = "https://auth.example.com"

/** Runs the commands of a block. Returns the client_id of the app, and the flags of its workload. */
async function addDocumentedApp(dir: string, name: string, more: readonly string[] = []): Promise<App> {
  const commands = block(name)
    .replaceAll(/ \\\n */g, " ")
    .trim()
    .split("\n")
  let app: App | null = null
  for (const command of commands) {
    const [program, ...words] = Array.from(command.matchAll(/"([^"]*)"|(\S+)/g), ([, a, b]) => a ?? b ?? "")
    assert.equal(program, "bin/latchkey")
    const args = words.map((word) => (word === "keys.json" ? join(dir, word) : word))
    const isApp = args[0] === "app"
    const answer = await done<App>(dir, isApp ? [...args, ...more] : args)
    if (isApp) app = answer
  }
  if (app === null) throw new Error(`${name} adds no app`)
  return app
}

type App = {
  readonly client_id: string
  readonly workload: { readonly issuer: string; readonly subject: string }
}
type Env = Readonly<Record<string, string>>

test("WORK-5 the documented workflow of GitHub gets an access token and calls an API", openssl, async (t) => {
  const dir = newDirectory(t)
  const signer = await Signer.make("RS256")
  writeFileSync(join(dir, "keys.json"), JSON.stringify({ keys: [signer.publicJwk] }))
  // GitHub itself is not asked for its keys here.
  const app = await addDocumentedApp(dir, "github-app", ["--workload-jwks", join(dir, "keys.json")])
  const server = await SpawnedServer.start(t, dir)
  const { issuer, subject: sub } = app.workload
  const github = await listening(t, async (url, authorization) => {
    assert.equal(authorization, "Bearer for-the-job")
    assert.equal(url.searchParams.get("api-version"), "2.0")
    // The audience of the workflow is its LATCHKEY, which is the test's server here.
    assert.equal(url.searchParams.get("audience"), server.url)
    return { count: 1, value: await githubToken(signer, issuer, now(), { aud: AUDIENCE, sub }) }
  })
  const workflow = parse(block("github-workflow")) as {
    readonly permissions: unknown
    readonly jobs: {
      readonly deploy: { readonly env: Env; readonly steps: readonly [{ readonly run: string }] }
    }
  }
  assert.deepEqual(workflow.permissions, { "id-token": "write" })
  const { env, steps } = workflow.jobs.deploy
  assert.deepEqual(env["LATCHKEY"], AUDIENCE)
  const { stdout } = await run("bash", ["-eo", "pipefail", "-c", steps[0].run], {
    env: environmentWith({
      ...{ ...env, LATCHKEY: server.url, CLIENT_ID: app.client_id, API: `${server.url}/api/account` },
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "for-the-job",
      ACTIONS_ID_TOKEN_REQUEST_URL: `${github}/token?api-version=2.0`,
    }),
  })
  const [masked = "", ...answer] = stdout.split("\n")
  assert.match(masked, /^::add-mask::lka_/)
  assert.equal((JSON.parse(answer.join("\n")) as { username: string }).username, "ci")
})

test("WORK-5 the documented pod gets an access token with its projected token", openssl, async (t) => {
  const dir = newDirectory(t)
  const signer = await Signer.make("RS256")
  writeFileSync(join(dir, "keys.json"), JSON.stringify({ keys: [signer.publicJwk] }))
  const app = await addDocumentedApp(dir, "pod-app")
  const server = await SpawnedServer.start(t, dir)
  const pod = parse(block("pod")) as {
    readonly metadata: { readonly namespace: string }
    readonly spec: {
      readonly serviceAccountName: string
      readonly containers: readonly [Container]
      readonly volumes: readonly [Volume]
    }
  }
  const { metadata, spec } = pod
  const [{ env, command, args, volumeMounts }] = spec.containers
  const [{ serviceAccountToken: projected }] = spec.volumes[0].projected.sources
  const sub = `system:serviceaccount:${metadata.namespace}:${spec.serviceAccountName}`
  assert.equal(sub, app.workload.subject)
  const values = Object.fromEntries(env.map(({ name, value }) => [name, value]))
  assert.equal(values["TOKEN_FILE"], `${volumeMounts[0].mountPath}/${projected.path}`)
  const file = join(dir, "token")
  const claims = { sub, aud: [projected.audience], exp: now() + projected.expirationSeconds }
  writeFileSync(file, await podToken(signer, app.workload.issuer, now(), claims))
  const [shell = "", ...flags] = command
  const { stdout } = await run(shell, [...flags, ...args], {
    env: environmentWith({
      ...values,
      LATCHKEY: server.url,
      CLIENT_ID: app.client_id,
      TOKEN_FILE: file,
    }),
  })
  const answer = JSON.parse(stdout) as Readonly<Record<string, unknown>>
  assert.deepEqual([answer["username"], answer["scope"]], ["reports", "account:read"])
})

type Container = {
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly command: readonly string[]
  readonly args: readonly string[]
  readonly volumeMounts: readonly [{ readonly mountPath: string }]
}
type Volume = {
  readonly projected: {
    readonly sources: readonly [
      {
        readonly serviceAccountToken: {
          readonly path: string
          readonly audience: string
          readonly expirationSeconds: number
        }
      },
    ]
  }
}

/** Starts a server that answers with JSON. Returns its URL. */
async function listening(
  t: Span,
  answer: (url: URL, authorization: string | undefined) => Promise<object>,
): Promise<string> {
  const server = createServer((request, response) => {
    void answer(new URL(request.url ?? "", "http://platform"), request.headers.authorization).then(
      (body) => response.end(JSON.stringify(body)),
      (problem: unknown) => response.writeHead(400).end(String(problem)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
