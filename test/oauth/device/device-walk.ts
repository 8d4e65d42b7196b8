/**
 * Walks through the life of a device grant with the rules for polls and clicks, and compares it with a model. The model
 * counts clicks and remembers the responses.
 */
import assert from "node:assert/strict"
import fc from "fast-check"
import type { Permission } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { decideDeviceAnswer } from "../../../src/oauth/device/device-answer.rules.ts"
import { type DeviceGrant, deviceAsOf, type DeviceState } from "../../../src/model/device-grant.rules.ts"
import { decidePoll, pacedRefusal } from "../../../src/oauth/device/device-poll.rules.ts"
import { isAdmin } from "../../../src/model/permissions/permission.rules.ts"
import { historyOf, pick, type Step, stepOf } from "../../support/history.ts"
import {
  account,
  deviceGrant,
  deviceRequest,
  GRANT_ID,
  hash,
  NOW,
  pair,
  permissions,
  publicClient,
  sampleCatalog,
  USER_ID,
  bounds,
  standing,
} from "../../support/core-sample.ts"

/** A form of the first page, or of the confirmation page if it was shown. Both can be sent at any later time. */
type Click = {
  readonly authorizes: boolean
  readonly page: "first" | "confirmation"
  readonly isAdministrator: boolean
}

const PAGES = ["first", "confirmation"] as const
const JUMPS = [-1, -30, -700, 599, 601, 90_000]

const grants: Readonly<Record<string, readonly Permission[]>> = {
  plain: permissions("files:read workers:read"),
  administration: permissions("admin:accounts files:read workers:read"),
  implied: permissions("admin:hub admin:accounts files:read workers:read"),
  nothing: [],
}

export const walk = fc.record({
  granted: fc.constantFrom(...Object.keys(grants)),
  steps: historyOf(stepOf({ wait: 1, poll: 1, answer: 1 }), { minLength: 4, maxLength: 30 }),
})

/** The number of clicks on Authorize that each grant needs. A grant without permissions can never be approved. */
const CLICKS: Readonly<Record<string, number>> = {
  plain: 1,
  administration: 2,
  implied: 2,
  nothing: Number.POSITIVE_INFINITY,
}

export class Walker {
  grant: DeviceGrant = deviceGrant({ state: "pending" })
  now = NOW
  tokenResponses = 0
  /** The pages on which Authorize was clicked while the grant was pending. */
  readonly clicked = new Set<"first" | "confirmation">()
  /** The final state that a response has reported. It must stay the same. */
  finalState: DeviceState["state"] | null = null
  readonly clicksNeeded: number
  readonly #granted: readonly Permission[]
  readonly #reached: Set<string>
  #isConfirmationShown = false
  #isVoid = false

  constructor(granted: string, reached: Set<string>) {
    this.#granted = grants[granted] ?? assert.fail(granted)
    this.clicksNeeded = CLICKS[granted] ?? assert.fail(granted)
    this.#reached = reached
  }

  take({ kind, of, which, how }: Step<"wait" | "poll" | "answer">): void {
    if (kind === "wait") this.now += (of % 3 === 0 ? pick(JUMPS, which) : null) ?? which % 91
    else if (kind === "poll") this.#poll(which % 2 === 0, how % 10 > 0)
    else {
      const page = pick(PAGES, which) ?? "first"
      this.#click({ authorizes: how % 10 > 1, page, isAdministrator: of % 10 < 9 })
    }
  }

  get #state(): DeviceState["state"] {
    return deviceAsOf(this.grant, this.now).answer.state
  }

  #poll(isEarly: boolean, isAccountEnabled: boolean): void {
    const before = this.#state
    this.#reached.add(`${before} polled`)
    const { answer, changes } = decidePoll(
      sampleCatalog,
      {
        client: publicClient,
        grant: this.grant,
        approver: { ...account, enabled: isAccountEnabled },
        credential: null,
        deviceHash: hash("device"),
      },
      { now: this.now, address: "", accessSeconds: 3600, familyKey: "key", pairOf: () => pair(1) },
    )
    this.#apply(changes)
    if (answer.ok) {
      this.tokenResponses++
      assert.equal(before, "approved")
      assert.ok(!("elevated" in answer.value))
      this.finalState = "redeemed"
    } else {
      const isWaiting = answer.error.reason === "devicePending"
      const { reason } = isWaiting ? pacedRefusal(GRANT_ID, isEarly ? 10 : null) : answer.error
      this.#observe(before, reason, isEarly, isAccountEnabled)
    }
  }

  #observe(before: DeviceState["state"], reason: string, isEarly: boolean, isAccountEnabled: boolean): void {
    const expected = {
      pending: isEarly ? "devicePolledEarly" : "devicePending",
      approved: isAccountEnabled ? "a token response" : "deviceApprovalVoid",
      redeemed: "deviceRedeemed",
      denied: this.#isVoid ? "deviceApprovalVoid" : "deviceDenied",
      expired: "deviceExpired",
    }[before]
    assert.equal(reason, expected)
    if (before === "approved") this.#isVoid = true
    if (before !== "pending") this.finalState = this.grant.answer.state
  }

  #click({ authorizes, page, isAdministrator }: Click): void {
    if (page === "confirmation" && !this.#isConfirmationShown) return
    const before = this.#state
    this.#reached.add(`${before} ${authorizes && this.#granted.length > 0 ? "authorized" : "refused"}`)
    const isWithdrawn = authorizes && !isAdministrator && this.#granted.some(isAdmin)
    if (before === "pending" && authorizes && !isWithdrawn) this.clicked.add(page)
    const { answer, changes } = decideDeviceAnswer(sampleCatalog, {
      grant: this.grant,
      authorizes,
      isConfirmed: page === "confirmation",
      userId: USER_ID,
      granted: this.#granted,
      standing: standing(isAdministrator),
      bounds: bounds(this.#granted),
      openid: "{}",
      now: this.now,
      address: "",
    })
    const stored = this.grant
    this.#apply(changes)
    if (answer === "confirm") {
      this.#isConfirmationShown = true
      assert.equal(this.grant, stored, "the first Authorize stores nothing")
      assert.deepEqual(changes, [])
    }
    assert.equal(answer === "administration-withdrawn", before === "pending" && isWithdrawn)
    if (isWithdrawn && before === "pending") assert.deepEqual(changes, [])
    if (answer === "denied") this.finalState = "denied"
    assert.equal(answer === "too-late", before === "expired")
    if (answer === "too-late") this.finalState = "expired"
  }

  #apply(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.change !== "deviceGrantChanged") continue
      assert.equal(change.grant.request, deviceRequest, "what was asked for never changes")
      this.grant = change.grant
    }
  }
}
