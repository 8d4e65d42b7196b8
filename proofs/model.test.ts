/** Plays a few histories on each engine. `npm run prove -- --only model` plays thousands. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { needsPostgres } from "../test/support/postgres.ts"
import { altered } from "./model/altered.ts"
import { model } from "./model/model.ts"
import { askedFor, closed, narrowedTo, reachOf } from "./model/permissions.ts"
import { bind, emptyBound, fits, named } from "./model/expected.ts"
import { slice } from "./slice.ts"

const SCALE = 0.0013

for (const engine of model.engines) {
  const options = engine === "postgres" ? needsPostgres : {}
  const title = `CODE-1…CODE-3, CRED-1…CRED-4, DG-1…DG-7, PERM-5…PERM-7, GROUP-1…GROUP-6, OIDC-1…OIDC-4, SIGN-2, SIGN-3 every answer of some histories is what the model says: ${engine}`
  test(title, options, async (t) => {
    const figures = await model.prove(slice(t, engine, SCALE))
    t.diagnostic(JSON.stringify(figures))
    assert.ok(Number(figures["answers compared"]) > 100, JSON.stringify(figures))
    assert.ok(Number(figures["restarts"]) > 0, JSON.stringify(figures))
  })
}

test("PERM-2, PERM-3, PERM-5, OIDC-1 the model's own permissions: closed, never administration unless named", () => {
  assert.deepEqual(closed(["files:write"]), ["workers:read", "files:read", "files:write"])
  assert.deepEqual(askedFor(null, ["admin:apps", "account:write"]), ["account:read", "account:write"])
  assert.equal(askedFor(null, ["admin:apps"]), null)
  assert.equal(askedFor("files:read nonsense", ["files:write"]), null)
  assert.deepEqual(askedFor("openid email", ["files:read", "email"]), ["email"])
  assert.deepEqual(askedFor("openid", ["files:read"]), ["workers:read", "files:read"])
  const app = { ceiling: ["files:write", "admin:apps", "notes:write"], groups: [] }
  const account = { isAdmin: false, groups: [] }
  assert.deepEqual(reachOf(["admin:apps", "files:read"], app, account), ["files:read"])
  const notes = ["notes:read", "notes:write"]
  assert.deepEqual(reachOf(notes, app, account), [])
  assert.deepEqual(reachOf(notes, app, { ...account, groups: ["ops"] }), ["notes:read"])
  assert.deepEqual(reachOf(notes, app, { ...account, groups: ["crew"] }), notes)
  assert.deepEqual(reachOf(["files:read"], { ...app, groups: ["crew", "ops"] }, account), [])
  assert.equal(narrowedTo("files:write", ["files:read"]), null)
  assert.equal(narrowedTo("openid", ["files:read"]), "all")
  assert.deepEqual(narrowedTo("openid", ["files:read", "openid"]), ["openid"])
})

test("a name of the model means one text for good, and a text has one name", () => {
  const bound = emptyBound()
  assert.ok(bind(bound, "access 1", "lka_x"))
  assert.ok(!bind(bound, "access 1", "lka_y"))
  assert.ok(!bind(bound, "access 2", "lka_x"))
  assert.ok(!fits(bound, { token: named("access 3") }, { token: "lka_x" }))
  assert.ok(!fits(bound, { status: 200 }, { status: 200, more: 1 }))
})

test("an altered token is another one of the same length", () => {
  const token = `lka_${"0".repeat(26)}${"1".repeat(43)}abcdef`
  for (const which of [0, 1, 41, 42, 43]) {
    assert.notEqual(altered(token, which), token)
    assert.equal(altered(token, which).length, token.length)
  }
})
