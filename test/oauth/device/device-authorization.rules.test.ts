import { test } from "node:test"
import assert from "node:assert/strict"
import {
  decideDeviceAuthorization,
  parseDeviceAuthorization,
} from "../../../src/oauth/device/device-authorization.rules.ts"
import { err, ok } from "../../../src/kernel/result.ts"
import { form, permissions, publicClient, sampleCatalog } from "../../support/core-sample.ts"

function asked(text: string, ceiling = publicClient.ceiling) {
  const parsed = parseDeviceAuthorization(form(text))
  if (!parsed.ok) return parsed.error.reason
  const decided = decideDeviceAuthorization(sampleCatalog, ok({ ...publicClient, ceiling }), parsed.value)
  if (!decided.ok) return decided.error.reason
  const { purpose } = decided.value
  return purpose.purpose === "access" ? purpose.asked.join(" ") : purpose.purpose
}

test("DAUTH-1 scope is closed under implication, and left out it is the ceiling without admin permissions", () => {
  assert.equal(asked("scope=files:read"), "files:read workers:read")
  assert.equal(asked(""), "account:read files:read workers:read")
  assert.equal(asked("scope=admin:events"), "admin:events")
})

test("DAUTH-1 one name that is unknown, malformed or outside the ceiling refuses the request", () => {
  assert.equal(asked("scope=files:read+nothing:such"), "scopeUnknown")
  assert.equal(asked("scope=files:write"), "scopeOverCeiling")
  assert.equal(asked('scope=files:read"'), "scopeMalformed")
  assert.equal(asked("", permissions("admin:events")), "scopeEmpty")
})

test("DAUTH-1, LOAD-4 resources and label together are no longer than the longest resource and the longest label", () => {
  const resource = (length: number) => `https://a.example/${"x".repeat(length - 18)}`
  const fields = (label: string, ...resources: readonly string[]) =>
    new URLSearchParams([
      ["installation_name", label],
      ...resources.map((text) => ["resource", text] as [string, string]),
    ]).toString()
  const label = "\u{1F600}".repeat(100)
  assert.equal(asked(fields(label, resource(2000))), asked(""))
  assert.equal(asked(fields(label, resource(1000), resource(1001))), "resourceMalformed")
  assert.equal(asked(fields("x", resource(1100), resource(1099))), asked(""))
  assert.equal(asked(fields("x", resource(1100), resource(1100).replace("a.", "b."))), "resourceMalformed")
})

test("DAUTH-1, MISC-1 the label is trimmed; an empty one counts as omitted, and an invisible or long one is refused", () => {
  const label = (text: string) => {
    const parsed = parseDeviceAuthorization(form(text))
    return parsed.ok ? parsed.value.installationName : parsed.error.reason
  }
  assert.equal(label("installation_name=+Build+box+"), "Build box")
  assert.equal(label(""), null)
  for (const empty of ["installation_name=", "installation_name=+", "installation_name=++%20"])
    assert.equal(label(empty), null, empty)
  assert.equal(label("installation_name=a%0Ab"), "parameterMalformed")
  assert.equal(label(`installation_name=${"x".repeat(101)}`), "parameterMalformed")
})

test("DAUTH-1 the grant stores the app, the permissions and the label of the request", () => {
  const request = { scope: ["files:read"], installationName: "Build box", resources: [] }
  assert.deepEqual(decideDeviceAuthorization(sampleCatalog, ok(publicClient), request), {
    ok: true,
    value: {
      clientId: publicClient.clientId,
      purpose: {
        purpose: "access",
        asked: ["files:read", "workers:read"],
        installationName: "Build box",
        resources: [],
      },
    },
  })
})

test("AUTH-3 a client that is not authenticated learns nothing about its scope", () => {
  const reasons = [
    "clientUnknown",
    "clientDisabled",
    "clientHasNoSecret",
    "clientSecretMissing",
    "clientSecretWrong",
  ] as const
  for (const reason of reasons)
    for (const names of [null, ["files:read"], ["nowhere"], ["files:write"]]) {
      const refused = decideDeviceAuthorization(sampleCatalog, err({ reason }), {
        scope: names,
        installationName: null,
        resources: [],
      })
      assert.deepEqual(refused, { ok: false, error: { reason } })
    }
})
