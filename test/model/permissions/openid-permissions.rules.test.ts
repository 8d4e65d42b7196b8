import { test } from "node:test"
import assert from "node:assert/strict"
import {
  isOpenidPermission,
  openidCatalog,
  openidPermissions,
  plainCatalog,
  unknownPermission,
} from "../../../src/model/permissions/openid-permissions.rules.ts"
import { requestedPermissions } from "../../../src/model/permissions/scope.rules.ts"
import { catalog, permissions, sampleCatalog } from "../../support/core-sample.ts"

const withOpenid = openidCatalog(sampleCatalog) ?? assert.fail("the catalog takes them")

test("OIDC-1 the catalog has the four permissions at its end, and is the same one each time", () => {
  assert.deepEqual([...withOpenid.keys()].slice(-4), ["openid", "profile", "email", "groups"])
  assert.equal(openidCatalog(sampleCatalog), withOpenid)
  assert.equal(openidCatalog(withOpenid), withOpenid)
  assert.equal(plainCatalog(withOpenid), sampleCatalog)
  assert.equal(plainCatalog(sampleCatalog), sampleCatalog)
  assert.equal(openidCatalog(catalog({ email: { title: "Mail" } })), null)
  assert.equal(isOpenidPermission(withOpenid, "groups"), true)
  assert.equal(isOpenidPermission(catalog({ groups: { title: "Groups" } }), "groups"), false)
})

test("OIDC-1 outside the ceiling they are ignored, and named alone there they count as omitted", () => {
  const ask = (scope: readonly string[], ceiling: string) => {
    const asked = requestedPermissions(withOpenid, scope, permissions(ceiling))
    return asked.ok ? asked.value.join(" ") : asked.error.reason
  }
  assert.equal(ask(["openid", "account:read"], "account:read"), "account:read")
  assert.equal(ask(["openid", "groups"], "account:read"), "account:read")
  assert.equal(ask(["openid"], "openid account:read"), "openid")
  assert.equal(ask(["openid", "never"], "openid"), "scopeUnknown")
})

test("OIDC-1 a name that is missing while the setting is off is said to come with it, and no other name", () => {
  for (const name of Object.keys(openidPermissions))
    assert.equal(
      unknownPermission(sampleCatalog, name),
      `There is no permission "${name}". It is there while openid.enabled is on.`,
    )
  assert.equal(unknownPermission(sampleCatalog, "opened"), 'There is no permission "opened".')
  assert.match(unknownPermission(withOpenid, "openi"), /Did you mean openid\?$/)
})
