/** `gate check` and `gate explain` with a real service. */
import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Explanation } from "../../../src/gate/commands/explain.rules.ts"
import type { HostReport } from "../../../src/gate/commands/check.rules.ts"
import { RESOURCE } from "../../kit/api-server.ts"
import { OneProcess } from "../../support/one-process.ts"
import { wholeFile } from "../../support/spawn.ts"
import { until } from "../../support/until.ts"
import { GateUnderTest, HOST } from "../gate-under-test.ts"

const DOCUMENT = `openapi: 3.1.0
components: { securitySchemes: { oauth: { type: oauth2 }, key: { type: apiKey } } }
paths:
  /pages/{id}:
    get: { security: [{ oauth: [files:read, files:write] }] }
    put: { security: [{ key: [] }] }
  /pages/{id}.json:
    post: { security: [] }
`
const WITH_DOCUMENT = { more: "    openapi: api.yaml\n" }

const oneProcess = OneProcess.start(wholeFile())

describe("the commands of the gate", () => {
  let gate: GateUnderTest
  before(async () => {
    gate = await GateUnderTest.open()
    writeFileSync(join(gate.directory, "api.yaml"), DOCUMENT)
    await gate.restart(WITH_DOCUMENT)
  })
  after(() => gate.close())

  const file = () => join(gate.directory, "gate.yaml")
  const run = (args: readonly string[], input?: string) =>
    oneProcess.run(["gate", ...args, "--config", file()], input === undefined ? {} : { input })
  const explained = async (method: string, url: string, token?: string) => {
    const more = token === undefined ? [] : ["--token-stdin"]
    const ended = await run(["explain", method, url, ...more, "--json"], token)
    const shown = ended.stdout + ended.stderr
    if (token !== undefined) assert.equal(shown.includes(token), false, shown)
    return { ...(JSON.parse(ended.stdout) as Explanation), code: ended.code }
  }
  const checked = async () => {
    const ended = await run(["check", "--json"])
    const { hosts, ...json } = JSON.parse(ended.stdout) as { hosts: HostReport[]; catalog: object }
    return { ...ended, ...json, hosts }
  }
  /** Without open registration and documents, the service lists every permission but those of administrators. */
  const listEverything = async (isEverything: boolean) => {
    await gate.api.testServer.set("clients.documents", isEverything ? "off" : "on")
    await gate.api.testServer.set("registration.open", "off")
  }

  test("GATE-16 gate check prints what is covered, and what is not with its line and reason", async () => {
    const { code, hosts, catalog } = await checked()
    const [host] = hosts
    assert.deepEqual([code, hosts.length, host?.host, host?.resource], [0, 1, HOST, RESOURCE])
    assert.deepEqual(catalog, { checked: true })
    assert.deepEqual(host?.covered.at(1), {
      methods: ["DELETE"],
      path: "/notes/{id}",
      public: false,
      permissions: ["files:write"],
      elevation: true,
      source: `${file()}:10`,
    })
    const document = join(gate.directory, "api.yaml")
    const imported = host?.covered.find(({ path }) => path === "/pages/{id}")
    assert.deepEqual(
      [imported?.permissions, imported?.source],
      [["files:read", "files:write"], `${document}:5`],
    )
    assert.deepEqual(
      host?.uncovered.map(({ methods, path, source }) => [methods, path, source]),
      [
        [["PUT"], "/pages/{id}", `${document}:6`],
        [["POST"], "/pages/{id}.json", `${document}:8`],
      ],
    )
    const { stdout } = await run(["check"])
    assert.match(stdout, /^DELETE +\/notes\/\{id\} +files:write \+ elevation +\S+gate\.yaml:10$/m)
    assert.match(stdout, /^GET +\/status +public +\S+$/m)
    assert.match(stdout, /^PUT +\/pages\/\{id\} +the security scheme key is apiKey +\S+api\.yaml:6$/m)
    assert.match(stdout, /Every other request is refused with 403\./)
  })

  test("GATE-16 gate check names permissions that the catalog lacks, or may lack", async () => {
    const lacking = `
      - { methods: [GET], path: "/a", permission: "nots:read" }
      - { methods: [GET], path: "/b", permission: "credentials:write" }
      - { methods: [GET], path: "/c", permission: "admin:accounts" }
`
    await gate.restart({ routes: lacking })
    await listEverything(true)
    const full = await checked()
    assert.equal(full.code, 1)
    assert.match(full.stderr, /The catalog of \S+ lacks: nots:read \(\S+gate\.yaml:9\)\./)
    assert.match(full.stderr, /Not checked, .*: admin:accounts \(\S+:11\)\./)
    assert.deepEqual(
      full.hosts[0]?.permissions.map(({ name, state }) => [name, state]),
      [
        ["nots:read", "missing"],
        ["admin:accounts", "unchecked"],
      ],
    )
    await listEverything(false)
    const partial = await checked()
    assert.equal(partial.code, 0)
    assert.match(partial.stderr, /does not list: nots:read \(\S+\), credentials:write \(\S+\)\..* may exist/)
    await gate.restart(WITH_DOCUMENT)
  })

  test("GATE-16 gate check says that it compared nothing if the service does not answer", async (t) => {
    t.after(() => (gate.api.front.isDown = false))
    gate.api.front.goDown()
    const { code, stderr, catalog } = await checked()
    assert.equal(code, 0)
    assert.match(stderr, /were not compared with the catalog of .*: it cannot be reached: /)
    assert.equal((catalog as { checked: boolean }).checked, false)
  })

  test("GATE-16, GATE-17 gate check and gate explain end with 1 if a file has problems", async (t) => {
    t.after(() => writeFileSync(join(gate.directory, "api.yaml"), DOCUMENT))
    writeFileSync(join(gate.directory, "api.yaml"), DOCUMENT.replace("paths:", "path:"))
    for (const args of [["check"], ["explain", "GET", "https://api.example/"]]) {
      const { code, stdout, stderr } = await run(args)
      assert.deepEqual([code, stdout], [1, ""])
      assert.match(stderr, /api\.yaml:1: expected paths/)
    }
  })

  test("GATE-17 gate explain names the route, and what the token lacks", async () => {
    const token = (await gate.api.grant()).access_token
    const passed = await explained("GET", `https://${HOST}/notes/1?secret=1`, token)
    assert.deepEqual([passed.status, passed.code, passed.path], [200, 0, "/notes/1"])
    assert.deepEqual(passed.route, { methods: ["GET", "POST"], path: "/notes/{id}", source: `${file()}:9` })
    const lacking = await explained("GET", `https://${HOST}/admin`, token)
    assert.deepEqual([lacking.status, lacking.code], [403, 0])
    assert.deepEqual(lacking.lacks, { permissions: ["admin:accounts"], elevation: false })
    const elevation = await explained("DELETE", `https://${HOST}/notes/1`, token)
    assert.deepEqual([elevation.status, elevation.reason], [403, "elevationLacking"])
    assert.deepEqual(elevation.lacks, { permissions: [], elevation: true })
    const closed = await explained("PUT", `https://${HOST}/pages/1`, token)
    assert.deepEqual([closed.status, closed.reason], [403, "notDeclared"])
    assert.match(closed.because, /the security scheme key is apiKey/)
    const document = await explained("GET", `https://${HOST}/pages/1`, token)
    assert.equal(document.status, 200)
    assert.match(document.route?.source ?? "", /api\.yaml:5$/)
  })

  test("GATE-17 gate explain says what the gate answers to the same request", async () => {
    const held = await gate.api.grant()
    const revoked = await gate.api.grant()
    await gate.api.revoke(revoked)
    const paths = [
      "/notes/1",
      "/notes/../admin",
      "/notes/%2e%2e/admin",
      "/notes/a%2fb",
      "/blobs/a%2fb",
      "/Notes/1",
      "/notes/1/",
      "/status?x=1",
      "/else",
      "/pages/1",
      "/",
    ]
    for (const path of paths)
      for (const token of [undefined, held.access_token, revoked.access_token, "nonsense"])
        for (const method of ["GET", "PUT"]) {
          const { status } = await explained(method, `https://${HOST}${path}`, token)
          const given = (await gate.ask({ path, method }, token)).status
          assert.equal(status, given, `${method} ${path}`)
        }
  })

  test("GATE-17 gate explain prints neither query nor token, and opens no stream", async () => {
    await until(async () => (await gate.send("/health")).body === '{"live":true}', "the gate has its stream")
    const { opened } = gate.api.front
    const token = (await gate.api.grant()).access_token
    const url = `https://${HOST}:8443/notes/1?key=very-secret#also-secret`
    const { stdout, stderr, code } = await run(["explain", "GET", url, "--token-stdin"], `${token}\n`)
    assert.deepEqual([code, stderr], [0, ""])
    assert.match(stdout, /^request +GET api\.example:8443\/notes\/1$/m)
    assert.match(stdout, /^answer +200$/m)
    assert.match(stdout, /^needs +files:read$/m)
    assert.doesNotMatch(stdout, /secret/)
    assert.equal(stdout.includes(token), false)
    const wrong = await run(["explain", "GET", "https://me:secret@api.example/"])
    assert.equal(wrong.code, 2)
    assert.doesNotMatch(wrong.stdout + wrong.stderr, /secret/)
    assert.equal((await run(["explain", "G T", "https://api.example/"])).code, 2)
    const empty = await run(["explain", "GET", url, "--token-stdin"], "\n")
    assert.deepEqual([empty.code, empty.stdout], [1, ""])
    assert.equal(gate.api.front.opened, opened)
  })

  test("GATE-17 gate explain ends with 1 if the service cannot check the token", async (t) => {
    const token = (await gate.api.grant()).access_token
    t.after(() => (gate.api.front.isDown = false))
    gate.api.front.goDown()
    const down = await explained("GET", `https://${HOST}/notes/1`, token)
    assert.deepEqual([down.status, down.code, down.reason], [503, 1, "serviceUnavailable"])
    assert.match(down.because, /^the service cannot check the token: ./)
    assert.equal((await explained("GET", `https://${HOST}/status`, token)).code, 0)
  })
})
