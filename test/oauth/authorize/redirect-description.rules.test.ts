import assert from "node:assert/strict"
import { test } from "node:test"
import { builtInPermissions } from "../../../src/model/permissions/built-in-permissions.rules.ts"
import type { Permission } from "../../../src/kernel/ids.ts"
import type { RegisteredBy } from "../../../src/model/clients/client.rules.ts"
import type { Catalog } from "../../../src/model/permissions/permission-catalog.rules.ts"
import { loadCatalog } from "../../../src/model/permissions/permission-catalog.rules.ts"
import { redirectDescription } from "../../../src/oauth/authorize/redirect-description.rules.ts"

const loaded = loadCatalog({})
assert.ok(loaded.ok)
const catalog: Catalog = loaded.value

test("ERR-12 the description for an app that registered itself says that the service does not allow the permission", () => {
  assert.ok(Object.hasOwn(builtInPermissions, "apps:read"))
  const ceiling = ["account:read" as Permission]
  const named = "The scope names a permission outside the registration: apps:read."
  const open = `${named} The service does not allow it for apps that register themselves.`
  const expected: Readonly<Record<RegisteredBy, string>> = {
    administrator: named,
    user: named,
    itself: open,
    document: open,
  }
  for (const [registeredBy, text] of Object.entries(expected)) {
    const client = { ceiling, registeredBy: registeredBy as RegisteredBy }
    const refusal = { reason: "scopeOverCeiling" } as const
    assert.equal(redirectDescription(catalog, refusal, client, "account:read apps:read"), text)
  }
})
