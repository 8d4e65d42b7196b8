/** What `bench:figures` measures, in the form of docs/performance/figures.json. */
import type { Machine } from "../results.ts"
import type { Stamp } from "../stamp.ts"

/** The median of all rounds, with the least and the most. */
export type Spread = { readonly middle: number; readonly least: number; readonly most: number }

/** A part has the stamp and the machine of its own run. */
export type Part<Of> = Of &
  Stamp & {
    readonly minutes: number
    readonly machine: Machine
    /** The version of PostgreSQL, if the part used one. */
    readonly postgres: string | null
    /** What this run could not measure, and why. */
    readonly missing: readonly string[]
  }

export type Journeys = {
  readonly seconds: number
  readonly rounds: number
  readonly together: number
  /** How much of its core the generator used at most. 1 is a whole core. */
  readonly generatorBusy: number
  readonly rows: readonly Travelled[]
}

export type Travelled = {
  readonly server: string
  readonly hashing: string
  /** Whether each journey signs in, or starts signed in. */
  readonly signsIn: boolean
  readonly requests: number
  readonly journeysPerSecond: Spread
  /** The processor time of a journey: all processes, and each by itself. */
  readonly microseconds: Spread
  readonly shares: readonly { readonly of: string; readonly microseconds: number }[]
  /** The milliseconds of a journey. */
  readonly p50: number
  readonly p99: number
}

/** What refreshes at a fixed rate write. */
export type Writes = {
  readonly rate: number
  readonly seconds: number
  readonly rounds: number
  readonly credentials: number
  readonly rows: readonly WritesOf[]
}

export type WritesOf = {
  readonly server: string
  /** Calls that write to the database files or the log, and calls that wait for the disk. */
  readonly writesPerSecond: Spread
  readonly syncsPerSecond: Spread
  /** Bytes of the write-ahead log. */
  readonly logBytesPerRefresh: Spread
  /** Of the whole machine, without what it writes at rest. It is negative if it wrote more at rest. */
  readonly diskOperationsPerSecond: Spread
  readonly diskBytesPerSecond: Spread
  /** The milliseconds from the time at which a refresh was due. On SQLite, `strace` is attached. */
  readonly p99: number
}

/** How soon a revocation takes effect, in milliseconds from the request for it. */
export type Felt = {
  readonly times: number
  /** The service reads the log of invalidations at this interval, in milliseconds. */
  readonly lookedEvery: number
  /** A listener asks its kit at this interval. */
  readonly askedEvery: number
  readonly rows: readonly FeltBy[]
}

export type Quantiles = { readonly p50: number; readonly p99: number; readonly worst: number }

export type FeltBy = Quantiles & {
  readonly listeners: number
  readonly kinds: readonly (Quantiles & { readonly kind: string; readonly listeners: number })[]
  /** Until the last listener of each revocation has refused. */
  readonly last: Quantiles
  /** The part of a core that the service uses for the streams, without requests. */
  readonly idlePart: number
}

/** Memory, starts and the size of an image. */
export type Footprint = {
  readonly rounds: number
  readonly idleConnections: number
  readonly seconds: number
  readonly connections: number
  readonly rows: readonly FootprintOf[]
  readonly image: Image
}

/** The memory is resident, of the server without its database. */
export type FootprintOf = {
  readonly server: string
  readonly idleMiB: Spread
  readonly connectedMiB: Spread
  /** The load has a start of its own, without idle connections, and so has its peak. */
  readonly loadedMiB: Spread
  readonly peakMiB: Spread
  readonly starts: number
  /** Until the first 200. */
  readonly startMilliseconds: Spread
}

/** What an image holds beside its base. The base has Node, which is given apart. */
export type Image = {
  readonly ownMiB: number
  readonly packagesMiB: number
  readonly compiledMiB: number
  readonly nodeMiB: number
}

/** One, two and three nodes on one PostgreSQL. */
export type Nodes = {
  readonly seconds: number
  readonly rounds: number
  /** Nodes, PostgreSQL and generator share them. */
  readonly cores: number
  readonly rows: readonly NodeRow[]
}

export type NodeRow = {
  readonly workload: "refresh" | "introspect"
  readonly nodes: number
  /** Of all nodes together. */
  readonly connections: number
  readonly requestsPerSecond: Spread
  readonly p99: Spread
  /** The processor time of a request: of the nodes and of PostgreSQL. */
  readonly nodeMicroseconds: Spread
  readonly databaseMicroseconds: Spread
  /** How many cores nodes, PostgreSQL and generator use. */
  readonly coresBusy: Spread
  /** How often PostgreSQL waits for its log to be on the disk. */
  readonly syncsPerSecond: Spread
}

export type AllFigures = {
  readonly nodes?: Part<Nodes>
  readonly footprint?: Part<Footprint>
  readonly felt?: Part<Felt>
  readonly journey?: Part<Journeys>
  readonly writes?: Part<Writes>
}

/** The names of the parts, in the order of the page. */
export const parts = ["journey", "felt", "writes", "footprint", "nodes"] as const
