import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { Browser, hiddenFields } from "../../support/browser.ts"
import { fixture } from "../../support/fixture.ts"
import { PASSWORD } from "../../support/test-server.ts"
import { everything } from "../../support/stored.ts"
import { PASSWORD_TRIES } from "../../../src/kernel/account-limits.ts"

let counter = 0

const { testServer, userIds } = await fixture({ trustedProxies: ["127.0.0.1/32"], accounts: ["bob", "eve"] })

/** Returns a browser at an address that has made no attempt yet. */
function elsewhere(): Browser {
  counter += 1
  return new Browser(testServer.url, { "x-forwarded-for": `198.51.${counter >> 8}.${counter & 255}` })
}

/**
 * Makes all attempts at once. If the password queue has no room, the attempt is repeated, as the page says (LOAD-3).
 */
async function tries(times: number, attempt: () => Promise<{ status: number }>): Promise<number[]> {
  const untilChecked = async () => {
    for (let left = 500; left > 0; left--) {
      const { status } = await attempt()
      if (status !== 503) return status
    }
    throw new Error("the queue never had room")
  }
  return Promise.all(Array.from({ length: times }, untilChecked))
}

function count(statuses: readonly number[], status: number): number {
  return statuses.filter((one) => one === status).length
}

test("ERR-11, SVC-2: an unknown name and a wrong password get the same bytes", async () => {
  const answers = []
  for (const username of ["bob", "zed"]) {
    const browser = elsewhere()
    const answer = await browser.signIn(username, "not the password")
    const csrf = hiddenFields(answer.text, "/sign-in")["csrf"] ?? ""
    assert.equal(csrf.length, 43)
    const headers = [...answer.headers].filter(([name]) => name !== "date" && name !== "x-request-id")
    answers.push({
      status: answer.status,
      headers,
      text: answer.text
        .replaceAll(csrf, "csrf")
        .replaceAll(`value="${username}"`, "name")
        .replaceAll(/(data-options|name="challenge" value)="[^"]+"/g, "$1"),
    })
  }
  assert.equal(answers[0]?.status, 403)
  assert.deepEqual(answers[0], answers[1])
  testServer.clock.advance(600)
})

describe("RATE-2: wrong passwords slow further tries down", () => {
  test("300 for a network, except in a browser that signed in before", async () => {
    const from = (last: string) => new Browser(testServer.url, { "x-forwarded-for": `2001:db8:1:${last}::1` })
    const known = from("1")
    assert.equal((await known.signIn("eve", PASSWORD)).status, 303)
    await known.submit(await known.get("/account"), "/sign-out", {})
    assert.equal((await from("2").signIn("unknown", "wrong")).status, 403)
    const { guesses } = testServer.latchkey
    const ofNetwork = { key: "sign-in network:2001:db8:1::/48", limit: PASSWORD_TRIES.network }
    let left = 0
    while ((await guesses.spendAll([ofNetwork])).admitted) left += 1
    assert.equal(
      left,
      PASSWORD_TRIES.network.requests - 1,
      "the wrong password counts, the right one does not",
    )
    assert.equal((await from("3").signIn("unknown", "wrong")).status, 429)
    assert.equal((await known.signIn("eve", PASSWORD)).status, 303)
    assert.equal((await elsewhere().signIn("eve", PASSWORD)).status, 303)
    testServer.clock.advance(600)
  })

  test("ten for an account, from wherever they come, also all at once", async () => {
    const statuses = await tries(30, () => elsewhere().signIn("bob", "not the password"))
    assert.deepEqual([count(statuses, 403), count(statuses, 429)], [10, 20])
    const right = await elsewhere().signIn("BOB ", PASSWORD)
    assert.equal(right.status, 429)
    assert.equal(right.headers.get("retry-after"), "600")
    testServer.clock.advance(599)
    const late = await elsewhere().signIn("bob", PASSWORD)
    assert.deepEqual([late.status, late.headers.get("retry-after")], [429, "1"])
    testServer.clock.advance(1)
    assert.equal((await elsewhere().signIn("bob", PASSWORD)).status, 303)
  })

  test("an unknown name is slowed down just as a known one", async () => {
    const statuses = await tries(12, () => elsewhere().signIn("zoe", "not the password"))
    assert.deepEqual([count(statuses, 403), count(statuses, 429)], [10, 2])
  })

  test("thirty from an address, whatever the names", async () => {
    const browser = elsewhere()
    let name = 0
    const statuses = await tries(40, () => browser.signIn(`name ${name++}`, "not the password"))
    assert.deepEqual([count(statuses, 403), count(statuses, 429)], [30, 10])
    assert.equal((await browser.signIn("eve", PASSWORD)).status, 429)
    assert.equal((await elsewhere().signIn("eve", PASSWORD)).status, 303)
    testServer.clock.advance(600)
    assert.equal((await browser.signIn("eve", PASSWORD)).status, 303)
  })

  test("right passwords are not counted", async () => {
    for (let n = 0; n < 12; n++) assert.equal((await elsewhere().signIn("eve", PASSWORD)).status, 303)
  })
})

test("RATE-2: a browser that signed in before is not shut out by the guesses of others", async () => {
  testServer.clock.advance(600)
  const known = elsewhere()
  assert.equal((await known.signIn("bob", PASSWORD)).status, 303)
  await known.submit(await known.get("/account"), "/sign-out", {})
  await tries(12, () => elsewhere().signIn("bob", "not the password"))
  assert.equal((await elsewhere().signIn("bob", PASSWORD)).status, 429)
  assert.equal((await known.signIn("bob", PASSWORD)).status, 303)

  await known.submit(await known.get("/account"), "/sign-out", {})
  const statuses = await tries(12, () => known.signIn("bob", "not the password"))
  assert.deepEqual([count(statuses, 403), count(statuses, 429)], [10, 2], "but has ten tries of its own")
})

test("RATE-2: a browser that signed in to one account is not known to another", async () => {
  testServer.clock.advance(600)
  const browser = elsewhere()
  await browser.signIn("eve", PASSWORD)
  await browser.submit(await browser.get("/account"), "/sign-out", {})
  await tries(10, () => elsewhere().signIn("bob", "not the password"))
  assert.equal((await browser.signIn("bob", PASSWORD)).status, 429)
})

test("AUDIT-2: a series of wrong passwords is one event of its own, of an account and of an address", async () => {
  testServer.clock.advance(600)
  const suspected = () => testServer.store.events({ kinds: ["guessing-suspected"] }, { limit: 99 })
  const latest = async () => {
    const [last] = await suspected()
    return [last?.userId, last?.detail, last?.address]
  }
  const earlier = (await suspected()).length
  await tries(9, () => elsewhere().signIn("eve", "not the password"))
  assert.equal((await suspected()).length, earlier, "nine wrong passwords are not a series")
  await tries(1, () => elsewhere().signIn("eve", "not the password"))
  await tries(1, () => elsewhere().signIn("eve", "not the password"))
  assert.equal((await suspected()).length, earlier + 1)
  const [userId, ofAccount] = await latest()
  assert.deepEqual([userId, ofAccount], [userIds.eve, "10 wrong passwords in 10 minutes"])

  const browser = elsewhere()
  const address = `198.51.${counter >> 8}.${counter & 255}`
  let name = 0
  const guess = () => browser.signIn(`someone ${name++}`, "not the password")
  await tries(29, guess)
  await tries(1, guess)
  await tries(1, guess)
  assert.deepEqual(await latest(), [null, "30 wrong passwords in 10 minutes", address])
  assert.equal((await suspected()).length, earlier + 2)
})

test("RATE-2: guesses are in the audit trail, by account and address, and passwords are not", async () => {
  testServer.clock.advance(600)
  await elsewhere().signIn("bob", "a guess that stays unknown")
  const { event = [] } = await everything(testServer)
  const last = event.toSorted((a, b) => Number(a["id"]) - Number(b["id"])).at(-1)
  assert.deepEqual(
    [last?.["kind"], last?.["address"]],
    ["sign-in-refused", `198.51.${counter >> 8}.${counter & 255}`],
  )
  assert.equal(JSON.stringify(event).includes("a guess"), false)
})
