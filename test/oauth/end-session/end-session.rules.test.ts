/** Every combination of session, hint, app, address and confirmation of a request to sign out. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { parseQuery } from "../../../src/kernel/form.ts"
import type { ClientId, UserId } from "../../../src/kernel/ids.ts"
import { endSessionStep, parseEndSession } from "../../../src/oauth/end-session/end-session.rules.ts"
import { publicClient } from "../../support/core-sample.ts"

const ADDRESS = "https://app.example/bye"
const client = { ...publicClient, postLogoutRedirectUris: [ADDRESS, "https://app.example/?a=b"] }
const { clientId } = client
const session = { userId: "ada" as UserId, sid: "session-1" }
const hint = { userId: session.userId, clientId, sid: session.sid }
const others = [
  { ...hint, userId: "bob" as UserId },
  { ...hint, sid: "session-2" },
  { ...hint, sid: null },
]
const facts = { session, hint, client, isConfirmed: false }
const asked = { post_logout_redirect_uri: ADDRESS, state: "a b&c" }
const TARGET = `${ADDRESS}?state=a%20b%26c`

test("OIDC-14 only a hint of the session itself signs out without a question", () => {
  assert.deepEqual(endSessionStep(asked, facts), { step: "end", address: TARGET })
  for (const other of [...others, undefined, null]) {
    const known = other === null ? null : client
    assert.deepEqual(endSessionStep(asked, { ...facts, hint: other }), {
      step: "ask",
      client: known,
      address: known && TARGET,
    })
    assert.deepEqual(endSessionStep(asked, { ...facts, hint: other, isConfirmed: true }), {
      step: "end",
      address: known && TARGET,
    })
  }
})

test("OIDC-15 without a session, a hint leads on, and client_id alone does not", () => {
  for (const one of [hint, ...others])
    assert.deepEqual(endSessionStep(asked, { ...facts, session: null, hint: one }), {
      step: "end",
      address: TARGET,
    })
  for (const one of [undefined, null])
    assert.deepEqual(endSessionStep(asked, { ...facts, session: null, hint: one }), {
      step: "end",
      address: null,
    })
})

test("OIDC-15 only a registered address of an enabled app is followed, and only as it is registered", () => {
  const addressFor = (uri: string | undefined, of: typeof client | null = client, state?: string) => {
    const step = endSessionStep({ post_logout_redirect_uri: uri, state }, { ...facts, client: of })
    return step.step === "end" ? step.address : assert.fail(step.step)
  }
  assert.equal(addressFor(ADDRESS), ADDRESS)
  assert.equal(addressFor("https://app.example/?a=b", client, "1"), "https://app.example/?a=b&state=1")
  for (const uri of [
    undefined,
    "",
    `${ADDRESS}/`,
    `${ADDRESS}?x=1`,
    "https://app.example:443/bye",
    "https://app.example/BYE",
    "https://evil.example/",
    "https://app.example/bye@evil.example/",
  ])
    assert.equal(addressFor(uri), null, uri)
  assert.equal(addressFor(ADDRESS, { ...client, enabled: false }), null)
  assert.equal(addressFor(ADDRESS, { ...client, postLogoutRedirectUris: [] }), null)
  assert.equal(addressFor(ADDRESS, null), null)
})

test("OIDC-14 a client_id that is not the app of the hint is refused", () => {
  const other = "another" as ClientId
  for (const isConfirmed of [false, true])
    assert.deepEqual(endSessionStep({ ...asked, client_id: other }, { ...facts, isConfirmed }), {
      step: "refuse",
      refusal: { reason: "hintConflict" },
    })
  assert.equal(endSessionStep({ ...asked, client_id: clientId }, facts).step, "end")
})

test("OIDC-13 a parameter that is repeated or malformed is refused, and an unknown one is ignored", () => {
  const parsed = (query: string) => parseEndSession(parseQuery(query))
  assert.deepEqual(parsed("state=1&ui_locales=de&x=1&x=2&logout_hint=%zz"), {
    ok: true,
    value: {
      id_token_hint: undefined,
      client_id: undefined,
      post_logout_redirect_uri: undefined,
      state: "1",
    },
  })
  for (const parameter of ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"]) {
    const refused = (reason: string) => ({ ok: false, error: { reason, parameter } })
    assert.deepEqual(parsed(`${parameter}=a&${parameter}=b`), refused("parameterRepeated"))
    assert.deepEqual(parsed(`${parameter}=%ff`), refused("parameterMalformed"))
  }
})
