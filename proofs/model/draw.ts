/** What a history is drawn from: numbers that stand for choices among what there is when their turn comes. */
import fc from "fast-check"
import { ACCESS_TOKENS_AT_MOST } from "./limits.ts"
import type { Operation } from "./operation.ts"

export type Kind = Exclude<Operation["do"], "sign in" | Half> | "until"

/** Never drawn by itself: the second half of another operation. */
type Half = "end" | "prove a step-up" | "decide a step-up" | "look at a code"

/** `of` chooses among things, `which` among their parts, `how` what is unusual about it. */
export type Draw = { readonly kind: Kind; readonly of: number; readonly which: number; readonly how: number }
/** What leads somewhere only together: one after the other, each chosen among what there is by then. */
export type Series = { readonly series: readonly Draw[] }
/** At once, and mostly about the same thing. */
export type Batch = { readonly atOnce: readonly Draw[] }

/** How often each comes up. */
const WEIGHTS: Readonly<Record<Kind, number>> = {
  authorize: 10,
  answer: 14,
  exchange: 14,
  refresh: 30,
  revoke: 2,
  introspect: 10,
  call: 6,
  "ask for a device": 6,
  "open a code": 8,
  poll: 10,
  "step up": 5,
  "change account": 4,
  "change app": 6,
  wait: 12,
  until: 10,
  restart: 1,
}

/** What makes sense at once. */
const TOGETHER: readonly Kind[] = [
  ...["exchange", "refresh", "refresh", "refresh", "revoke", "introspect", "call", "answer", "poll"],
  ...["change account", "change app", "step up", "open a code", "ask for a device"],
] as Kind[]

const number = fc.noBias(fc.nat(9999))
const kinds = Object.entries(WEIGHTS).flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind as Kind))

const single: fc.Arbitrary<Draw> = fc.record({
  kind: fc.constantFrom(...kinds),
  of: number,
  which: number,
  how: number,
})

const together: fc.Arbitrary<Draw> = fc.record({
  kind: fc.constantFrom(...TOGETHER),
  of: number,
  which: number,
  how: number,
})

/** Of one kind and one thing, or as it comes. */
const batch: fc.Arbitrary<Batch> = fc
  .tuple(fc.array(together, { minLength: 2, maxLength: 4, size: "max" }), fc.nat(2))
  .map(([draws, alike]) => {
    const [first] = draws
    if (first === undefined || alike === 0) return { atOnce: draws }
    return {
      atOnce: draws.map((draw) => ({ ...draw, of: first.of, ...(alike === 1 && { kind: first.kind }) })),
    }
  })

/** One credential is refreshed until its first access tokens are pushed out. */
const refreshes: fc.Arbitrary<Series> = number.map((of) => ({
  series: Array.from({ length: ACCESS_TOKENS_AT_MOST + 3 }, () => ({
    kind: "refresh",
    of,
    which: 0,
    how: 1,
  })),
}))

/** One is elevated, and looked at when that is over: late, and again with the clock set back. */
const elevation: fc.Arbitrary<Series> = number.map((how) => ({
  series: [
    { kind: "step up", of: 11, which: 1, how: 1 },
    { kind: "open a code", of: 11, which: 1, how: 1 },
    { kind: "answer", of: 11, which: 1, how: 1 },
    { kind: "until", of: 11, which: 10, how },
  ],
}))

/** Draws of which a few come to nothing, and batches of several. */
const DRAWS_AT_MOST = 150

export type Drawn = Draw | Batch | Series

export const history: fc.Arbitrary<readonly Drawn[]> = fc.noBias(
  fc.array(
    fc.oneof(
      { weight: 180, arbitrary: single },
      { weight: 40, arbitrary: batch },
      { weight: 2, arbitrary: refreshes },
      { weight: 2, arbitrary: elevation },
    ),
    { maxLength: DRAWS_AT_MOST, size: "max" },
  ),
)
