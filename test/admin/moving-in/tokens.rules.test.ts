/** The file of live refresh tokens, and which of them move in. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { Permission } from "../../../src/kernel/ids.ts"
import type { Json } from "../../../src/kernel/json.ts"
import { judgeToken, parseTokenLine, type TokenFacts } from "../../../src/admin/moving-in/tokens.rules.ts"
import { permissions, sampleCatalog } from "../../support/core-sample.ts"
import { jsonObject } from "./objects.ts"

const DIGEST = "0123456789abcdefABCDEF0123456789".repeat(2)
const SIGNATURE = `${"Az09-_".repeat(7)}x`
const line = {
  digest: DIGEST,
  client_id: "app",
  user_id: "person",
  scope: " files:read  account:read",
  ends_at: 100,
}
const { digest: _, ...others } = line
const hydraLine = { ...others, signature: SIGNATURE }

const errorOf = (members: Json | undefined, isHydra = false) => {
  const read = parseTokenLine(members, isHydra)
  return read.ok ? "" : read.error
}

test("MOVE-7 a line has the digest of a token, or for Hydra its MAC", () => {
  const token = { clientId: "app", userId: "person", scope: ["files:read", "account:read"], endsAt: 100 }
  assert.deepEqual(parseTokenLine(jsonObject(line), false), {
    ok: true,
    value: { ...token, digest: DIGEST.toLowerCase(), signature: null },
  })
  assert.deepEqual(parseTokenLine(jsonObject(hydraLine), true), {
    ok: true,
    value: { ...token, digest: null, signature: SIGNATURE },
  })
})

test("MOVE-1 a line that is not an object, or has another member, is refused", () => {
  for (const other of [undefined, null, "x", 7, [], [jsonObject(line)]])
    assert.equal(errorOf(other), "It is not a JSON object.")
  assert.equal(errorOf(jsonObject({ ...line, token: "x" })), 'The member "token" is unknown.')
  assert.equal(errorOf(jsonObject(line), true), 'The member "digest" is unknown.')
  assert.equal(errorOf(jsonObject(hydraLine)), 'The member "signature" is unknown.')
})

test("MOVE-1 a digest is 64 hexadecimal digits, and a signature 43 base64url characters", () => {
  for (const digest of [
    undefined,
    7,
    "",
    DIGEST.slice(1),
    `${DIGEST}0`,
    `g${DIGEST.slice(1)}`,
    `${DIGEST}\n`,
  ])
    assert.equal(errorOf(jsonObject({ ...line, digest })), "digest is not 64 hexadecimal digits.")
  for (const signature of [undefined, "", SIGNATURE.slice(1), `${SIGNATURE}x`, `+${SIGNATURE.slice(1)}`])
    assert.equal(
      errorOf(jsonObject({ ...hydraLine, signature }), true),
      "signature is not 43 base64url characters.",
    )
})

test("MOVE-1 the other members are texts, and the end is a whole number of seconds", () => {
  for (const name of ["client_id", "user_id", "scope"])
    for (const value of [undefined, null, 7, ["x"]])
      assert.equal(
        errorOf(jsonObject({ ...line, [name]: value })),
        "client_id, user_id and scope must be texts.",
        name,
      )
  for (const ends_at of [undefined, null, "100", -1, 1.5, 2 ** 53])
    assert.equal(errorOf(jsonObject({ ...line, ends_at })), "ends_at is not a number of seconds.")
  for (const ends_at of [0, 2 ** 53 - 1]) assert.equal(errorOf(jsonObject({ ...line, ends_at })), "")
})

const token = {
  digest: "d",
  signature: null,
  clientId: "app",
  userId: "person",
  scope: ["files:write", "gone"],
  endsAt: 100,
}
const facts: TokenFacts = { account: "same", app: "same", now: 99 }

test("MOVE-7 a token gets the permissions of its scope that exist here, closed under implication", () => {
  const judged = judgeToken(sampleCatalog, token, facts)
  assert.ok(judged.ok)
  assert.deepEqual(new Set(judged.value.scope), new Set(permissions("files:write files:read workers:read")))
})

test("MOVE-7 a token without an account, an app, time or a permission stays behind", () => {
  const reasonOf = (differing: Partial<TokenFacts>, scope = token.scope) => {
    const judged = judgeToken(sampleCatalog, { ...token, scope }, { ...facts, ...differing })
    if (judged.ok) return ""
    const { what, name, reason } = judged.error
    assert.deepEqual([what, name], ["token", "person app"])
    return reason
  }
  assert.equal(reasonOf({ account: "missing", app: "missing" }), "There is no account of this id.")
  assert.equal(reasonOf({ account: "other", app: "missing" }), "The account of this id does not move in.")
  assert.equal(reasonOf({ app: "missing" }), "There is no app of this client_id.")
  assert.equal(reasonOf({ app: "other" }), "The app of this client_id does not move in.")
  assert.equal(reasonOf({ now: 100 }), "It has expired.")
  for (const scope of [[], ["gone", "openid", "__proto__"]])
    assert.equal(reasonOf({}, scope), "No permission of its scope exists here.")
})

test("MOVE-2 the consent of a token gives no administration, and the report names what stays behind", () => {
  const scope = ["files:read", "admin:accounts", "admin:events"]
  const judged = judgeToken(sampleCatalog, { ...token, scope }, facts)
  assert.ok(judged.ok)
  assert.ok(judged.value.scope.includes("files:read" as Permission))
  assert.ok(judged.value.scope.every((name) => !name.startsWith("admin:")))
  assert.deepEqual(
    judged.value.skipped.map(({ what, name, reason }) => `${what} ${name}: ${reason}`),
    [
      'permission person app: "admin:accounts" gives administration, which does not move in.',
      'permission person app: "admin:events" gives administration, which does not move in.',
    ],
  )
  const only = judgeToken(sampleCatalog, { ...token, scope: ["admin:accounts"] }, facts)
  assert.equal(only.ok ? "" : only.error.reason, "No permission of its scope exists here.")
})
