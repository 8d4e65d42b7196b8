/**
 * The table of operations, the routes and the OpenAPI document must agree. Every response must match its description.
 */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { endpointFor } from "../../../src/platform/http/gate.ts"
import { operations } from "../../../src/admin/operations.ts"
import { loadAllRoutes } from "../../support/routes.ts"
import { TestServer } from "../../support/test-server.ts"
import { requestFor, requests } from "./api-requests.ts"
import { ask, assertError, openWorld } from "./api-world.ts"

type Schema = Readonly<Record<string, unknown>>
type Described = {
  readonly operationId: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly "x-elevation"?: string
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>
  readonly requestBody?: { readonly content: Content }
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
}
type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
type Document = {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>
}

const world = await openWorld()
const published = await ask(world.testServer, null, { method: "GET", path: "/api/openapi.json" })
assert.equal(published.status, 200)
const document = published.body as unknown as Document
const ajv = new Ajv2020({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  validateFormats: false,
})
ajv.addVocabulary(["openapi", "info", "servers", "tags", "paths", "components", "Schemas"])
ajv.addSchema(document, "api")

const escaped = (part: string) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))

function schemaAt(...parts: readonly string[]): ValidateFunction {
  return ajv.compile({ $ref: `api#/${parts.map(escaped).join("/")}` })
}

function assertValid(validate: ValidateFunction, value: unknown, message: string): void {
  const isValid = validate(value)
  assert.ok(isValid, `${message}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`)
}

const methodOf = ({ method }: { readonly method: string }) => method.toLowerCase()

test("API-8: the description has every operation, and the operations every route under /api, and the other way round", async () => {
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const rows = operations.map(({ method, path }) => `${method} ${path}`)
  assert.deepEqual(described.toSorted(), rows.toSorted())
  assert.equal(new Set(rows).size, rows.length)
  const routed = (await loadAllRoutes())
    .filter(({ family, path }) => family === "api" || path.startsWith("/api"))
    .flatMap((route) =>
      ["GET", "POST", "PUT", "PATCH", "DELETE"]
        .filter((method) => endpointFor(route, method) !== undefined)
        .map((method) => `${method} ${route.path.replaceAll(/:(\w+)/g, "{$1}")}`),
    )
  assert.deepEqual(routed.toSorted(), rows.toSorted())
})

test("API-8: the description is OpenAPI 3.1: ids once, references that lead somewhere, parameters of every path", () => {
  assert.match(document.openapi, /^3\.1\./)
  assert.deepEqual(document.servers, [{ url: world.testServer.issuer }])
  const ids = operations.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, to = ""]) => to)
  assert.ok(references.length > 100)
  for (const to of new Set(references)) {
    const [, kind = "", name = ""] = to.split("/")
    assert.ok(Object.hasOwn(document.components[kind] ?? {}, name), to)
  }
  for (const { path, method, id, needs, elevation } of operations) {
    const item = document.paths[path]?.[method.toLowerCase()]
    assert.equal(item?.operationId, id)
    const named = (item.parameters ?? []).filter((one) => one.in === "path").map(({ name }) => `{${name}}`)
    assert.deepEqual(named, path.match(/\{\w+\}/g) ?? [], path)
    assert.deepEqual(item.security, needs === null ? [] : [{ latchkey: needs }])
    assert.equal(item["x-elevation"] ?? null, elevation)
  }
})

test("API-8: every schema compiles, and every example is valid", () => {
  for (const name of Object.keys(document.components["schemas"] ?? {}))
    schemaAt("components", "schemas", name)
  for (const operation of operations) {
    const at = ["paths", operation.path, methodOf(operation)]
    const item = document.paths[operation.path]?.[methodOf(operation)]
    const body = item?.requestBody?.content["application/json"]
    if (body !== undefined)
      assertValid(
        schemaAt(...at, "requestBody", "content", "application/json", "schema"),
        body.example,
        operation.id,
      )
    const status = String(operation.status)
    const answer = item?.responses[status]?.content?.["application/json"]
    if (answer !== undefined)
      assertValid(
        schemaAt(...at, "responses", status, "content", "application/json", "schema"),
        answer.example,
        operation.id,
      )
  }
})

test("API-8: the description is public, and cacheable", async () => {
  const { testServer } = world
  const url = `${testServer.url}/api/openapi.json`
  const first = await fetch(url)
  const tag = first.headers.get("etag") ?? ""
  assert.match(tag, /^"[\w-]{43}"$/)
  assert.equal(first.headers.get("cache-control"), "no-cache")
  assert.equal(first.headers.get("access-control-allow-origin"), "*")
  await first.text()
  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const again = await fetch(url, { headers: { "if-none-match": known } })
    assert.deepEqual([again.status, await again.text(), again.headers.get("etag")], [304, "", tag])
  }
  assert.equal((await fetch(url, { headers: { "if-none-match": '"other"' } })).status, 200)
})

test("API-8: the description has the published address, path included", async () => {
  const testServer = await TestServer.open({ baseUrl: "https://auth.example/id" })
  const answer = await ask(testServer, null, { method: "GET", path: "/id/api/openapi.json" })
  const { servers, components } = answer.body as unknown as Document
  assert.deepEqual(servers, [{ url: "https://auth.example/id" }])
  const flows = JSON.stringify(components["securitySchemes"])
  assert.ok(flows.includes(`"tokenUrl":"https://auth.example/id/oauth/token"`), flows)
  await testServer.close()
})

test("API-8: every operation has a request here", () => {
  assert.deepEqual(Object.keys(requests).toSorted(), operations.map(({ id }) => id).toSorted())
})

describe("API-8: what an operation answers is what is described", () => {
  for (const operation of operations) {
    test(`${operation.method} ${operation.path}`, async () => {
      const sent = await requestFor(world, operation)
      const answer = await ask(world.testServer, world.full.access_token, sent)
      assert.equal(answer.status, operation.status, JSON.stringify(answer.body))
      if (operation.answers === null) return
      assert.equal(answer.headers.get("cache-control"), "no-store")
      const at = ["paths", operation.path, methodOf(operation), "responses", String(operation.status)]
      assertValid(schemaAt(...at, "content", "application/json", "schema"), answer.body, operation.id)
    })
  }
})

const guarded = operations.filter(({ needs }) => needs !== null)

describe("AUTH-1, API-3: no operation answers without a token, or without its permissions", () => {
  for (const operation of guarded) {
    test(`${operation.method} ${operation.path}`, async () => {
      const { testServer, bare } = world
      const sent = await requestFor(world, operation)
      const anonymous = await ask(testServer, null, sent)
      assertError(anonymous, 401, "UNAUTHENTICATED")
      assert.match(
        anonymous.headers.get("www-authenticate") ?? "",
        /^Bearer realm="latchkey", (scope="|resource_m)/,
      )
      assertError(await ask(testServer, "lka_garbage", sent), 401, "UNAUTHENTICATED")
      const needs = operation.needs ?? []
      if (needs.length === 0) return
      const lacking = await ask(testServer, bare.access_token, sent)
      assertError(lacking, 403, "PERMISSION_DENIED")
      const challenge = lacking.headers.get("www-authenticate") ?? ""
      assert.ok(
        challenge.includes(`error="insufficient_scope"`) && challenge.includes(`scope="${needs.join(" ")}"`),
      )
      // Elevation and input are checked later, so their errors must not appear.
      const wrong = { method: sent.method, path: `${sent.path.split("?")[0]}?nonsense=1` }
      assertError(await ask(testServer, bare.access_token, wrong), 403, "PERMISSION_DENIED")
    })
  }
})

test("PERM-3: administration is not in what an ordinary account reaches", async () => {
  const { testServer, ada } = world
  for (const operation of guarded.filter(({ path }) => path.startsWith("/api/admin/"))) {
    const sent = await requestFor(world, operation)
    assertError(await ask(testServer, ada.access_token, sent), 403, "PERMISSION_DENIED")
  }
})

const elevated = guarded.filter(({ elevation }) => elevation !== null)

describe("API-10, AUTH-9, ERR-14: what needs a factor proven lately is refused without one, before its input is looked at", () => {
  for (const operation of elevated) {
    test(`${operation.method} ${operation.path}`, async () => {
      const { testServer, plain } = world
      const sent = await requestFor(world, operation)
      const refused = await ask(testServer, plain.access_token, sent)
      assertError(refused, 400, "FAILED_PRECONDITION", "This needs a factor proven recently.")
      assert.match(refused.headers.get("www-authenticate") ?? "", /error="insufficient_user_authentication"/)
      const unknown = { ...sent, path: sent.path.replace(/[0-9a-hj-tv-z]{26}/, "0".repeat(26)) }
      assertError(await ask(testServer, plain.access_token, unknown), 400, "FAILED_PRECONDITION")
      const wrong = { ...sent, path: `${sent.path.split("?")[0]}?nonsense=1` }
      assertError(await ask(testServer, plain.access_token, wrong), 400, "FAILED_PRECONDITION")
    })
  }

  test("and it is these operations, and no others", () => {
    assert.deepEqual(
      elevated.map(({ method, path, elevation }) => `${method} ${path}: ${elevation}`).toSorted(),
      [
        "DELETE /api/admin/accounts/{user_id}/factors: always",
        "DELETE /api/admin/accounts/{user_id}: always",
        "DELETE /api/admin/apps/{client_id}: always",
        "DELETE /api/admin/credentials/{token_id}: for any other than itself",
        "DELETE /api/admin/documents/{client_id}/denial: always",
        "DELETE /api/admin/invitations/{id}: always",
        "GET /api/admin/invitations: always",
        "POST /api/admin/invitations: always",
        "DELETE /api/admin/settings/{key}: always",
        "DELETE /api/apps/{client_id}: always",
        "DELETE /api/credentials/{token_id}: for any other than itself",
        "DELETE /api/factors/{id}: always",
        "PATCH /api/admin/accounts/{user_id}: to change administration",
        "PATCH /api/admin/apps/{client_id}: to give an app power or to change the keys",
        "PATCH /api/apps/{client_id}: to change the keys",
        "POST /api/admin/accounts: to grant administration",
        "POST /api/admin/apps/{client_id}/secret: always",
        "POST /api/admin/apps: to give an app power",
        "POST /api/apps/{client_id}/secret: always",
        "PUT /api/admin/accounts/{user_id}/password: always",
        "PUT /api/admin/documents/{client_id}/pin: always",
        "PUT /api/admin/settings/{key}: always",
        "PATCH /api/admin/appearance: always",
        "PUT /api/admin/appearance/logo: always",
        "DELETE /api/admin/appearance/logo: always",
        "PUT /api/admin/appearance/logo-dark: always",
        "DELETE /api/admin/appearance/logo-dark: always",
        "POST /api/admin/groups: always",
        "PATCH /api/admin/groups/{name}: always",
        "DELETE /api/admin/groups/{name}: always",
        "PUT /api/admin/accounts/{user_id}/groups/{name}: always",
        "DELETE /api/admin/accounts/{user_id}/groups/{name}: always",
      ].toSorted(),
    )
  })
})

describe("API-9: an unknown id is answered like that of another account", () => {
  for (const operation of guarded.filter(({ path }) => path.includes("{"))) {
    test(`${operation.method} ${operation.path}`, async () => {
      const { testServer, full } = world
      const sent = await requestFor(world, operation)
      assert.ok(operation.refuses.includes("NOT_FOUND"))
      const answers = new Set<string>()
      for (const other of ["0".repeat(26), "nothing", "__proto__", "%00", "constructor"]) {
        const answer = await ask(testServer, full.access_token, {
          ...sent,
          path: operation.path.replace(/\{\w+\}/, other),
        })
        assertError(answer, 404, "NOT_FOUND")
        answers.add(JSON.stringify(answer.body))
      }
      assert.equal(answers.size, 1)
    })
  }
})

test("API-3: every path answers the methods that it has, and says which they are", async () => {
  const { testServer } = world
  for (const [path, rows] of Map.groupBy(operations, (one) => one.path)) {
    const url = testServer.url + path.replaceAll(/\{\w+\}/g, "0".repeat(26))
    const methods = rows.map(({ method }) => method)
    const preflight = await fetch(url, { method: "OPTIONS" })
    assert.equal(preflight.status, 204)
    const allowed = (preflight.headers.get("access-control-allow-methods") ?? "").split(", ")
    assert.deepEqual(
      allowed.filter((one) => one !== "OPTIONS" && one !== "HEAD").toSorted(),
      methods.toSorted(),
      path,
    )
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
      (one) => !methods.includes(one as "GET"),
    )) {
      const refused = await ask(testServer, null, { method, path: new URL(url).pathname })
      assertError(refused, 405, "INVALID_ARGUMENT")
      assert.deepEqual(refused.headers.get("allow")?.split(", ").toSorted(), allowed.toSorted())
    }
  }
})
