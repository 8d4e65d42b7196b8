/** The results of a benchmark run, in the form of docs/performance/results.json. */
import type { Engine } from "./one-service.ts"
import type { Stamp } from "./stamp.ts"
import type { Stage } from "./stages/stages.ts"
import type { Workload } from "./workloads.ts"

export type Figures = {
  readonly workload: Workload
  readonly target: string
  readonly connections: number
  readonly rounds: number
  /** The number of requests in all rounds. */
  readonly requests: number
  /** The median of all rounds. */
  readonly requestsPerSecond: number
  /** The median ratio to the bare server, with one ratio for each round. */
  readonly ofBare: number
  /** The percentiles are in milliseconds. `worst` is the largest value of all rounds. */
  readonly p50: number
  readonly p99: number
  readonly worst: number
  /** The processor time per request. For several nodes, this is their sum. */
  readonly serverMicroseconds: number
  /** The processor time of PostgreSQL per request. The value is null on SQLite. */
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

/** Refreshes with this many nodes. Each node has the same number of connections. */
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
  /** The size of the filled database. Each credential has one live access token. */
  readonly databaseMiB: number
  readonly bytesEach: number
  /** The median time from the start of the process, in milliseconds. */
  readonly untilHealthy: number
  readonly untilRefreshed: number
  readonly requestsPerSecond: number
  /** The median ratio to the smallest database, with one ratio for each round. All rows have their full length. */
  readonly ofSmallest: number
  /** The range of the middle half of these ratios. */
  readonly ofSmallestFrom: number
  readonly ofSmallestTo: number
  /**
   * The median ratio to the smallest database, measured earlier in the run. At that time, each refresh still makes its
   * row longer, up to eight live access tokens.
   */
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

export type Results = Stamp & {
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
  /** Parts that this run did not measure, with the stamps of their earlier runs. Older files have the time alone. */
  readonly earlier?: Readonly<Record<string, Stamp | string>>
  /** Descriptions of wrong responses. */
  readonly failures: readonly string[]
}

/** What `bench:signed` measured. */
export type Signatures = Stamp & {
  readonly machine: Results["machine"]
  readonly seconds: number
  readonly rounds: number
  readonly rows: readonly {
    readonly server: string
    readonly requestsPerSecond: number
    readonly least: number
    readonly most: number
    readonly serverMicroseconds: number
  }[]
}

/** The median of the rounds, in microseconds of processor a request, and the range of all rounds. */
export type Spread = { readonly microseconds: number; readonly least: number; readonly most: number }

export type StageBudget = {
  readonly workload: Workload
  readonly stages: readonly (Spread & { readonly stage: Stage })[]
  readonly total: Spread
}

/** What `bench:stages` measured. An engine has the time and the machine of its own run. */
export type Stages = {
  readonly [E in Engine]?: Stamp & {
    readonly machine: Machine
    readonly rounds: number
    readonly seconds: number
    readonly budgets: readonly StageBudget[]
  }
}
