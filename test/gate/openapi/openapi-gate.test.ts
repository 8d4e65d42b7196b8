/** The gate with a real service and the OpenAPI document of a host. */
import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readGateConfig } from "../../../src/gate/file/gate-config.ts"
import { GateUnderTest } from "../gate-under-test.ts"

const ROUTES = `
      - { methods: [PUT], path: "/notes/{id}", permission: "admin:accounts" }
`
const DOCUMENT = `openapi: 3.1.0
servers: [{ url: https://api.example/v1 }, { url: / }]
components:
  securitySchemes:
    oauth: { type: oauth2 }
    key: { type: apiKey }
security:
  - oauth: [files:read]
paths:
  /notes/{id}:
    get: {}
    put: {}
    delete:
      security: [{ oauth: [files:read, admin:accounts] }]
  /notes/count:
    get:
      security: [{ oauth: [files:read] }, { key: [] }]
  /status:
    get:
      security: []
`

describe("GATE-15 a gate with an OpenAPI document", () => {
  let gate: GateUnderTest
  before(async () => {
    gate = await GateUnderTest.open()
    write(DOCUMENT)
    await gate.restart({ routes: ROUTES, more: "    openapi: api.yaml\n" })
  })
  after(() => gate.close())

  const write = (text: string) => writeFileSync(join(gate.directory, "api.yaml"), text)
  const problemsNow = () => {
    const read = readGateConfig(join(gate.directory, "gate.yaml"))
    return read.ok ? [] : read.error
  }

  test("the token needs all scopes, and the challenge names them", async () => {
    const token = (await gate.api.grant()).access_token
    const read = await gate.ask({ path: "/v1/notes/1" }, token)
    assert.equal(read.status, 200)
    const removed = await gate.ask({ path: "/notes/1", method: "DELETE" }, token)
    assert.equal(removed.status, 403)
    assert.match(String(removed.headers["www-authenticate"]), /scope="files:read admin:accounts"/)
    assert.equal((await gate.ask({ path: "/notes/1" })).status, 401)
    assert.equal((await gate.ask({ path: "/status" }, "nonsense")).status, 200)
  })

  test("what is not covered is 403 with any token, also if a wider path is covered", async () => {
    const token = (await gate.api.grant()).access_token
    for (const path of ["/notes/count", "/v1/notes/count", "/other"])
      for (const one of [undefined, token]) assert.equal((await gate.ask({ path }, one)).status, 403, path)
  })

  test("a route of the file replaces an operation of the document", async () => {
    const token = (await gate.api.grant()).access_token
    assert.equal((await gate.ask({ path: "/notes/1", method: "PUT" }, token)).status, 403)
    assert.equal((await gate.ask({ path: "/v1/notes/1", method: "PUT" }, token)).status, 200)
  })

  test("the permissions are in the metadata of the host", async () => {
    const { body } = await gate.send("/.well-known/oauth-protected-resource/notes", { host: "api.example" })
    assert.deepEqual((JSON.parse(body) as { scopes_supported: string[] }).scopes_supported, ["files:read"])
  })

  test("a broken or absent document stops the start, with its file and line", () => {
    const file = join(gate.directory, "api.yaml")
    assert.deepEqual(problemsNow(), [])
    write(DOCUMENT.replace("key: { type: apiKey }", "other: { type: apiKey }"))
    assert.deepEqual(problemsNow(), [`${file}:17: security: "key" is not in components: securitySchemes`])
    write(DOCUMENT.replace("/notes/count", "/notes/{name}"))
    assert.deepEqual(problemsNow(), [
      `${file}:16: GET /v1/notes/{name} is the same as the operation of line 11`,
      `${file}:16: GET /notes/{name} is the same as the operation of line 11`,
    ])
    rmSync(file)
    assert.deepEqual(problemsNow(), [`${join(gate.directory, "gate.yaml")}:11: api.yaml cannot be read`])
    write(DOCUMENT)
  })
})
