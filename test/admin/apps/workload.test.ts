/** Tests the workload of an app at the API and in the console. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { everything } from "../../support/stored.ts"
import { removeAccount } from "../../../src/accounts/accounts.ts"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { KEYS_EXAMPLE } from "../../../src/admin/apps/app-record.ts"
import { OPERATOR } from "../../support/test-server.ts"
import { ask, assertError, openWorld } from "../api/api-world.ts"

const world = await openWorld()
const { testServer, browser } = world
await testServer.addServiceAccount("ci")

const workload = {
  issuer: "https://token.actions.githubusercontent.com",
  audience: "https://auth.example.com",
  subject: "repo:acme/app:ref:refs/heads/main",
}
const metadata = `${workload.issuer}/.well-known/openid-configuration`
const asked = { client_type: "confidential", client_name: "CI", service_account: "ci", workload }

const call = (method: string, path: string, body?: unknown, token = world.full.access_token) =>
  ask(testServer, token, { method, path, ...(body !== undefined && { body }) })

async function added(body: object = asked): Promise<string> {
  const answer = await call("POST", "/api/admin/apps", body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return String(answer.body["client_id"])
}

const keysOf = async (id: string) =>
  (await testServer.store.read({ client: id as ClientId })).client?.keys ?? null

test("WORK-1 the API sets a workload in place of a secret, and shows it in the record", async () => {
  const id = await added()
  assert.deepEqual(await keysOf(id), { jwks: null, jwksUri: metadata, algorithm: null, workload })
  const { body } = await call("GET", `/api/admin/apps/${id}`)
  const { token_endpoint_auth_method: method, workload: shown, jwks_uri, client_secret } = body
  assert.deepEqual(
    [method, shown, jwks_uri, client_secret],
    ["private_key_jwt", workload, undefined, undefined],
  )
  const subject = "repo:acme/app:environment:production"
  const changed = await call("PATCH", `/api/admin/apps/${id}`, {
    workload: { ...workload, subject },
    jwks: KEYS_EXAMPLE,
  })
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  assert.deepEqual(changed.body["workload"], { ...workload, subject })
  assert.deepEqual((await keysOf(id))?.jwksUri, null)
  const events = (await everything(testServer))["event"] ?? []
  assert.equal(events.findLast(({ kind }) => kind === "app-changed")?.["detail"], "keys, workload")
})

test("WORK-1 one method an app: keys replace a workload, and a workload replaces keys and a secret", async () => {
  const id = await added({ client_type: "confidential", client_name: "Server", service_account: "ci" })
  const patch = (body: object, query = "") => call("PATCH", `/api/admin/apps/${id}${query}`, body)
  const preview = await patch({ workload }, "?preview=1")
  assert.deepEqual(preview.body["workload"], workload)
  assert.equal(await keysOf(id), null)
  assert.deepEqual((await patch({ workload })).body["workload"], workload)
  assert.equal((await patch({ jwks: KEYS_EXAMPLE })).body["workload"], undefined)
  assert.equal((await keysOf(id))?.workload, null)
  assert.deepEqual((await patch({ workload })).body["jwks"], undefined)
  assert.equal((await call("POST", `/api/admin/apps/${id}/secret`)).status, 409)
})

test("WORK-1, WORK-2 a workload that cannot work is refused when it is set, and changes nothing", async () => {
  const id = await added({ client_type: "confidential", client_name: "Server" })
  const bad = [
    [{ workload }, /service_account: An app with a workload acts as a service account/],
    [{ workload: { ...workload, subject: "repo:*" }, service_account: "ci" }, /first two parts/],
    [{ workload: { ...workload, issuer: "http://a" }, service_account: "ci" }, /issuer of a workload/],
    [{ workload: { issuer: workload.issuer }, service_account: "ci" }, /workload\.audience/],
    [{ workload, jwks_uri: "https://app.example/keys", service_account: "ci" }, /not both/],
  ] as const
  for (const [body, message] of bad)
    for (const path of [`/api/admin/apps/${id}`, `/api/admin/apps/${id}?preview=1`]) {
      const answer = await call("PATCH", path, body)
      assertError(answer, 400, "INVALID_ARGUMENT")
      assert.match(JSON.stringify(answer.body), message)
    }
  assertError(
    await call("POST", "/api/admin/apps", { ...asked, service_account: null }),
    400,
    "INVALID_ARGUMENT",
  )
  assert.equal(await keysOf(id), null)
})

test("WORK-1 a binding ends with the workload, and not before", async () => {
  const id = await added()
  const path = `/api/admin/apps/${id}`
  for (const query of ["", "?preview=1"]) {
    const answer = await call("PATCH", path + query, { service_account: null })
    assertError(
      answer,
      400,
      "INVALID_ARGUMENT",
      /^body\.service_account: An app with a workload .* disable it/,
    )
  }
  const edit = await browser.get(`/console/app/edit?id=${id}`)
  const shown = await browser.submit(edit, "/console/app/edit", {
    ...{ type: "confidential", name: "CI", service_account: "" },
  })
  assert.equal(shown.status, 400)
  assert.match(shown.text, /An app with a workload acts as a service account/)
  assert.deepEqual((await call("GET", path)).body["service_account"], "ci")
  const ended = await call("PATCH", path, { service_account: null, jwks: KEYS_EXAMPLE })
  assert.deepEqual(
    [ended.status, ended.body["service_account"], ended.body["workload"]],
    [200, undefined, undefined],
  )
})

test("WORK-1 an app whose account was removed can be renamed and bound again, but gets no other workload", async () => {
  await testServer.addServiceAccount("gone")
  const id = await added({ ...asked, service_account: "gone" })
  const path = `/api/admin/apps/${id}`
  assert.ok((await removeAccount(testServer.latchkey, "gone", OPERATOR)).ok)
  assert.equal((await call("PATCH", path, { client_name: "Renamed", workload })).status, 200)
  const other = { ...workload, subject: "repo:acme/app:environment:production" }
  assertError(await call("PATCH", path, { workload: other }), 400, "INVALID_ARGUMENT")
  const again = await call("PATCH", path, { workload: other, service_account: "ci" })
  assert.deepEqual([again.status, again.body["service_account"]], [200, "ci"])
})

test("WORK-1, ELEV-1 a workload needs an elevation, and an owner cannot set one", async () => {
  const id = await added()
  const path = `/api/admin/apps/${id}`
  assertError(
    await call("PATCH", path, { workload: { ...workload, audience: "b" } }, world.plain.access_token),
    400,
    "FAILED_PRECONDITION",
  )
  const own = { client_type: "confidential", client_name: "Mine" }
  assertError(
    await call("POST", "/api/apps", { ...own, workload }, world.ada.access_token),
    400,
    "INVALID_ARGUMENT",
  )
})

test("WORK-1 an administrator sets a workload in the console, and sees it on the page of the app", async () => {
  const fields = {
    ...{ name: "Deploys", type: "confidential", service_account: "ci" },
    workload_issuer: workload.issuer,
    workload_audience: workload.audience,
    workload_subject: "repo:acme/app:*",
  }
  const submit = async (path: string, more: object, query = "") =>
    browser.submit(await browser.get(path + query), path, { ...fields, ...more })
  const refused = await submit("/console/app/new", {})
  assert.equal(refused.status, 400)
  assert.match(
    refused.text,
    /id="workload_subject-problem">The subject(?:'|&#39;)s pattern matches only pull requests/,
  )
  assert.match(refused.text, /name="workload_subject"[^>]* value="repo:acme\/app:\*"/)
  const answer = await submit("/console/app/new", { workload_subject: workload.subject })
  assert.equal(answer.status, 303, answer.text)
  const id = new URL(answer.location ?? "", testServer.url).searchParams.get("id") ?? ""
  assert.deepEqual((await keysOf(id))?.workload, workload)
  const page = (await browser.get(`/console/app?id=${id}`)).text
  for (const [claim, value] of Object.entries({ iss: workload.issuer, sub: workload.subject }))
    assert.ok(page.includes(`${claim} = ${value}`), claim)
  // Empty fields keep the workload, as empty keys keep the keys.
  const empty = { workload_issuer: "", workload_audience: "", workload_subject: "" }
  const renamed = await submit("/console/app/edit", { ...empty, name: "Other" }, `?id=${id}`)
  assert.equal(renamed.status, 303, renamed.text)
  assert.deepEqual((await keysOf(id))?.workload, workload)
  const { workload_subject: _, ...part } = { ...fields }
  const incomplete = await submit("/console/app/edit", { ...part, workload_subject: "" }, `?id=${id}`)
  assert.match(incomplete.text, /needs its issuer, audience and subject together/)
})
