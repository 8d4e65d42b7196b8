/**
 * Walks through the life of a credential and compares it with a model. The model knows only when each refresh token was
 * retired.
 */
import assert from "node:assert/strict"
import fc from "fast-check"
import { codeState, decideCode } from "../../../src/oauth/token/grants/authorization-code.rules.ts"
import type { Hash } from "../../../src/kernel/ids.ts"
import {
  asOf,
  type Credential,
  familyOf,
  type Life,
  type RevokedBecause,
} from "../../../src/model/credential.rules.ts"
import {
  type CredentialEvent,
  decideCredential,
  presentedEvent,
} from "../../../src/oauth/credential/credential-table.rules.ts"
import { rotate, startFamily } from "../../../src/oauth/credential/family.rules.ts"
import { classify, type Presented } from "../../../src/oauth/credential/refresh-token.rules.ts"
import { DAY, YEAR } from "../../../src/kernel/time.ts"
import { historyOf, pick, type Step, stepOf } from "../../support/history.ts"
import { consent, credential, NOW, pair, permissions, TOKEN_ID } from "../../support/core-sample.ts"

const KEY = "family key"
const WINDOW = 60
/** The clock of another node may be ahead by this much. */
const APART = 5
const KINDS: readonly Presented[] = [
  "current",
  "previousWithinGrace",
  "olderWithinGrace",
  "reusedAfterGrace",
  "neverIssued",
]

export const walk = fc.record({
  lifetime: fc.constantFrom(300, 1000, 80 * DAY, YEAR),
  steps: historyOf(stepOf({ wait: 14, until: 2, exchange: 2, refresh: 34, revoke: 1 }), {
    minLength: 20,
    maxLength: 60,
  }),
})

type CredentialStep = Step<"wait" | "until" | "exchange" | "refresh" | "revoke">

const BACK = [-1, -2, -30]
/** Times near the ends of the grace period and of the allowed clock difference. */
const EDGES = [0, 1, 5, 6, 59, 60, 61, 62]
const FAR = [599, 601, 3600, 30 * DAY, 91 * DAY]
const PARTS = ["secret", "generation", "mac"] as const

function secondsOf({ of, which }: CredentialStep): number {
  return pick([BACK, BACK, EDGES, EDGES, FAR][of % 9] ?? [], which) ?? which % 71
}

/** Returns a token from some generations ago. 0 is the current token. */
function ageOf({ of, which }: CredentialStep): number {
  const kind = of % 12
  return kind < 8 ? 0 : kind < 10 ? 1 : 2 + (which % 13)
}

/**
 * The facts that the model knows without the tables: when each generation was retired, and whether the credential has
 * ended.
 */
type Model = {
  life: Life["state"]
  generation: number
  readonly retiredAt: number[]
  /** Up to this generation, grace periods had ended when a later one was retired. They stay ended. */
  overUpTo: number
  rotatedAt: number
  readonly endsAt: number
}

function isOverByTime(model: Model, now: number): boolean {
  if (model.life === "issued") return now > NOW + 600
  return model.life === "active" && (now > model.endsAt || now > model.rotatedAt + 90 * DAY)
}

function isPast(model: Model, generation: number, now: number): boolean {
  const at = model.retiredAt[generation] ?? assert.fail("a retired generation has its time")
  return at > now + APART || now > at + WINDOW
}

/** Classifies the token of a generation according to the model. */
function kindOf(model: Model, generation: number, now: number): Presented {
  if (generation < 1 || generation > model.generation) return "neverIssued"
  if (generation === model.generation) return "current"
  if (generation <= model.overUpTo || isPast(model, generation, now)) return "reusedAfterGrace"
  return generation === model.generation - 1 ? "previousWithinGrace" : "olderWithinGrace"
}

function expectedDecision(life: Life["state"], kind: Presented): string {
  if (life === "issued" || kind === "neverIssued") return "refuse refreshTokenUnknown"
  if (life === "revoked") return "refuse credentialRevoked"
  if (life === "ended") return "refuse credentialEnded"
  return {
    current: "rotate",
    previousWithinGrace: "answerAgain",
    olderWithinGrace: "refuse refreshTokenRetired",
    reusedAfterGrace: "revoke refreshTokenReused",
  }[kind]
}

function expectedExchange({ life, generation }: Model, isRight: boolean): string {
  if (life === "issued") return isRight ? "mint" : "refuse verifierWrong"
  if (generation > 0) return "revoke codeReplayed"
  return life === "ended" ? "refuse codeExpired" : "refuse codeVoid"
}

function textOf(decision: {
  readonly decision: string
  readonly refusal?: { readonly reason: string } | null
}): string {
  const reason = decision.refusal?.reason
  return reason === undefined ? decision.decision : `${decision.decision} ${reason}`
}

/** Every pair is requested from a different address. */
function addressAt(now: number): string {
  return `2001:db8::${now.toString(16)}`
}

export class Walker {
  now = NOW
  credential: Credential
  readonly model: Model
  /** The cells of the tables that all walks together have reached. */
  readonly #reached: Set<string>

  constructor(lifetime: number, reached: Set<string>) {
    this.credential = { ...credential({ state: "issued" }), consent: { ...consent, endsAt: NOW + lifetime } }
    this.model = {
      life: "issued",
      generation: 0,
      retiredAt: [],
      overUpTo: 0,
      rotatedAt: NOW,
      endsAt: NOW + lifetime,
    }
    this.#reached = reached
  }

  take(next: CredentialStep): void {
    if (next.kind === "wait") this.now += secondsOf(next)
    else if (next.kind === "until") this.#waitUntilAlmost(next.which % 2 === 0 ? "end" : "idle")
    else {
      this.#tellTheTime()
      if (next.kind === "exchange") this.#exchange(next.which % 2 === 0)
      else if (next.kind === "revoke") this.#decide({ event: "revoked", because: "account-holder" })
      else if (next.how % 8 > 0) this.#refresh(ageOf(next))
      else this.#forge(pick(PARTS, next.which) ?? "secret", next.of % 13)
    }
  }

  /** Waits until a few seconds before the credential's end, or before ninety days without a rotation. */
  #waitUntilAlmost(what: "end" | "idle"): void {
    const target = what === "end" ? this.model.endsAt : this.model.rotatedAt + 90 * DAY
    this.now = Math.max(this.now, target - 20)
  }

  /** If time has ended the credential, stores this with the response that reports it. */
  #tellTheTime(): void {
    if (isOverByTime(this.model, this.now)) this.model.life = "ended"
    this.credential = asOf(this.credential, this.now)
    assert.equal(this.credential.life.state, this.model.life)
    const last = familyOf(this.credential)
    if (last !== null) assert.equal(last.rotatedFrom, addressAt(this.model.rotatedAt))
  }

  #exchange(isRight: boolean): void {
    const event = isRight
      ? ({ event: "exchanged" } as const)
      : ({ event: "exchangedWrongly", refusal: { reason: "verifierWrong", tokenId: TOKEN_ID } } as const)
    this.#reached.add(`code ${codeState(this.credential).state} ${event.event}`)
    const decision = textOf(decideCode(this.credential, event))
    assert.equal(decision, expectedExchange(this.model, isRight))
    if (decision === "mint") this.#mint()
    if (decision.startsWith("revoke")) this.#revoke("code-replayed")
  }

  #refresh(generationsAgo: number): void {
    const family = familyOf(this.credential)
    if (family === null) {
      // Such a credential has no token. The table must still define what happens.
      for (const kind of KINDS) this.#decidePresented(kind)
      return
    }
    const generation = this.model.generation - generationsAgo
    const token = { generation, hash: pair(generation).refreshHash, isGenuine: (key: string) => key === KEY }
    const kind = classify(family, token, this.now)
    assert.equal(kind, kindOf(this.model, generation, this.now))
    this.#decidePresented(kind)
  }

  #forge(part: "secret" | "generation" | "mac", generationsAgo: number): void {
    const family = familyOf(this.credential)
    if (family === null) return
    const generation = this.model.generation - generationsAgo
    const altered = {
      secret: { generation, hash: "forged".padStart(43) as Hash, isGenuine: () => false },
      generation: { generation: generation + 1, hash: pair(generation).refreshHash, isGenuine: () => false },
      mac: { generation: generation - 2, hash: pair(generation - 2).refreshHash, isGenuine: () => false },
    }[part]
    const isWholeAfterAll = part === "mac" && altered.generation >= this.model.generation - 1
    if (isWholeAfterAll) return
    assert.equal(classify(family, altered, this.now), "neverIssued")
    this.#decidePresented("neverIssued")
  }

  #decidePresented(kind: Presented): void {
    const retired = { hash: pair(1).refreshHash, answeredScope: [] }
    const expected = expectedDecision(this.model.life, kind)
    const decision = this.#decide(presentedEvent(kind, familyOf(this.credential)?.retired ?? retired))
    assert.equal(decision, expected)
    if (decision === "rotate") this.#rotate()
  }

  #decide(event: CredentialEvent): string {
    this.#reached.add(`credential ${this.credential.life.state} ${event.event}`)
    const decision = decideCredential(this.credential, event)
    if (decision.decision === "revoke") this.#revoke(decision.because)
    return textOf(decision)
  }

  #mint(): void {
    const family = startFamily(this.credential.consent, pair(1), KEY, 3600, this.now, addressAt(this.now))
    this.credential = { ...this.credential, life: { state: "active", family, elevatedUntil: null } }
    Object.assign(this.model, { life: "active", generation: 1, rotatedAt: this.now })
  }

  #rotate(): void {
    const { life } = this.credential
    if (life.state !== "active") assert.fail("only what is active rotates")
    const generation = life.family.generation + 1
    const rotation = {
      pair: pair(generation),
      narrowedTo: null,
      answeredScope: permissions("x"),
      accessSeconds: 60,
      from: addressAt(this.now),
    }
    const family = rotate(this.credential.consent, life.family, rotation, this.now)
    this.credential = { ...this.credential, life: { ...life, family } }
    for (let earlier = 1; earlier < this.model.generation; earlier++) {
      if (isPast(this.model, earlier, this.now)) this.model.overUpTo = Math.max(this.model.overUpTo, earlier)
    }
    const last = this.model.retiredAt[this.model.generation - 1] ?? 0
    const isByAnother = last > this.now && last <= this.now + APART
    this.model.retiredAt[this.model.generation] = isByAnother ? last : this.now
    Object.assign(this.model, { generation, rotatedAt: this.now })
  }

  #revoke(because: RevokedBecause): void {
    const { life } = this.credential
    if (life.state === "revoked" || life.state === "ended") return
    const family = familyOf(this.credential)
    this.credential = {
      ...this.credential,
      life: { state: "revoked", family, revokedAt: this.now, because },
    }
    this.model.life = "revoked"
  }

  /** Returns how many of all issued tokens are in force. */
  tokensInForce(): number {
    const family = familyOf(this.credential)
    if (family === null) return 0
    const generations = Array.from({ length: this.model.generation }, (_, index) => index + 1)
    return generations.filter((generation) => {
      const token = {
        generation,
        hash: pair(generation).refreshHash,
        isGenuine: (key: string) => key === KEY,
      }
      return classify(family, token, this.now) === "current"
    }).length
  }
}
