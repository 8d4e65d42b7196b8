/** How long a run measures what. */
import { POLL_REST, type Sizes } from "./stock.ts"
import type { Workload } from "./workloads.ts"

export type Lengths = { readonly seconds: number; readonly rounds: number }

export type Plan = {
  readonly workloads: readonly Workload[]
  readonly warmUpSeconds: number
  /** With 64 connections and with one. */
  readonly many: Lengths
  readonly one: Lengths
  readonly postgresRounds: number
  readonly commitSeconds: number
  /** Numbers of credentials; none: growth is not measured. */
  readonly grown: readonly number[]
  readonly starts: number
  readonly depths: readonly number[]
  readonly depthSeconds: number
  /** How many credentials each server of the workloads holds beside what is exchanged. */
  readonly credentials: number
  /** One measurement ends after this many requests, whatever its time limit. */
  readonly askedAtMost: number
}

export const MANY = 64

type Lasting = Omit<Plan, "workloads">

export const full: Lasting = {
  warmUpSeconds: 3,
  many: { seconds: 3, rounds: 5 },
  one: { seconds: 2, rounds: 3 },
  postgresRounds: 3,
  commitSeconds: 8,
  grown: [1_000, 100_000, 1_000_000, 10_000_000],
  starts: 7,
  depths: [1, 2, 4, 8, 16, 32, 64, 128, 256],
  depthSeconds: 2,
  credentials: 150_000,
  askedAtMost: Number.MAX_SAFE_INTEGER,
}

/** About two minutes: figures to look at, not to quote. */
export const quick: Lasting = {
  warmUpSeconds: 1,
  many: { seconds: 1, rounds: 2 },
  one: { seconds: 0.7, rounds: 1 },
  postgresRounds: 1,
  commitSeconds: 3,
  grown: [1_000, 100_000],
  starts: 3,
  depths: [1, 8, 64],
  depthSeconds: 1,
  credentials: 5_000,
  askedAtMost: Number.MAX_SAFE_INTEGER,
}

/** A few seconds: whether the answers are right. A count of requests, and no time limit that a busy machine could miss. */
export const tiny: Lasting = {
  warmUpSeconds: 0,
  many: { seconds: 30, rounds: 1 },
  one: { seconds: 30, rounds: 1 },
  postgresRounds: 1,
  commitSeconds: 1,
  grown: [],
  starts: 1,
  depths: [],
  depthSeconds: 0,
  credentials: 200,
  askedAtMost: MANY,
}

/** What can be asked with once is given out for this many requests a second; a quicker server is measured for less time. */
const RATES = {
  embedded: [12_000, 4_000],
  "oidc-provider": [3_000, 1_500],
  postgres: [6_000, 1_000],
} as const

export type Kind = keyof typeof RATES

/** How many requests one measurement may make of a workload that uses its codes up. */
export function mostOf(
  plan: Pick<Plan, "askedAtMost">,
  kind: Kind,
  connections: number,
  seconds: number,
): number {
  const [many, one] = RATES[kind]
  return Math.min(plan.askedAtMost, Math.ceil(seconds * (connections === 1 ? one : many)) + connections)
}

/** What a server of this kind is filled with. `sharing` targets share it. */
export function sizesFor(plan: Plan, kind: Kind, sharing = 1): Sizes {
  const { many, one, warmUpSeconds, credentials } = plan
  const rounds = kind === "postgres" ? plan.postgresRounds : many.rounds
  const round = mostOf(plan, kind, MANY, many.seconds)
  const used =
    (round * rounds + mostOf(plan, kind, MANY, warmUpSeconds)) * sharing +
    mostOf(plan, kind, 1, one.seconds) * one.rounds +
    500
  // A device that polled rests while the others of its round are measured, and then some.
  const resting = (1 + Math.ceil(POLL_REST / 1000 / (many.seconds * (sharing + 1)))) * round * sharing
  const where = (workload: Workload, count: number) => (plan.workloads.includes(workload) ? count : 1)
  return {
    "refresh-tokens": credentials,
    "access-tokens": credentials,
    codes: where("exchange", used),
    "signed-codes": where("private_key_jwt", used),
    approved: where("poll-final", used),
    pending: where("poll-pending", Math.min(used, resting)),
    "bound-apps": where("client_credentials", 200),
    cookies: 200,
  }
}
