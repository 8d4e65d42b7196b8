/** Says how long each measurement of a run takes. */
import { POLL_REST, type Sizes } from "./stock.ts"
import type { Workload } from "./workloads.ts"

export type Lengths = { readonly seconds: number; readonly rounds: number }

export type Plan = {
  readonly workloads: readonly Workload[]
  readonly warmUpSeconds: number
  /** The lengths with 64 connections and with one. */
  readonly many: Lengths
  readonly one: Lengths
  readonly postgresRounds: number
  readonly commitSeconds: number
  /** The numbers of credentials for growth. If the list is empty, growth is not measured. */
  readonly grown: readonly number[]
  readonly starts: number
  readonly depths: readonly number[]
  readonly depthSeconds: number
  /** The number of credentials on each server, in addition to those that are exchanged. */
  readonly credentials: number
  /** A measurement ends after this many requests, even within its time limit. */
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

/** Takes about two minutes. The results are good for a first look, but not for publication. */
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

/**
 * Takes a few seconds and only checks that responses are correct. It counts requests and has no time limit, because a
 * busy machine could miss one.
 */
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

/** Codes for this many requests per second are prepared. A faster server is measured for a shorter time. */
const RATES = {
  embedded: [12_000, 4_000],
  "oidc-provider": [3_000, 1_500],
  postgres: [6_000, 1_000],
} as const

export type Kind = keyof typeof RATES

/** Returns how many requests a measurement may send if its workload uses up codes. */
export function mostOf(
  plan: Pick<Plan, "askedAtMost">,
  kind: Kind,
  connections: number,
  seconds: number,
): number {
  const [many, one] = RATES[kind]
  return Math.min(plan.askedAtMost, Math.ceil(seconds * (connections === 1 ? one : many)) + connections)
}

/** Returns how much a server of this kind is filled with. `sharing` targets share the result. */
export function sizesFor(plan: Plan, kind: Kind, sharing = 1): Sizes {
  const { many, one, warmUpSeconds, credentials } = plan
  const rounds = kind === "postgres" ? plan.postgresRounds : many.rounds
  const round = mostOf(plan, kind, MANY, many.seconds)
  const used =
    (round * rounds + mostOf(plan, kind, MANY, warmUpSeconds)) * sharing +
    mostOf(plan, kind, 1, one.seconds) * one.rounds +
    500
  // After a poll, a device waits for its interval while the other targets of the round are measured.
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
