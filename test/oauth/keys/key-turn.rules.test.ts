import { test } from "node:test"
import assert from "node:assert/strict"
import type { KeyId } from "../../../src/kernel/ids.ts"
import { DAY, HOUR } from "../../../src/kernel/time.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import type { SigningKey } from "../../../src/model/signing-key.rules.ts"
import {
  decideLostKeys,
  decideRotation,
  decideTurn,
  dueStep,
  type NewKey,
  publishedKeys,
  signingKeyOf,
} from "../../../src/oauth/keys/key-turn.rules.ts"

const NOW = 1_800_000_000

function made(kid: string, algorithm: NewKey["algorithm"] = "RS256"): NewKey {
  return { kid: kid as KeyId, algorithm, publicJwk: `{"kid":"${kid}"}`, sealedPrivate: `sealed ${kid}` }
}

/** The keys after the changes, as the store has them. */
function after(keys: readonly SigningKey[], changes: readonly Change[]): readonly SigningKey[] {
  const left = new Map(keys.map((key) => [key.kid, key]))
  for (const change of changes) {
    if (change.change === "signingKeySet") left.set(change.key.kid, change.key)
    if (change.change === "signingKeyRemoved") left.delete(change.kid)
  }
  return [...left.values()]
}

const states = (keys: readonly SigningKey[]) => keys.map(({ kid, state }) => `${kid} ${state}`)
const turned = (keys: readonly SigningKey[], kid: string | null, now: number) =>
  after(keys, decideTurn(keys, "RS256", kid === null ? null : made(kid), now).changes)

test("SIGN-1 the first key signs at once, the next one is published for a day before it signs", () => {
  assert.equal(dueStep([], "RS256", NOW), "make")
  const first = turned([], "a", NOW)
  assert.deepEqual(states(first), ["a signing"])
  assert.equal(dueStep(first, "RS256", NOW + 90 * DAY - 1), null)
  assert.equal(dueStep(first, "RS256", NOW + 90 * DAY), "make")
  const second = turned(first, "b", NOW + 90 * DAY)
  assert.deepEqual(states(second), ["a signing", "b next"])
  assert.deepEqual(states(publishedKeys(second, NOW + 90 * DAY)), ["a signing", "b next"])
  assert.equal(dueStep(second, "RS256", NOW + 91 * DAY - 1), null)
  const third = turned(second, null, NOW + 91 * DAY)
  assert.deepEqual(states(third), ["a former", "b signing"])
  assert.equal(third[0]?.sealedPrivate, null, "what signs no more has no private key")
  assert.equal(signingKeyOf(third, "RS256")?.kid, "b")
})

test("SIGN-2 a former key is published for a day, and its public part is kept for a year", () => {
  const third = turned(turned(turned([], "a", NOW), "b", NOW + 90 * DAY), null, NOW + 91 * DAY)
  assert.deepEqual(states(publishedKeys(third, NOW + 92 * DAY - 1)), ["a former", "b signing"])
  assert.deepEqual(states(publishedKeys(third, NOW + 92 * DAY)), ["b signing"])
  assert.deepEqual(states(turned(third, "c", NOW + (91 + 365) * DAY)), ["b signing", "c next"])
})

test("SIGN-3 a step that another node has taken is not taken twice, whatever this node made", () => {
  const first = turned([], "a", NOW)
  assert.deepEqual(decideTurn(first, "RS256", made("other"), NOW).changes, [])
  const second = turned(first, "b", NOW + 90 * DAY)
  assert.deepEqual(decideTurn(second, "RS256", made("other"), NOW + 90 * DAY).changes, [])
  assert.deepEqual(
    decideTurn(first, "ES256", made("e", "ES256"), NOW).changes.map(({ change }) => change),
    ["signingKeySet"],
  )
})

test("SIGN-3 a clock that goes back revives no key", () => {
  const third = turned(turned(turned([], "a", NOW), "b", NOW + 90 * DAY), null, NOW + 91 * DAY)
  assert.equal(dueStep(third, "RS256", NOW - DAY), null)
  assert.equal(signingKeyOf(third, "RS256")?.kid, "b")
})

test("SIGN-4 a rotation publishes a key that signs after a day, or lets it sign at once and withdraws the old one", () => {
  const first = turned([], "a", NOW)
  const later = decideRotation(first, made("b"), false, NOW + 1)
  assert.deepEqual([later.answer.state, later.answer.signsFrom], ["next", NOW + 1 + DAY])
  const waiting = after(first, later.changes)
  const again = after(waiting, decideRotation(waiting, made("c"), false, NOW + 2).changes)
  assert.deepEqual(states(again), ["a signing", "b next"], "a key that waits is kept")
  const now = after(again, decideRotation(again, made("d"), true, NOW + 3).changes)
  assert.deepEqual(states(now), ["a withdrawn", "b withdrawn", "d signing"])
  assert.deepEqual(states(publishedKeys(now, NOW + 3)), ["d signing"])
  assert.deepEqual(states(after([], decideRotation([], made("a"), false, NOW).changes)), ["a signing"])
})

test("SIGN-4 a key that signed before is withdrawn too, and one of the other algorithm is not", () => {
  const rsa = turned(turned(turned([], "a", NOW), "b", NOW + 90 * DAY), null, NOW + 91 * DAY)
  const both = after(rsa, decideTurn(rsa, "ES256", made("e", "ES256"), NOW).changes)
  assert.deepEqual(states(both), ["a former", "b signing", "e signing"])
  const now = after(both, decideRotation(both, made("d"), true, NOW + 91 * DAY).changes)
  assert.deepEqual(states(now), ["a withdrawn", "b withdrawn", "e signing", "d signing"])
  assert.equal(now[0]?.endedAt, NOW + 91 * DAY)
})

test("SIGN-4 keys whose service secret is lost are withdrawn, and the next use makes a new one", () => {
  const keys = turned(turned([], "a", NOW), "b", NOW + 90 * DAY)
  const lost = after(keys, decideLostKeys(keys, NOW + 90 * DAY).changes)
  assert.deepEqual(states(lost), ["a withdrawn", "b withdrawn"])
  assert.equal(dueStep(lost, "RS256", NOW + 90 * DAY), "make")
})

test("SIGN-1, SIGN-2 no copy of the JWKS that is an hour old lacks a key, whatever the clocks of the nodes", () => {
  const skews = [-HOUR, 0, HOUR]
  let keys: readonly SigningKey[] = []
  let count = 0
  const seen: { readonly at: number; readonly kids: readonly string[] }[] = []
  const signed: { readonly at: number; readonly kid: string }[] = []
  for (let at = NOW; at < NOW + 400 * DAY; at += 1800) {
    const now = at + (skews[(at / 1800) % skews.length] ?? 0)
    if (dueStep(keys, "RS256", now) !== null)
      keys = after(keys, decideTurn(keys, "RS256", made(`k${count++}`), now).changes)
    // An administrator asks for a new key now and then.
    if ((at - NOW) % (37 * DAY) === 5 * DAY)
      keys = after(keys, decideRotation(keys, made(`k${count++}`), false, now).changes)
    signed.push({ at, kid: signingKeyOf(keys, "RS256")?.kid ?? assert.fail("no key signs") })
    seen.push({ at, kids: publishedKeys(keys, now).map(({ kid }) => kid) })
  }
  for (const copy of seen.slice(2))
    for (const token of signed.slice(Math.max(0, (copy.at - NOW) / 1800 - 2), (copy.at - NOW) / 1800 + 3))
      // A copy is used for an hour, and a token lives for an hour.
      assert.ok(copy.kids.includes(token.kid), `${token.kid} of ${token.at - NOW} at ${copy.at - NOW}`)
  assert.ok(new Set(signed.map(({ kid }) => kid)).size > 10)
})
