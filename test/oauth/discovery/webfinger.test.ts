import { test } from "node:test"
import assert from "node:assert/strict"
import { fixture } from "../../support/fixture.ts"

const { testServer } = await fixture({ accounts: ["ada"], settings: { "openid.enabled": "on" } })

const ask = (resource: string) =>
  fetch(`${testServer.url}/.well-known/webfinger?resource=${encodeURIComponent(resource)}`, {
    headers: { origin: "https://app.example" },
  })

test("OIDC-11 an account and a name that has none get the same answer, for every origin", async () => {
  const bodies = await Promise.all(
    ["ada", "eve"].map(async (name) => {
      const answer = await ask(`acct:${name}@localhost`)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get("content-type"), "application/jrd+json")
      assert.equal(answer.headers.get("access-control-allow-origin"), "*")
      return (await answer.text()).replaceAll(name, "NAME")
    }),
  )
  assert.equal(bodies[0], bodies[1])
  assert.match(bodies[0] ?? "", new RegExp(testServer.issuer))
  const errors = await Promise.all(
    ["acct:ada@evil.example", "ada"].map(async (resource) => {
      const answer = await ask(resource)
      return [answer.status, ((await answer.json()) as { error: string }).error]
    }),
  )
  assert.deepEqual(errors, [
    [404, "not_found"],
    [400, "invalid_request"],
  ])
})

test("OIDC-11 there is no answer while OpenID Connect is off", async () => {
  await testServer.set("openid.enabled", "off")
  assert.equal((await ask("acct:ada@localhost")).status, 404)
  await testServer.set("openid.enabled", "on")
})
