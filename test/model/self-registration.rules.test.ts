import { test } from "node:test"
import assert from "node:assert/strict"
import { CREDENTIAL_SECONDS, UNUSED_APP_SECONDS, UNUSED_APPS_AT_MOST } from "../../src/kernel/limits.ts"
import {
  consentedTo,
  deletedUnlessUsedAt,
  unusedDeletableUpTo,
} from "../../src/model/self-registration.rules.ts"
import { DAY } from "../../src/kernel/time.ts"
import { hash, NOW, publicClient } from "../support/core-sample.ts"

const itself = {
  ...publicClient,
  registeredBy: "itself",
  registrationHash: hash("words"),
  deleteAfter: deletedUnlessUsedAt(NOW),
} as const

test("REG-2: a consent keeps the app beyond what it gave, and takes its words out of the way", () => {
  const endsAt = NOW + CREDENTIAL_SECONDS
  assert.deepEqual(consentedTo(itself, endsAt), [
    {
      change: "clientChanged",
      client: { ...itself, registrationHash: null, deleteAfter: endsAt + UNUSED_APP_SECONDS },
    },
  ])
})

test("REG-2: a move by at most a day is not written, and nothing moves back", () => {
  const used = {
    ...itself,
    registrationHash: null,
    deleteAfter: NOW + CREDENTIAL_SECONDS + UNUSED_APP_SECONDS,
    UNUSED_APPS_AT_MOST,
  }
  assert.deepEqual(consentedTo(used, NOW + CREDENTIAL_SECONDS + DAY), [])
  assert.equal(consentedTo(used, NOW + CREDENTIAL_SECONDS + DAY + 1).length, 1)
  assert.deepEqual(consentedTo(used, NOW - 100 * DAY), [])
  assert.deepEqual(consentedTo(publicClient, NOW), [])
})

test("RATE-5: a hundred thousand apps without a consent are kept, and above that those of the last hour", () => {
  assert.equal(UNUSED_APPS_AT_MOST, 100_000)
  assert.equal(unusedDeletableUpTo(NOW), deletedUnlessUsedAt(NOW - 3600))
})
