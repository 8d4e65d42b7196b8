import { test } from "node:test"
import assert from "node:assert/strict"
import { knownResources } from "../../src/model/known-resources.rules.ts"

const BASE = "https://id.example"
const FILES = "https://files.example"

test("RES-1 a listed resource has the spelling and the name of the file, however it is written", () => {
  const { spellingOf, nameOf } = knownResources(new Map([[FILES, { name: "Team files", jwt: null }]]), BASE)
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
  const { spellingOf, nameOf } = knownResources(
    new Map([[`${BASE}/`, { name: "Accounts", jwt: null }]]),
    BASE,
  )
  assert.equal(spellingOf(BASE), `${BASE}/`)
  assert.equal(nameOf(BASE), "Accounts")
})

test("RES-1 without a list each resource keeps the spelling of its client", () => {
  const { spellingOf, nameOf } = knownResources(null, BASE)
  for (const resource of [FILES, `${FILES}/`, `${BASE}/`]) assert.equal(spellingOf(resource), resource)
  assert.equal(nameOf(FILES), null)
})

test("JWT-1, JWT-2 only the audience of one API with JWTs makes a token a JWT, and its spelling is the file's", () => {
  const servers = new Map([
    [FILES, { name: "Files", jwt: { algorithm: "ES256", seconds: 60 } }],
    [BASE, { name: "Accounts", jwt: null }],
  ] as const)
  const { jwtOf, algorithms } = knownResources(servers, BASE)
  const files = { resource: FILES, algorithm: "ES256", seconds: 60 }
  for (const written of [FILES, `${FILES}/`, "HTTPS://FILES.example:443"])
    assert.deepEqual(jwtOf([written]), files)
  for (const other of [[], [BASE], [FILES, BASE], [BASE, FILES], ["https://other.example"]])
    assert.equal(jwtOf(other), null, other.join())
  assert.deepEqual([...algorithms], ["ES256"])
  assert.equal(knownResources(null, BASE).jwtOf([FILES]), null)
})
