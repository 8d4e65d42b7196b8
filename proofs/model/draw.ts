/** The parts of histories: single steps, concurrent steps, and series of steps that only make sense together. */
import fc from "fast-check"
import { choice, historyOf, type Step, stepOf } from "../../test/support/history.ts"
import { ACCESS_TOKENS_AT_MOST } from "./limits.ts"

/** Steps that only make sense together. They run one after the other, and each chooses among what exists by then. */
export type Series = { readonly series: readonly Step[] }
/** Steps that run at once, usually on the same thing. */
export type Batch = { readonly atOnce: readonly Step[] }

const single = stepOf({
  authorize: 10,
  "come back": 7,
  "ask again": 1,
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
  "change groups": 7,
  wait: 12,
  until: 10,
  "rotate a key": 1,
  restart: 1,
})

/** Steps that make sense at the same time. */
const together = stepOf({
  exchange: 1,
  refresh: 3,
  revoke: 1,
  introspect: 1,
  call: 1,
  answer: 1,
  poll: 1,
  "change account": 1,
  "change app": 1,
  "change groups": 1,
  "step up": 1,
  "open a code": 1,
  "ask for a device": 1,
})

/** A batch of steps of one kind on one thing, or of any steps. */
const batch: fc.Arbitrary<Batch> = fc
  .tuple(fc.array(together, { minLength: 2, maxLength: 4, size: "max" }), fc.nat(2))
  .map(([steps, alike]) => {
    const [first] = steps
    if (first === undefined || alike === 0) return { atOnce: steps }
    return {
      atOnce: steps.map((step) => ({ ...step, of: first.of, ...(alike === 1 && { kind: first.kind }) })),
    }
  })

/** Refreshes one credential until its first access tokens are removed. */
const refreshes: fc.Arbitrary<Series> = choice.map((of) => ({
  series: Array.from({ length: ACCESS_TOKENS_AT_MOST + 3 }, () => ({
    kind: "refresh",
    of,
    which: 0,
    how: 1,
  })),
}))

/** Elevates a credential and checks it when the elevation has ended: late, and again with the clock set back. */
const elevation: fc.Arbitrary<Series> = choice.map((how) => ({
  series: [
    { kind: "step up", of: 11, which: 1, how: 1 },
    { kind: "open a code", of: 11, which: 1, how: 1 },
    { kind: "answer", of: 11, which: 1, how: 1 },
    { kind: "until", of: 11, which: 10, how },
  ],
}))

/** The numbers that choose the newest, and the one before it. */
const NEWEST = 26
const BEFORE_IT = 21

const step = (kind: Step["kind"], how: number, of = NEWEST, which = 1): Step => ({ kind, of, which, how })
const SAME = 0
const PLAIN = 11
/** A sign-in at the first app that is remembered, for all that it may ask for. */
const first = [step("come back", SAME, NEWEST, 12), step("answer", 1)]

/** Signs in more often than a browser session keeps credentials. */
const handful: readonly Step[] = [
  ...first,
  step("exchange", PLAIN),
  ...Array.from({ length: 6 }, () => [step("come back", SAME), step("exchange", PLAIN)]).flat(),
]

/** Asks for a code without a page, ends what allowed it, and exchanges the code. */
const ends: Readonly<Record<string, readonly Step[]>> = {
  "nothing more": [],
  "a later click on less": [step("come back", SAME, NEWEST, 2), step("answer", 1)],
  "a ceiling without openid": [step("change app", SAME, 0, 0)],
}
const late: fc.Arbitrary<readonly Step[]> = fc
  .constantFrom(...Object.values(ends))
  .map((meanwhile) => [
    ...first,
    step("exchange", PLAIN),
    step("come back", SAME),
    step("ask again", 1),
    ...meanwhile,
    step("exchange", PLAIN, BEFORE_IT),
    step("exchange", PLAIN),
  ])

/** Signs in more often than an hour allows. */
const often: readonly Step[] = [...first, ...Array.from({ length: 62 }, () => step("come back", SAME))]

/** Refreshes with a JWT for an API with RS256. */
const jwtRefresh = step("refresh", 1, NEWEST, 16)
const look = step("introspect", PLAIN)
const rotations = {
  now: step("rotate a key", 1, NEWEST, 2),
  later: step("rotate a key", 3, NEWEST, 1),
}

/** A JWT before and after its key is withdrawn, at the time of a turn too. A repeat is signed again. */
const signed: fc.Arbitrary<readonly Step[]> = fc
  .tuple(fc.boolean(), fc.boolean())
  .map(([turnsFirst, isRepeated]) => [
    ...first,
    step("exchange", PLAIN),
    ...(turnsFirst ? [rotations.later] : []),
    jwtRefresh,
    look,
    step("call", 12),
    rotations.now,
    look,
    ...(isRepeated ? [step("refresh", 7, NEWEST, 2), look] : []),
    step("revoke", 3),
    look,
  ])

const series: fc.Arbitrary<Series> = fc
  .oneof(
    { weight: 3, arbitrary: fc.constant(handful) },
    { weight: 4, arbitrary: late },
    { weight: 1, arbitrary: fc.constant(often) },
    { weight: 3, arbitrary: signed },
  )
  .map((steps) => ({ series: steps }))

/** The maximum number of steps, of which a few do nothing. */
const STEPS_AT_MOST = 150

export type Drawn = Step | Batch | Series

export const history: fc.Arbitrary<readonly Drawn[]> = historyOf(
  fc.oneof(
    { weight: 180, arbitrary: single },
    { weight: 40, arbitrary: batch },
    { weight: 2, arbitrary: refreshes },
    { weight: 2, arbitrary: elevation },
    { weight: 3, arbitrary: series },
  ),
  { maxLength: STEPS_AT_MOST },
)
