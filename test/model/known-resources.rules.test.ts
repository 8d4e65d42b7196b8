import { test } from "node:test"
import assert from "node:assert/strict"
import { knownResources } from "../../src/model/known-resources.rules.ts"

const BASE = "https://id.example"
const FILES = "https://files.example"

test("RES-1 a listed resource has the spelling and the name of the file, however it is written", () => {
  const { spellingOf, nameOf } = knownResources(new Map([[FILES, "Team files"]]), BASE)
  for (const written of [FILES, `${FILES}/`, "HTTPS://FILES.example:443"]) {
    assert.equal(spellingOf(written), FILES)
    assert.equal(nameOf(written), "Team files")
  }
  for (const written of [BASE, `${BASE}/`, "https://ID.example:443/"]) {
    assert.equal(spellingOf(written), BASE)
    assert.equal(nameOf(written), null)
  }
  for (const other of [`${FILES}/x`, "http://files.example", "https://files.example.evil/", ""]) {
    assert.equal(spellingOf(other), null, other)
    assert.equal(nameOf(other), null, other)
  }
})

test("RES-1 the file may list the base URL in a spelling and with a name of its own", () => {
  const { spellingOf, nameOf } = knownResources(new Map([[`${BASE}/`, "Accounts"]]), BASE)
  assert.equal(spellingOf(BASE), `${BASE}/`)
  assert.equal(nameOf(BASE), "Accounts")
})

test("RES-1 without a list each resource keeps the spelling of its client", () => {
  const { spellingOf, nameOf } = knownResources(null, BASE)
  for (const resource of [FILES, `${FILES}/`, `${BASE}/`]) assert.equal(spellingOf(resource), resource)
  assert.equal(nameOf(FILES), null)
})
