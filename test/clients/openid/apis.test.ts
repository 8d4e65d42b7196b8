/** APIs that verify JWT access tokens with libraries by others, which know nothing of this service. */
import assert from "node:assert/strict"
import { before, describe, test } from "node:test"
import { needsNginx } from "../../deploy/nginx.ts"
import { connectIn } from "../../support/connect.ts"
import { wholeFile } from "../../support/spawn.ts"
import { needsPackages, nodeApi } from "./node.ts"
import { needsPythonPackages, pythonApi } from "./python.ts"
import { type OpenidService, openService } from "./service.ts"
import { Site, type SiteProgram } from "./site.ts"

/** The API that the programs are, and another one. */
const [OWN, OTHER] = ["https://api.example.com/", "https://other.example.com/"]
const CONFIGURATION = `resource_servers:
  - { resource: "${OWN}", name: API, tokens: jwt }
  - { resource: "${OTHER}", name: Other, tokens: jwt }
`
const REDIRECT_URI = "https://app.example/callback"

const file = wholeFile()
let service: OpenidService

describe("APIs that verify JWT access tokens", { ...needsNginx }, () => {
  before(async () => {
    service = await openService(file, CONFIGURATION)
  })
  describe(nodeApi.name, needsPackages, () => verifies(nodeApi))
  describe(pythonApi.name, needsPythonPackages, () => verifies(pythonApi))
})

function verifies(program: SiteProgram): void {
  test("JWT-2, JWT-3, SIGN-2: it takes the token for it, and no other text", async () => {
    const { url } = await Site.open(service, program)
    const app = await service.register(REDIRECT_URI)
    const tokens = (resource?: string) =>
      connectIn(service.alice, service, app, {
        scope: "openid account:read",
        ...(resource !== undefined && { resource }),
      }) as unknown as Promise<{ readonly access_token: string; readonly id_token: string }>
    const call = (token: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } })

    const own = await tokens(OWN)
    const taken = await call(own.access_token)
    const { aud, client_id: clientId } = (await taken.json()) as Readonly<Record<string, unknown>>
    assert.deepEqual([taken.status, aud, clientId], [200, OWN, app.clientId])

    const [, payload = "", signature = ""] = own.access_token.split(".")
    const unsigned = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${payload}.`
    const altered = own.access_token.replace(signature, signature.split("").toReversed().join(""))
    const others = [(await tokens(OTHER)).access_token, (await tokens()).access_token]
    for (const token of [...others, own.id_token, unsigned, altered, "x"])
      assert.equal((await call(token)).status, 401, token)
  })
}
