import { test } from "node:test"
import assert from "node:assert/strict"
import type { Account } from "../../../src/model/account.rules.ts"
import type { Life } from "../../../src/model/credential.rules.ts"
import {
  type BindingInput,
  bindingProblem,
  decideBinding,
  workloadProblem,
} from "../../../src/oauth/credential/binding.rules.ts"
import type { TokenId, UserId } from "../../../src/kernel/ids.ts"
import { NEVER } from "../../../src/kernel/time.ts"
import {
  account as person,
  CLIENT_ID,
  confidentialClient,
  hash,
  keyClient,
  lives,
  NOW,
  publicClient,
  TOKEN_ID,
  USER_ID,
} from "../../support/core-sample.ts"

const service: Account = { ...person, username: "ci", usernameKey: "ci", type: "service", passwordHash: null }
const input: BindingInput = {
  now: NOW,
  address: null,
  actorId: null,
  tokenId: TOKEN_ID,
  familyKey: "family key",
  noRefreshHash: hash("none"),
}

const made = decideBinding(confidentialClient, null, service, input)
const added = made.changes.find((change) => change.change === "credentialAdded")
const bound = {
  client: { ...confidentialClient, binding: made.binding },
  changes: made.changes,
  credential: added?.credential ?? null,
}

test("SERVICE-2 only a confidential app is bound, and only to a service account", () => {
  assert.equal(bindingProblem(confidentialClient, service), null)
  assert.equal(bindingProblem(publicClient, null), null)
  assert.match(bindingProblem(confidentialClient, person) ?? "", /not a service account/)
  assert.match(bindingProblem(publicClient, service) ?? "", /confidential/)
  const byDocument = { ...confidentialClient, registeredBy: "document" } as const
  assert.match(bindingProblem(byDocument, service) ?? "", /document/)
})

test("WORK-1 no change leaves a workload without a service account, and one whose account was removed stays", () => {
  const ofSubject = (subject: string) => {
    const workload = { issuer: "https://issuer.example", audience: "a", subject }
    return { jwks: null, jwksUri: "https://issuer.example/keys", algorithm: null, workload }
  }
  const bindings = [null, made.binding]
  const all = [null, keyClient.keys, ofSubject("a"), ofSubject("b")].flatMap((keys) =>
    bindings.map((binding) => ({ keys, binding })),
  )
  for (const after of all)
    for (const before of [null, ...all]) {
      const isUnused = (after.keys?.workload ?? null) !== null && after.binding === null
      const isAsBefore = before?.binding === null && before.keys === after.keys
      const problem = workloadProblem(before, after)
      assert.equal(problem !== null, isUnused && !isAsBefore, JSON.stringify({ before, after }))
    }
})

test("SERVICE-2 a binding has one credential, which time does not end", () => {
  const { credential, changes } = bound
  assert.deepEqual(bound.client.binding, { userId: USER_ID, tokenId: TOKEN_ID })
  assert.deepEqual(
    changes.map(({ change }) => change),
    ["credentialAdded", "eventRecorded"],
  )
  assert.deepEqual([credential?.consent.endsAt, credential?.consent.tokenId], [NEVER, TOKEN_ID])
})

test("SERVICE-6 the same account again keeps a live credential, and replaces an ended one", () => {
  const { client, credential } = bound
  assert.deepEqual(decideBinding(client, credential, service, input), {
    binding: client.binding,
    changes: [],
  })
  const revoked = credential && { ...credential, life: lives.revoked satisfies Life }
  const again = decideBinding(client, revoked, service, { ...input, tokenId: "other" as TokenId })
  assert.equal(again.binding?.tokenId, "other")
  assert.deepEqual(
    again.changes.map(({ change }) => change),
    ["credentialAdded", "eventRecorded"],
  )
})

test("SERVICE-6 another account, or none, revokes the credential", () => {
  const other = { ...service, userId: "01kb3w5f6y8m2q4r7t9v1x3z5z" as UserId }
  for (const account of [other, null]) {
    const { binding, changes } = decideBinding(bound.client, bound.credential, account, {
      ...input,
      tokenId: "other" as TokenId,
    })
    const [revoked] = changes
    assert.ok(revoked?.change === "credentialChanged" && revoked.credential.life.state === "revoked")
    assert.equal(revoked.credential.life.because, "administrator")
    assert.deepEqual(binding, account && { userId: other.userId, tokenId: "other" })
  }
})

test("SERVICE-2 the event names the administrator, and the credential has no refresh token", () => {
  const actorId = "01kb3w5f6y8m2q4r7t9v1x3z5y" as UserId
  const { changes } = decideBinding(confidentialClient, null, service, {
    ...input,
    actorId,
    address: "192.0.2.1",
  })
  const [, recorded] = changes
  assert.ok(recorded?.change === "eventRecorded")
  const { kind, userId, clientId, tokenId, address } = recorded.event
  assert.deepEqual(
    [kind, userId, clientId, tokenId, recorded.event.actorId, address],
    ["service-account-bound", USER_ID, CLIENT_ID, TOKEN_ID, actorId, "192.0.2.1"],
  )
  const life = bound.credential?.life
  assert.ok(life?.state === "active")
  assert.equal(life.elevatedUntil, null)
  assert.deepEqual([bound.credential?.code, bound.credential?.consent.installationName], [null, null])
  const { currentHash, rotatedAt, rotatedFrom, retired, accessTokens } = life.family
  assert.deepEqual(
    [currentHash, rotatedAt, rotatedFrom, retired, accessTokens],
    [input.noRefreshHash, NEVER, null, null, []],
  )
})

test("SERVICE-2 an app without a binding that gets none writes nothing", () => {
  assert.deepEqual(decideBinding(confidentialClient, null, null, input), { binding: null, changes: [] })
})
