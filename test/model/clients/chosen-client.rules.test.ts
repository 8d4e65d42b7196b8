import { test } from "node:test"
import assert from "node:assert/strict"
import {
  chosenSecretProblem,
  parseChosenId,
  withoutSecret,
} from "../../../src/model/clients/chosen-client.rules.ts"
import { confidentialClient, keyClient, publicClient } from "../../support/core-sample.ts"

const free = { registered: null, isUsed: false }

test("APPLY-1 a chosen client_id has 3 to 64 of a few characters, and is free once nothing of it is stored", () => {
  for (const text of ["abc", "A.b_c-9", "a".repeat(64)])
    assert.deepEqual(parseChosenId(text, free), { ok: true, value: text })
  for (const text of [
    "",
    "ab",
    "a".repeat(65),
    "-abc",
    "a b c",
    "a~b",
    "a/b",
    "äbc",
    "abc\n",
    "https://a.example/b",
  ])
    assert.equal(parseChosenId(text, free).ok, false, text)
  const taken = parseChosenId("abc", { registered: confidentialClient, isUsed: true })
  assert.deepEqual(taken, { ok: false, error: 'There is an app "abc" already.' })
  const used = parseChosenId("abc", { registered: null, isUsed: true })
  assert.match(
    used.ok ? "" : used.error,
    /^A removed app had the client_id abc\. It is free .* within eight days\.$/,
  )
})

test("APPLY-1 a chosen secret has 32 to 512 visible ASCII characters", () => {
  for (const text of ["x".repeat(32), "!~".repeat(256)]) assert.equal(chosenSecretProblem(text), null)
  for (const text of [
    "",
    "x".repeat(31),
    "x".repeat(513),
    `${"x".repeat(40)}\n`,
    " ".repeat(40),
    "é".repeat(40),
  ])
    assert.notEqual(chosenSecretProblem(text), null)
})

test("APPLY-1 only a confidential app without keys has a secret", () => {
  assert.equal(withoutSecret(confidentialClient), null)
  assert.match(withoutSecret(publicClient) ?? "", /public/)
  assert.match(withoutSecret(keyClient) ?? "", /key/)
})
