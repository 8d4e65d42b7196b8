import { test } from "node:test"
import assert from "node:assert/strict"
import { requestedPermissions, narrow, parseScope } from "../../../src/model/permissions/scope.rules.ts"
import { catalog, permissions, sampleCatalog } from "../../support/core-sample.ts"

const ceiling = permissions("files:read account:read admin:events")

/** Returns the permissions that `scope` asks for as one text, or the reason of the refusal. */
function ask(scope: string | undefined, registered = ceiling): string {
  const named = parseScope(scope)
  if (!named.ok) return named.error.reason
  const asked = requestedPermissions(sampleCatalog, named.value, registered)
  return asked.ok ? asked.value.join(" ") : asked.error.reason
}

function refreshWith(scope: string | undefined, reach: string): string | null {
  const named = parseScope(scope)
  if (!named.ok) return named.error.reason
  const narrowed = narrow(sampleCatalog, named.value, permissions(reach))
  if (!narrowed.ok) return narrowed.error.reason
  return narrowed.value === null ? null : narrowed.value.join(" ")
}

test("PERM-1 names stand between single spaces", () => {
  assert.deepEqual(parseScope("b a b"), { ok: true, value: ["b", "a"] })
  for (const bad of [" ", " a", "a ", "a  b", "a\tb", "a\nb", 'a"b', "a\\b", "é", "a\u00a0b", "a\u0000"]) {
    assert.deepEqual(parseScope(bad), { ok: false, error: { reason: "scopeMalformed" } }, JSON.stringify(bad))
  }
})

test("PERM-1 duplicates are one, and order does not matter", () => {
  assert.equal(ask("files:read account:read files:read"), "account:read files:read workers:read")
  assert.equal(ask("account:read files:read"), "account:read files:read workers:read")
})

test("AUTHZ-7, PERM-2 an omitted scope asks for the ceiling without its admin permissions", () => {
  for (const omitted of [undefined, ""]) assert.equal(ask(omitted), "account:read files:read workers:read")
})

test("PERM-2 an admin permission is asked for by its name alone", () => {
  assert.equal(ask("admin:events"), "admin:events")
  assert.equal(ask("account:read"), "account:read")
})

test("PERM-2 what an admin permission implies is not there by omission either", () => {
  assert.equal(ask(undefined, permissions("admin:hub account:read")), "account:read")
})

test("PERM-3 a permission that the ceiling only implies may be named", () => {
  assert.equal(ask("workers:read"), "workers:read")
})

test("CLIENT-7 a permission over the ceiling refuses the whole request", () => {
  assert.equal(ask("account:read files:write"), "scopeOverCeiling")
  assert.equal(ask("admin:events admin:apps"), "scopeOverCeiling")
})

test("CLIENT-7 an unknown name refuses the whole request", () => {
  assert.equal(ask("account:read nowhere"), "scopeUnknown")
  assert.equal(ask("ACCOUNT:READ"), "scopeUnknown")
  assert.equal(ask("__proto__ account:read"), "scopeUnknown")
})

test("AUTHZ-7 nothing left to grant is refused", () => {
  assert.equal(ask(undefined, []), "scopeEmpty")
  assert.equal(ask("", permissions("admin:events")), "scopeEmpty")
  assert.equal(ask("openid", permissions("admin:events")), "scopeEmpty")
})

test("AUTHZ-7 names that clients send by habit are ignored, and alone they count as omitted", () => {
  const habit = "openid profile email address phone offline_access"
  assert.equal(ask(habit), ask(undefined))
  assert.equal(ask(`${habit} account:read`), "account:read")
})

test("AUTHZ-7 a habitual name that the catalog defines is a permission like any other", () => {
  const defined = catalog({ email: { title: "Your address" } })
  const email = permissions("email")
  assert.deepEqual(requestedPermissions(defined, ["email"], email), { ok: true, value: email })
  assert.deepEqual(requestedPermissions(defined, ["email"], permissions("account:read")), {
    ok: false,
    error: { reason: "scopeOverCeiling" },
  })
})

test("AUTH-8, TOKEN-3 a refresh without scope does not narrow", () => {
  for (const scope of [undefined, "", "openid offline_access"]) {
    assert.equal(refreshWith(scope, "account:read files:read workers:read"), null)
  }
})

test("AUTH-8 a refresh narrows to the closure of what it names", () => {
  assert.equal(refreshWith("files:read", "account:read files:read workers:read"), "files:read workers:read")
  assert.equal(refreshWith("workers:read", "account:read files:read workers:read"), "workers:read")
})

test("AUTH-8, ERR-3 a refresh cannot ask for more than is reached now", () => {
  assert.equal(refreshWith("account:read files:read", "account:read"), "scopeOverReach")
  assert.equal(refreshWith("nowhere", "account:read"), "scopeUnknown")
  assert.equal(refreshWith("account:read ", "account:read"), "scopeMalformed")
  assert.equal(refreshWith("account:read", ""), "scopeOverReach")
})

test("AUTH-8 what a name came to imply after the consent is cut off at the reach", () => {
  assert.equal(refreshWith("files:read", "files:read"), "files:read")
})
