/** Which apps of a source move in, and what of them stays behind. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { judgeApp } from "../../../src/admin/moving-in/apps.rules.ts"
import type { MovedApp } from "../../../src/admin/moving-in/moved.rules.ts"
import { sampleCatalog } from "../../support/core-sample.ts"
import { movedApp } from "./objects.ts"

const judged = (differing: Partial<MovedApp> = {}) => judgeApp(sampleCatalog, movedApp(differing))
const skipped = (differing: Partial<MovedApp>) =>
  judged(differing).skipped.map(({ what, reason }) => `${what}: ${reason}`)

test("MOVE-6 an app moves in with its secret and its permissions, in the order of the catalog", () => {
  const app = movedApp({ permissions: ["files:read", "account:read"] })
  const { judged: answer, skipped: left } = judgeApp(sampleCatalog, app)
  assert.ok(answer.ok)
  assert.deepEqual(left, [])
  assert.deepEqual([answer.value.app, answer.value.secret], [app, app.secret])
  const { name, type, redirectUris, ceiling, verified, stepUp, resourceServer } = answer.value.registration
  assert.deepEqual([name, type, redirectUris], ["Old app", "confidential", ["https://app.example/callback"]])
  assert.deepEqual(ceiling, ["account:read", "files:read"])
  assert.deepEqual([verified, stepUp, resourceServer], [false, false, false])
})

test("MOVE-2 a client_id has letters, digits and -._~, and is no URL of a document", () => {
  for (const clientId of ["a", "legacy-app.1", "~", "y".repeat(255)])
    assert.equal(judged({ clientId }).judged.ok, true, clientId)
  for (const clientId of ["", "a b", "a/b", "é", "y".repeat(256), "https://app.example/client.json"]) {
    const { judged: answer, skipped: left } = judged({ clientId })
    assert.equal(answer.ok, false, clientId)
    assert.deepEqual(left, [
      {
        what: "app",
        name: clientId,
        reason: "Its client_id has characters other than letters, digits and -._~.",
      },
    ])
  }
})

test("MOVE-6 redirect addresses that cannot be registered stay behind, and the app moves in", () => {
  const redirectUris = ["https://*.app.example/x", "https://app.example/#x", "https://app.example/ok"]
  const { judged: answer, skipped: left } = judged({ redirectUris })
  assert.deepEqual(answer.ok && answer.value.registration.redirectUris, ["https://app.example/ok"])
  assert.deepEqual(
    left.map(({ what, reason }) => `${what} ${reason}`),
    [
      "redirect URI https://*.app.example/x: A wildcard is not a redirect URI. Register each address.",
      "redirect URI https://app.example/#x: The address has a fragment (#), even if it is empty.",
    ],
  )
})

test("MOVE-6 an administrator imports: a scheme of the app's own needs no period", () => {
  const { judged: answer, skipped: left } = judged({ type: "public", redirectUris: ["myapp:/callback"] })
  assert.deepEqual([answer.ok && answer.value.registration.redirectUris, left], [["myapp:/callback"], []])
})

test("MOVE-6 a permission that does not exist here stays behind, each by its name", () => {
  assert.deepEqual(skipped({ permissions: ["account:read", "nothing:here", 'a"b'] }), [
    'permission: There is no permission "nothing:here".',
    'permission: There is no permission "a\\"b".',
  ])
})

test("MOVE-6 a secret of at least 32 characters is kept; a shorter or hidden one is reported", () => {
  const secretOf = (secret: string | null) => {
    const { judged: answer } = judged({ secret })
    return answer.ok && answer.value.secret
  }
  assert.equal(secretOf("s".repeat(32)), "s".repeat(32))
  assert.deepEqual([secretOf("s".repeat(31)), secretOf(""), secretOf(null)], [null, null, null])
  const short = "secret: It has fewer than 32 characters. Give the app a new one."
  assert.deepEqual(skipped({ secret: "s".repeat(31) }), [short])
  assert.deepEqual(skipped({ secret: null }), ["secret: The file hides it. Give the app a new one."])
  assert.deepEqual(skipped({ secret: "s".repeat(32) }), [])
})

test("MOVE-6 neither a public app nor one whose digest is known needs a new secret", () => {
  assert.deepEqual(skipped({ type: "public", secret: null }), [])
  assert.deepEqual(skipped({ type: "public", secret: "short" }), [])
  assert.deepEqual(skipped({ secret: null, secretDigest: "d".repeat(43) }), [])
})

test("MOVE-6 what breaks a rule of every registration keeps the app out", () => {
  for (const differing of [{ name: "" }, { name: "x".repeat(300) }, { name: "a\u0000b" }]) {
    const { judged: answer, skipped: left } = judged({ ...differing, permissions: ["nothing:here"] })
    assert.equal(answer.ok, false)
    assert.deepEqual([left.length, left[0]?.what], [1, "app"])
    assert.match(left[0]?.reason ?? "", /^The name of an app/)
  }
})

test("MOVE-2 the ceiling of an imported app has no administration", () => {
  const permissions = ["admin:accounts", "account:read", "admin:nothing"]
  const { judged: answer, skipped: left } = judged({ permissions })
  assert.deepEqual(answer.ok && answer.value.registration.ceiling, ["account:read"])
  assert.deepEqual(
    left.map(({ what, reason }) => `${what}: ${reason}`),
    ["admin:accounts", "admin:nothing"].map(
      (name) => `permission: "${name}" gives administration, which does not move in.`,
    ),
  )
})

test("MOVE-6 an app that authenticates neither by a secret nor without one is reported by its method", () => {
  assert.deepEqual(skipped({ secret: null, otherMethod: "client-jwt" }), [
    "secret: The app authenticates by client-jwt. Give it a key with app update --jwks, or a new secret.",
  ])
})
