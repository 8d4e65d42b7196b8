/** Every framework must meet the same contract. */
import { after, before, describe, test } from "node:test"
import assert from "node:assert/strict"
import { request as send } from "node:http"
import type { ResourceServer } from "../../packages/resource-server/src/resource-server.ts"
import { adapters, type Served } from "./adapters.ts"
import { ApiServer, RESOURCE } from "./api-server.ts"

const METADATA_URL = "https://api.example/.well-known/oauth-protected-resource/notes"
const METADATA_PATH = "/.well-known/oauth-protected-resource/notes"
const GARBAGE = `lka_${"0".repeat(75)}`

const own = await ApiServer.open()
const held = await own.grant()
after(() => own.close())

for (const [name, serve] of Object.entries(adapters)) {
  describe(name, () => {
    let kit: ResourceServer
    let api: Served
    before(async () => {
      kit = await own.liveKit()
      api = await serve(kit)
    })
    after(() => api.close())

    const call = async (method: string, authorization?: string, path = "/notes") => {
      const headers = authorization === undefined ? {} : { authorization }
      const response = await fetch(api.url + path, { method, headers })
      const text = await response.text()
      const body = text === "" ? null : (JSON.parse(text) as unknown)
      return { status: response.status, headers: response.headers, body }
    }
    const assertRefused = async (
      answer: Awaited<ReturnType<typeof call>>,
      [code, status, message]: readonly [number, string, string],
      challenge: string | null,
    ) => {
      assert.equal(answer.status, code)
      assert.deepEqual(answer.body, { error: { code, status, message } })
      assert.equal(answer.headers.get("www-authenticate"), challenge)
      assert.equal(answer.headers.get("cache-control"), "no-store")
      assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
    }

    test("AUTH-1: lets a live token through, whose it is known to what stands behind", async () => {
      for (const scheme of ["Bearer ", "bearer ", "bEaReR    "]) {
        const answer = await call("GET", scheme + held.access_token)
        assert.equal(answer.status, 200)
        assert.deepEqual(answer.body, {
          username: "bob",
          tokenId: held.token_id,
          permissions: ["account:read", "workers:read", "files:read", "files:write"],
        })
      }
    })

    test("AUTH-1, API-3: no token, or another scheme: 401 without an error code", async () => {
      for (const authorization of [undefined, "Basic Ym9iOng=", "Bearerish abc"]) {
        await assertRefused(
          await call("GET", authorization),
          [401, "UNAUTHENTICATED", "The request carries no access token."],
          `Bearer scope="files:read", resource_metadata="${METADATA_URL}"`,
        )
      }
    })

    test("AUTH-1: a token in the address is not read", async () => {
      const answer = await call("GET", undefined, `/notes?access_token=${held.access_token}`)
      assert.equal(answer.status, 401)
      assert.doesNotMatch(answer.headers.get("www-authenticate") ?? "", /error=/)
    })

    test("AUTH-1: a malformed header: 400 invalid_request", async () => {
      const malformed = [
        "Bearer",
        `Bearer ${held.access_token} x`,
        `Bearer "${held.access_token}"`,
        "Bearer a,b",
      ]
      for (const authorization of malformed) {
        await assertRefused(
          await call("GET", authorization),
          [400, "INVALID_ARGUMENT", "The Authorization header is malformed."],
          'Bearer error="invalid_request", error_description="The Authorization header is malformed.", ' +
            `scope="files:read", resource_metadata="${METADATA_URL}"`,
        )
      }
    })

    test("AUTH-1: two Authorization headers are one too many", async () => {
      const authorization = [`Bearer ${held.access_token}`, `Bearer ${GARBAGE}`]
      const status = await new Promise((resolve, reject) => {
        const twice = authorization.flatMap((one) => ["authorization", one])
        send(`${api.url}/notes`, { headers: ["host", "api.example", ...twice] }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
          .once("error", reject)
          .end()
      })
      assert.equal(status, 400)
    })

    test("API-3: what is no live token: 401 invalid_token; garbage does not reach the service", async () => {
      const asked = own.front.introspections
      for (const token of [GARBAGE, "x", held.refresh_token, `${held.access_token.slice(0, -1)}~`]) {
        await assertRefused(
          await call("GET", `Bearer ${token}`),
          [401, "UNAUTHENTICATED", "The access token is not valid."],
          'Bearer error="invalid_token", error_description="The access token is not valid.", ' +
            `scope="files:read", resource_metadata="${METADATA_URL}"`,
        )
      }
      assert.equal(own.front.introspections, asked)
    })

    test("API-3: a permission is lacking: 403 naming every permission needed", async () => {
      await assertRefused(
        await call("POST", `Bearer ${held.access_token}`),
        [403, "PERMISSION_DENIED", "The credential lacks a permission that this needs."],
        'Bearer error="insufficient_scope", error_description="The credential lacks a permission that this needs.", ' +
          `scope="files:write account:write", resource_metadata="${METADATA_URL}"`,
      )
    })

    test("AUTH-9, ERR-14: no factor proven recently: 400 FAILED_PRECONDITION; after a step-up it passes", async () => {
      const fresh = await own.grant()
      const refused = await call("DELETE", `Bearer ${fresh.access_token}`)
      await assertRefused(
        refused,
        [400, "FAILED_PRECONDITION", "This needs a factor proven recently."],
        'Bearer error="insufficient_user_authentication", ' +
          'error_description="This needs a factor proven recently.", ' +
          `scope="files:read", resource_metadata="${METADATA_URL}"`,
      )
      assert.equal(refused.headers.get("service-elevation-required"), "1")
      await own.elevate(fresh)
      own.testServer.clock.advance(1)
      assert.equal((await call("DELETE", `Bearer ${fresh.access_token}`)).status, 200)
    })

    test("DISC-2: serves its metadata without credentials, to any origin", async () => {
      const answer = await call("GET", undefined, METADATA_PATH)
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body, {
        resource: RESOURCE,
        authorization_servers: [own.front.url],
        bearer_methods_supported: ["header"],
        scopes_supported: ["files:read", "files:write"],
      })
      assert.match(answer.headers.get("content-type") ?? "", /^application\/json/)
      const methods = [
        ["HEAD", 200],
        ["OPTIONS", 204],
        ["POST", 405],
      ] as const
      for (const [method, status] of methods) {
        const other = await call(method, undefined, METADATA_PATH)
        assert.equal(other.status, status, method)
        assert.equal(other.headers.get("access-control-allow-origin"), "*")
      }
      assert.equal((await call("GET", undefined, `${METADATA_PATH}?x=1`)).status, 200)
    })

    test("the service does not answer: 503 with Retry-After, and no request passes unchecked", async () => {
      const unheard = await own.grant()
      own.front.isDown = true
      try {
        const answer = await call("GET", `Bearer ${unheard.access_token}`)
        await assertRefused(
          answer,
          [503, "UNAVAILABLE", "The access token cannot be checked right now."],
          null,
        )
        assert.equal(answer.headers.get("retry-after"), "2")
      } finally {
        own.front.isDown = false
      }
    })
  })
}
