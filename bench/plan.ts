/** How long a run measures what. */
import type { List, Sizes } from "./stock.ts"
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
  credentials: 20_000,
}

/** About two minutes: figures to look at, not to quote. */
export const quick: Lasting = {
  warmUpSeconds: 1,
  many: { seconds: 1, rounds: 2 },
  one: { seconds: 0.7, rounds: 1 },
  postgresRounds: 1,
  commitSeconds: 2,
  grown: [1_000, 100_000],
  starts: 3,
  depths: [1, 8, 64],
  depthSeconds: 1,
  credentials: 5_000,
}

/** A few seconds: whether the answers are right. */
export const tiny: Lasting = {
  warmUpSeconds: 0,
  many: { seconds: 0.2, rounds: 1 },
  one: { seconds: 0.1, rounds: 1 },
  postgresRounds: 1,
  commitSeconds: 1,
  grown: [],
  starts: 1,
  depths: [],
  depthSeconds: 0,
  credentials: 200,
}

/** What can be asked with once is given out for this many requests a second; a quicker server is measured for less time. */
const RATES = {
  embedded: [12_000, 4_000],
  "oidc-provider": [3_000, 1_500],
  postgres: [8_000, 1_000],
} as const

export type Kind = keyof typeof RATES

/** How many requests one measurement may make of a workload that uses its codes up. */
export function mostOf(kind: Kind, connections: number, seconds: number): number {
  const [many, one] = RATES[kind]
  return Math.ceil(seconds * (connections === 1 ? one : many)) + connections
}

/** What a server of this kind is filled with. `targets` of them share it. */
export function sizesFor(plan: Plan, kind: Kind, targets = 1): Sizes {
  const rounds = kind === "postgres" ? plan.postgresRounds : plan.many.rounds
  const many = mostOf(kind, MANY, plan.many.seconds) * rounds + mostOf(kind, MANY, plan.warmUpSeconds)
  const used = many * targets + mostOf(kind, 1, plan.one.seconds) * plan.one.rounds + 500
  const usedBy = (workload: Workload) => (plan.workloads.includes(workload) ? used : 1)
  const pending = Math.ceil(mostOf(kind, MANY, plan.many.seconds) * 1.5)
  const sizes: Record<List, number> = {
    "refresh-tokens": plan.credentials,
    "access-tokens": plan.credentials,
    codes: usedBy("exchange"),
    approved: usedBy("poll-final"),
    pending: plan.workloads.includes("poll-pending") ? pending : 1,
    cookies: 200,
  }
  return sizes
}
