/** What a run of the benchmark finds: the shape of docs/performance/results.json. */
import type { Workload } from "./workloads.ts"

export type Figures = {
  readonly workload: Workload
  readonly target: string
  readonly connections: number
  readonly rounds: number
  /** In all rounds together. */
  readonly requests: number
  /** Medians of the rounds. */
  readonly requestsPerSecond: number
  /** The median of the rounds' own ratios to the bare server. */
  readonly ofBare: number
  /** Milliseconds; the worst is that of all rounds. */
  readonly p50: number
  readonly p99: number
  readonly worst: number
  /** Of processor, a request: of the server, or of all nodes together. */
  readonly serverMicroseconds: number
  /** Of PostgreSQL; null on SQLite. */
  readonly databaseMicroseconds: number | null
  readonly generatorBusy: number
}

export type Memory = {
  readonly target: string
  readonly startMiB: number
  readonly endMiB: number
  readonly peakMiB: number
}

export type CommitRate = {
  readonly clients: number
  readonly rowsACommit: number
  readonly commitsPerSecond: number
  readonly rowsPerSecond: number
  readonly milliseconds: number
}

/** Refreshes with this many nodes, each with the same number of connections. */
export type PerNode = {
  readonly nodes: number
  readonly connections: number
  readonly requestsPerSecond: number
  readonly p50: number
  readonly p99: number
}

export type Grown = {
  readonly credentials: number
  readonly fillSeconds: number
  /** As it was filled: each credential with one live access token. */
  readonly databaseMiB: number
  readonly bytesEach: number
  /** Milliseconds from the start of the process; medians. */
  readonly untilHealthy: number
  readonly untilRefreshed: number
  readonly requestsPerSecond: number
  /** Medians of the rounds' own ratios, with all rows as long as they get. */
  readonly ofSmallest: number
  /** The same before that: rows as they were filled, which each refresh makes longer, up to eight live access tokens. */
  readonly ofSmallestWhileGrowing: number
  readonly ofBare: number
  readonly p50: number
  readonly p99: number
  readonly serverMicroseconds: number
  readonly residentMiB: number
  readonly peakMiB: number
}

export type Depth = {
  readonly connections: number
  readonly requestsPerSecond: number
  readonly changesACommit: number
  readonly p50: number
  readonly p99: number
}

export type Machine = {
  readonly cores: number
  readonly processor: string
  readonly memoryGiB: number
  readonly system: string
  readonly node: string
  readonly isPinned: boolean
  readonly filesystem: string
}

export type Results = {
  readonly at: string
  readonly arguments: readonly string[]
  readonly minutes: number
  readonly machine: Machine
  readonly embedded: { readonly figures: readonly Figures[]; readonly memory: readonly Memory[] } | null
  readonly postgres: {
    readonly version: string
    readonly placement: string
    readonly commits: readonly CommitRate[]
    readonly figures: readonly Figures[]
    readonly perNode: readonly PerNode[]
    readonly memory: readonly Memory[]
  } | null
  readonly growth: readonly Grown[] | null
  readonly depth: readonly Depth[] | null
  /** What was not measured this time and is kept from another run, and when that was. */
  readonly earlier?: Readonly<Record<string, string>>
  /** Answers that were not what they had to be. */
  readonly failures: readonly string[]
}
