/** A provider signs with keys that it did not have at the last sign-in. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { exportJWK, generateKeyPair } from "jose"
import { ProviderVisits } from "../../support/provider-visits.ts"

const visits = await ProviderVisits.open({ accounts: ["ada"] })
await visits.link("ada", "ada")

async function newKey(kid: string) {
  const pair = await generateKeyPair("ES256", { extractable: true })
  return {
    kid,
    privateKey: pair.privateKey,
    jwk: { ...(await exportJWK(pair.publicKey)), kid, alg: "ES256" },
  }
}

test("UP-4 new keys are fetched at once, and a key that is published nowhere signs in no one", async (t) => {
  visits.restoreAfter(t)
  assert.equal((await visits.arrive({ sub: "ada" })).page.status, 303)
  const two = await newKey("two")
  const never = await newKey("never")
  visits.upstream.answer = (path, response) => {
    if (path !== "/jwks") return false
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ keys: [two.jwk] }))
    return true
  }
  for (const [key, status] of [
    [two, 303],
    [never, 502],
    [two, 303],
  ] as const) {
    visits.upstream.sign = (claims) =>
      visits.upstream.signed(claims, { alg: "ES256", kid: key.kid }, key.privateKey)
    assert.equal((await visits.arrive({ sub: "ada" })).page.status, status, key.kid)
  }
  const fetches = visits.host.asked.filter((one) => one === "GET /jwks").length
  assert.ok(fetches <= 4, `${fetches} requests for keys`)
})
