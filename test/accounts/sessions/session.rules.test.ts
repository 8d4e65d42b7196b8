import { describe, test } from "node:test"
import assert from "node:assert/strict"
import {
  authorizes,
  isAdmitted,
  isOver,
  isRenewedBy,
  onlyApplication,
} from "../../../src/accounts/sessions/session.rules.ts"
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from "../../../src/kernel/account-limits.ts"
import { CLOCKS_APART_SECONDS, DAY } from "../../../src/kernel/time.ts"
import type { ApplicationProvider, SignInProvider } from "../../../src/model/sign-in/provider.rules.ts"
import { id, NOW, session } from "../../store/samples.ts"
import { providerAt } from "../../support/oidc.ts"
import { Product } from "../../support/product.ts"

const MINUTES = 600

function configured(shop: Partial<ApplicationProvider> | null = {}): Map<string, SignInProvider> {
  const corp = providerAt("https://corp.example", { name: "corp" })
  const games = new Product(() => NOW, "games").provider({ sessionSeconds: 60 })
  const others = [corp, games].map((one) => [one.name, one] as const)
  const own = shop === null ? [] : [["shop", new Product(() => NOW).provider(shop)] as const]
  return new Map<string, SignInProvider>([...others, ...own])
}
const person = { admin: false }
const admin = { admin: true }
const by = (name: string, at = NOW) => ({ vouched: { by: name, at } })
const OWN = { vouched: null }
const ONLY = { only: true }

describe("what a session authorizes", () => {
  test("LOGIN-10 one that no application began authorizes as long as it lasts", () => {
    for (const account of [person, admin])
      for (const shop of [{}, null])
        assert.equal(authorizes(OWN, account, configured(shop), NOW + 9 * DAY), true)
  })

  test("LOGIN-10 one of an application authorizes for its minutes, an administrator's too", () => {
    const cases: readonly (readonly [at: number, expected: boolean])[] = [
      [NOW, true],
      [NOW + MINUTES, true],
      [NOW + MINUTES + 1, false],
      [NOW - CLOCKS_APART_SECONDS, true],
      // The clock was set back.
      [NOW - CLOCKS_APART_SECONDS - 1, false],
    ]
    for (const account of [person, admin])
      for (const only of [false, true])
        for (const [at, expected] of cases)
          assert.equal(authorizes(by("shop"), account, configured({ only }), at), expected, `${at - NOW}`)
    assert.equal(authorizes(by("games"), person, configured(), NOW + 60), true)
    assert.equal(authorizes(by("games"), person, configured(), NOW + 61), false)
    assert.equal(authorizes(by("shop"), person, configured({ sessionSeconds: 60 }), NOW + 61), false)
  })

  test("LOGIN-10 an application that left the configuration vouches for no session, and no other provider does", () => {
    for (const account of [person, admin]) {
      assert.equal(authorizes(by("shop"), account, configured(null), NOW), false)
      assert.equal(authorizes(by("corp"), account, configured(), NOW), false)
      assert.equal(authorizes(by("shop"), account, new Map(), NOW), false)
    }
  })

  test("LOGIN-12 with an only application, every other session is an administrator's or authorizes nothing", () => {
    const only = configured(ONLY)
    for (const held of [OWN, by("games")]) {
      assert.equal(authorizes(held, person, only, NOW), false)
      assert.equal(authorizes(held, admin, only, NOW), true)
    }
    assert.equal(authorizes(by("games"), admin, only, NOW + 61), false)
    assert.equal(authorizes(by("shop"), person, only, NOW), true)
  })
})

test("LOGIN-12 the only application is found, wherever the configuration has it", () => {
  assert.equal(onlyApplication(new Map()), null)
  assert.equal(onlyApplication(configured()), null)
  assert.equal(onlyApplication(configured(ONLY))?.name, "shop")
  assert.equal(onlyApplication(new Map([...configured(ONLY)].toReversed()))?.name, "shop")
})

test("LOGIN-11 an assertion renews the live session of its own subject and application, and no other", () => {
  const own = session(0, by("shop", NOW - 9 * DAY))
  const { userId } = own
  assert.equal(isRenewedBy("shop", { userId }, own, NOW), true)
  assert.equal(isRenewedBy("shop", { userId }, null, NOW), false)
  assert.equal(isRenewedBy("shop", { userId }, session(), NOW), false)
  assert.equal(isRenewedBy("games", { userId }, own, NOW), false)
  assert.equal(isRenewedBy(null, { userId }, own, NOW), false)
  assert.equal(isRenewedBy(null, { userId }, session(), NOW), false)
  assert.equal(isRenewedBy("shop", { userId: id("b") }, own, NOW), false)
  assert.equal(isRenewedBy("shop", { userId }, own, NOW + SESSION_IDLE_SECONDS + 1), false)
})

test("a session is over after its days, or after some days without a visit", () => {
  const started = session()
  assert.equal(isOver(started, NOW + SESSION_IDLE_SECONDS), false)
  assert.equal(isOver(started, NOW + SESSION_IDLE_SECONDS + 1), true)
  const seen = session(0, { seenAt: NOW + SESSION_SECONDS })
  assert.equal(isOver(seen, NOW + SESSION_SECONDS), false)
  assert.equal(isOver(seen, NOW + SESSION_SECONDS + 1), true)
  // The clock was set back by more than a day.
  assert.equal(isOver(started, NOW - DAY - CLOCKS_APART_SECONDS - 1), true)
})

test("LOGIN-13 what this service checks itself admits administrators alone, where an application is the only way", () => {
  for (const shop of [{}, null])
    for (const account of [person, admin]) assert.equal(isAdmitted(account, configured(shop)), true)
  assert.equal(isAdmitted(person, configured(ONLY)), false)
  assert.equal(isAdmitted(admin, configured(ONLY)), true)
})
