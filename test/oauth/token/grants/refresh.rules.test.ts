import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../../src/kernel/ids.ts"
import type { Change, Decided } from "../../../../src/model/change.rules.ts"
import { type Credential, familyOf } from "../../../../src/model/credential.rules.ts"
import {
  decideRefresh,
  type Refresh,
  type RotationInput,
} from "../../../../src/oauth/token/grants/refresh.rules.ts"
import { type Result, ok } from "../../../../src/kernel/result.ts"
import type { Refusal } from "../../../../src/model/refusals/refusal.rules.ts"
import { parseScope } from "../../../../src/model/permissions/scope.rules.ts"
import type { TokenResponse } from "../../../../src/oauth/credential/token-response.rules.ts"
import { DAY, YEAR } from "../../../../src/kernel/time.ts"
import {
  account,
  credential,
  hash,
  lives,
  NOW,
  pair,
  permissions,
  publicClient,
  sampleCatalog,
} from "../../../support/core-sample.ts"

const token = (generation: number) => ({
  generation,
  hash: pair(generation).refreshHash,
  isGenuine: (key: string) => key === "family key",
})

/** Refreshes with the token of this generation. `successor` replaces the derivation. */
function refresh(
  held: Credential,
  generation: number,
  now: number,
  changes: Partial<Omit<Refresh, "scope">> & {
    readonly scope?: string
    readonly address?: string
    readonly successor?: RotationInput["successor"]
  } = {},
): Decided<Result<TokenResponse, Refusal>> {
  const { scope, address = "192.0.2.1", successor = () => pair(generation + 1), ...others } = changes
  const input = {
    client: publicClient,
    credential: held,
    account,
    token: token(generation),
    scope: parseScope(scope),
    ...others,
  }
  const { answer, changes: written } = decideRefresh(sampleCatalog, input, {
    now,
    address,
    networkOf: (one) => one.split(".").slice(0, 3).join("."),
    accessSeconds: 3600,
    successor,
  })
  if (answer.ok) assert.equal(answer.value.isRepeat, generation + 1 === familyOf(held)?.generation)
  return { answer: answer.ok ? ok(answer.value.response) : answer, changes: written }
}

function storedBy({ changes }: { readonly changes: readonly Change[] }): Credential {
  const [stored] = changes
  return stored?.change === "credentialChanged" ? stored.credential : assert.fail("nothing was stored")
}

function refusal({ answer, changes }: Decided<Result<TokenResponse, Refusal>>): readonly string[] {
  assert.equal(answer.ok, false)
  return [answer.ok ? "" : answer.error.reason, ...changes.map((change) => change.change)]
}

const first = credential(lives.active)
const second = storedBy(refresh(first, 1, NOW + 100))

test("CRED-1, AUTH-7 the token in force gives the next pair, and is retired", () => {
  const { answer, changes } = refresh(first, 1, NOW + 100)
  assert.ok(answer.ok)
  assert.equal(answer.value.refresh_token, pair(2).refreshToken)
  assert.equal(answer.value.expires_in, 3600)
  assert.equal(answer.value.refresh_expires_in, 90 * DAY)
  assert.equal(answer.value.scope, "files:read workers:read")
  assert.equal(changes.length, 1)
  assert.ok(second.life.state === "active")
  assert.equal(second.life.family.retired?.hash, pair(1).refreshHash)
  assert.equal(second.consent, first.consent)
})

test("AUTH-7 within sixty seconds the retired token gives the very same pair, with what remains of its time", () => {
  const again = refresh(second, 1, NOW + 160)
  assert.ok(again.answer.ok)
  assert.equal(again.answer.value.refresh_token, pair(2).refreshToken)
  assert.equal(again.answer.value.access_token, pair(2).accessToken)
  assert.equal(again.answer.value.expires_in, 3540)
  assert.deepEqual(
    again.changes.map(({ change }) => change),
    ["credentialChanged"],
  )
  const { life } = storedBy(again)
  assert.ok(life.state === "active" && second.life.state === "active")
  assert.deepEqual(life.family, { ...second.life.family, repeats: { count: 1, elsewhere: [] } })
})

test("AUTH-7 the repeated answer has the scope of the first one", () => {
  const narrowed = storedBy(refresh(first, 1, NOW + 100, { scope: "workers:read" }))
  const again = refresh(narrowed, 1, NOW + 101)
  assert.equal(again.answer.ok && again.answer.value.scope, "workers:read")
})

test("AUTH-7 once the successor was used, the retired token is refused and nothing is revoked", () => {
  const third = storedBy(refresh(second, 2, NOW + 110))
  assert.deepEqual(refusal(refresh(third, 1, NOW + 120)), ["refreshTokenRetired"])
})

test("CRED-2, AUTH-7 later than sixty seconds a retired token revokes the credential", () => {
  const reuse = refresh(second, 1, NOW + 161)
  assert.deepEqual(refusal(reuse), ["refreshTokenReused", "credentialChanged", "eventRecorded"])
  const revoked = storedBy(reuse)
  assert.equal(revoked.life.state, "revoked")
  assert.deepEqual(refusal(refresh(revoked, 2, NOW + 162)), ["credentialRevoked"])
})

test("CRED-2 what was never issued, or is no token, changes nothing", () => {
  const forged = { ...token(2), hash: hash("forged"), isGenuine: () => false }
  assert.deepEqual(refusal(refresh(second, 2, NOW + 200, { token: forged })), ["refreshTokenUnknown"])
  assert.deepEqual(refusal(refresh(second, 2, NOW + 2 * YEAR, { token: forged })), ["refreshTokenUnknown"])
  assert.deepEqual(refusal(refresh(second, 2, NOW + 200, { token: null })), ["refreshTokenUnknown"])
  assert.deepEqual(refusal(refresh(second, 2, NOW + 200, { credential: null })), ["refreshTokenUnknown"])
  assert.deepEqual(refusal(refresh(credential(lives.issued), 1, NOW + 5)), ["refreshTokenUnknown"])
})

test("CRED-2 another app's reuse is refused and revokes nothing", () => {
  const client = { ...publicClient, clientId: "01kb3w5f6y8m2q4r7t9v1x3z5z" as ClientId }
  assert.deepEqual(refusal(refresh(second, 1, NOW + 1000, { client })), ["refreshTokenOfAnotherClient"])
})

test("CRED-4 after ninety days without a rotation, or a year, the credential has ended, and the end is stored", () => {
  assert.deepEqual(refusal(refresh(first, 1, NOW + 90 * DAY + 1)), ["credentialEnded", "credentialChanged"])
  assert.deepEqual(refusal(refresh(first, 1, NOW + YEAR)), ["credentialEnded", "credentialChanged"])
  const ended = storedBy(refresh(first, 1, NOW + 90 * DAY + 1))
  assert.deepEqual(refusal(refresh(ended, 1, NOW)), ["credentialEnded"])
})

test("ERR-2 while the account is disabled or gone nothing rotates", () => {
  for (const changes of [{ account: null }, { account: { ...account, enabled: false } }]) {
    assert.deepEqual(refusal(refresh(first, 1, NOW + 100, changes)), ["accountUnavailable"])
    assert.deepEqual(refusal(refresh(second, 1, NOW + 110, changes)), ["accountUnavailable"])
  }
})

test("AUTH-8, ERR-3 a scope beyond the reach is refused, and an error never rotates", () => {
  assert.deepEqual(refusal(refresh(first, 1, NOW + 100, { scope: "account:read" })), ["scopeOverReach"])
  assert.deepEqual(refusal(refresh(first, 1, NOW + 100, { scope: "nowhere" })), ["scopeUnknown"])
})

test("PERM-6, PERM-7 a permission that left the registration leaves the scope at the next refresh, and returns", () => {
  const less = { ...publicClient, ceiling: permissions("workers:read") }
  const shrunk = refresh(first, 1, NOW + 100, { client: less })
  assert.equal(shrunk.answer.ok && shrunk.answer.value.scope, "workers:read")
  assert.deepEqual(refusal(refresh(first, 1, NOW + 100, { client: less, scope: "files:read" })), [
    "scopeOverReach",
  ])
  const back = refresh(storedBy(shrunk), 2, NOW + 200)
  assert.equal(back.answer.ok && back.answer.value.scope, "files:read workers:read")
})

test("AUTH-8 narrowing ends with its access token: the next refresh is as wide as the reach", () => {
  const narrowed = refresh(first, 1, NOW + 100, { scope: "workers:read" })
  assert.equal(narrowed.answer.ok && narrowed.answer.value.scope, "workers:read")
  const next = refresh(storedBy(narrowed), 2, NOW + 200)
  assert.equal(next.answer.ok && next.answer.value.scope, "files:read workers:read")
})

test("AUTH-10 inside the window scope is refused as with the token in force, and nothing is written", () => {
  for (const [scope, reason] of [
    ["files:read  files:read", "scopeMalformed"],
    ["nowhere", "scopeUnknown"],
    ["account:read", "scopeOverReach"],
  ] as const)
    for (const held of [first, second])
      assert.deepEqual(refusal(refresh(held, 1, NOW + 110, { scope })), [reason])
})

test("AUTH-10 a reused token revokes whatever scope says; an older or unknown one is judged before scope", () => {
  const third = storedBy(refresh(second, 2, NOW + 110))
  for (const scope of ["a  b", "nowhere", "account:read"]) {
    assert.equal(refusal(refresh(second, 1, NOW + 161, { scope }))[0], "refreshTokenReused")
    assert.deepEqual(refusal(refresh(third, 1, NOW + 120, { scope })), ["refreshTokenRetired"])
    assert.deepEqual(refusal(refresh(second, 2, NOW + 110, { scope, token: null })), ["refreshTokenUnknown"])
  }
})

test("AUTH-10 the repeat answers the first scope less what is not reached now, and never more", () => {
  const scopeOf = ({ answer }: Decided<Result<TokenResponse, Refusal>>) =>
    answer.ok ? answer.value.scope : assert.fail()
  const less = { ...publicClient, ceiling: permissions("workers:read") }
  assert.equal(scopeOf(refresh(second, 1, NOW + 110, { client: less })), "workers:read")
  const narrowed = storedBy(refresh(first, 1, NOW + 100, { scope: "workers:read" }))
  assert.equal(scopeOf(refresh(narrowed, 1, NOW + 110, { scope: "files:read" })), "workers:read")
})

test("CRED-5 a repeat from another network is kept and recorded once; every repeat is counted", () => {
  let held = second
  const kinds: string[][] = []
  for (const address of ["192.0.2.9", "203.0.113.1", "203.0.113.2", "198.51.100.1", "203.0.113.1"]) {
    const again = refresh(held, 1, NOW + 110, { address })
    kinds.push(again.changes.map(({ change }) => change))
    held = storedBy(again)
  }
  const recorded = ["credentialChanged", "eventRecorded"]
  assert.deepEqual(kinds, [
    ["credentialChanged"],
    recorded,
    ["credentialChanged"],
    recorded,
    ["credentialChanged"],
  ])
  const entry = { generation: 2, at: NOW + 110, firstFrom: "192.0.2.1" }
  assert.deepEqual(familyOf(held)?.repeats, {
    count: 5,
    elsewhere: [
      { ...entry, from: "198.51.100.1" },
      { ...entry, from: "203.0.113.1" },
    ],
  })
  const third = storedBy(refresh(held, 2, NOW + 200))
  assert.deepEqual(familyOf(third)?.repeats, familyOf(held)?.repeats, "a rotation keeps them")
})

test("CRED-5 where the address of the rotation or of the repeat is not known nothing is claimed", () => {
  assert.ok(second.life.state === "active")
  const unknown = {
    ...second,
    life: { ...second.life, family: { ...second.life.family, rotatedFrom: null } },
  }
  for (const again of [
    refresh(unknown, 1, NOW + 110, { address: "203.0.113.1" }),
    refresh(second, 1, NOW + 110, { address: "" }),
  ])
    assert.deepEqual(
      again.changes.map(({ change }) => change),
      ["credentialChanged"],
    )
})

test("CRED-6 the successor is derived for the time of the rotation, in the repeat as in the first answer", () => {
  const times: number[] = []
  const successor = (rotatedAt: number) => {
    times.push(rotatedAt)
    return pair(2)
  }
  const rotated = storedBy(refresh(first, 1, NOW + 100, { successor }))
  refresh(rotated, 1, NOW + 150, { successor })
  assert.deepEqual(times, [NOW + 100, NOW + 100])
})

test("CRED-6 without its rotation key, or with another one, a repeat is refused and nothing is revoked", () => {
  for (const successor of [() => null, () => pair(7)])
    assert.deepEqual(refusal(refresh(second, 1, NOW + 110, { successor })), ["refreshTokenRetired"])
})
