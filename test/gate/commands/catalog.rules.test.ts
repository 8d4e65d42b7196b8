/** What the published metadata of the service says about a permission. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { readCatalog, stateOf } from "../../../src/gate/commands/catalog.rules.ts"

const SERVICE = "https://id.example/tenant"
const FULL = { issuer: SERVICE, scopes_supported: ["a", "b", 1] }

test("GATE-16 a permission of the list exists, and without registration any other is missing", () => {
  for (const service of [SERVICE, `${SERVICE}/`]) {
    const catalog = readCatalog(FULL, service)
    assert.equal(stateOf("a", catalog), "listed")
    assert.equal(stateOf("c", catalog), "missing")
    assert.equal(stateOf("admin:accounts", catalog), "unchecked")
  }
})

test("GATE-16 while apps can register or have documents, the list leaves out permissions", () => {
  for (const more of [
    { registration_endpoint: `${SERVICE}/oauth/register` },
    { client_id_metadata_document_supported: true },
  ]) {
    const catalog = readCatalog({ ...FULL, ...more }, SERVICE)
    assert.equal(stateOf("a", catalog), "listed")
    assert.equal(stateOf("c", catalog), "unlisted")
    assert.equal(stateOf("admin:accounts", catalog), "unchecked")
  }
  const without = readCatalog({ ...FULL, client_id_metadata_document_supported: false }, SERVICE)
  assert.equal(stateOf("c", without), "missing")
})

test("GATE-16 without a list, or with that of another service, no permission is checked", () => {
  for (const [metadata, reason] of [
    [null, /not an object/],
    ["x", /not an object/],
    [{ issuer: SERVICE }, /does not list/],
    [{ issuer: SERVICE, scopes_supported: "a b" }, /does not list/],
    [{ ...FULL, issuer: "https://id.example" }, /its issuer is "https:\/\/id\.example", not/],
    [{ scopes_supported: [] }, /its issuer is/],
  ] as const) {
    const catalog = readCatalog(metadata, SERVICE)
    assert.equal(stateOf("a", catalog), "unchecked")
    assert.match("unchecked" in catalog ? catalog.unchecked : "", reason)
  }
})
