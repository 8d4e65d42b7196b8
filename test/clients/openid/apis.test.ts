/** APIs that verify JWT access tokens with libraries by others. */
import assert from "node:assert/strict"
import { before, describe, test } from "node:test"
import { needsNginx } from "../../deploy/nginx.ts"
import { needsFaketime } from "../../support/faketime.ts"
import { wholeFile } from "../../support/spawn.ts"
import { type ApiService, callApi, openApi, openApiService, OWN } from "./api.ts"
import { needsPackages, nodeApi } from "./node.ts"
import { needsPythonPackages, pythonApi } from "./python.ts"
import type { SiteProgram } from "./site.ts"

const file = wholeFile()
let service: ApiService

describe("APIs that verify JWT access tokens", { ...needsNginx, ...needsFaketime }, () => {
  before(async () => {
    service = await openApiService(file)
  })
  describe(nodeApi.name, needsPackages, () => verifies(nodeApi))
  describe(pythonApi.name, needsPythonPackages, () => verifies(pythonApi))
})

function verifies(program: SiteProgram): void {
  test("JWT-2, JWT-3, SIGN-2: it takes the token for it, and no other text", async () => {
    const api = await openApi(service, program)
    const { taken, refused } = await callApi(service, api)
    const { aud, client_id: clientId } = (await taken.json()) as Readonly<Record<string, unknown>>
    assert.deepEqual([taken.status, aud, clientId], [200, OWN, api.app.clientId])
    assert.deepEqual(new Set(Object.values(refused)), new Set([401]), JSON.stringify(refused))
  })
}
