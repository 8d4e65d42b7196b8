import { test } from "node:test"
import assert from "node:assert/strict"
import { IDENTITY_HEADERS, passedAnswer, PUBLIC_ANSWER } from "../../src/gate/identity.rules.ts"

const ACCESS = {
  accountId: "account-1",
  username: "bob",
  clientId: "app-1",
  tokenId: "credential-1",
  permissions: ["files:read", "files:write"],
  groups: ["billing", "staff:on-call"],
}

test("GATE-9, GROUP-9 with 200 come all seven headers in their order, without a body and never cached", () => {
  const { status, headers, body, reason } = passedAnswer(ACCESS, "a.b.c")
  assert.deepEqual([status, body, reason], [200, "", "passed"])
  assert.deepEqual(headers, [
    ...["Latchkey-Account", "account-1"],
    ...["Latchkey-Username", "bob"],
    ...["Latchkey-Client", "app-1"],
    ...["Latchkey-Credential", "credential-1"],
    ...["Latchkey-Permissions", "files:read files:write"],
    ...["Latchkey-Groups", "billing staff:on-call"],
    ...["Latchkey-Assertion", "a.b.c"],
    ...["Cache-Control", "no-store"],
  ])
})

test("GATE-9 a username is percent-encoded, so that it can neither break a header nor be read in two ways", () => {
  for (const username of ["bücher", "a b", "a,b", "a\r\nLatchkey-Account: root", "100%", "日本"]) {
    const { headers } = passedAnswer({ ...ACCESS, username }, "")
    const value = headers[headers.indexOf("Latchkey-Username") + 1] ?? ""
    assert.match(value, /^[\w%.!~*'()-]+$/)
    assert.equal(decodeURIComponent(value), username)
  }
})

test("GATE-9 on a public route every header is there and empty, so that a client's own never arrives", () => {
  const { status, headers, reason } = PUBLIC_ANSWER
  assert.deepEqual([status, reason], [200, "public"])
  assert.deepEqual(headers, [...IDENTITY_HEADERS.flatMap((name) => [name, ""]), "Cache-Control", "no-store"])
})

test("GATE-11, GROUP-9 without permissions, groups and an assertion, the headers are empty", () => {
  const { headers } = passedAnswer({ ...ACCESS, permissions: [], groups: [] }, "")
  for (const name of ["Latchkey-Permissions", "Latchkey-Groups", "Latchkey-Assertion"])
    assert.equal(headers[headers.indexOf(name) + 1], "", name)
})
