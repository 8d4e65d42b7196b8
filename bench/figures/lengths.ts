/** How long each part takes. */
export type Length = {
  readonly journey: { readonly seconds: number; readonly rounds: number; readonly warmUp: number }
  readonly felt: { readonly listeners: readonly number[]; readonly times: number }
  readonly writes: { readonly seconds: number; readonly rounds: number; readonly credentials: number }
  readonly footprint: {
    readonly rounds: number
    /** Latchkey is started this often. Each round starts every server twice. */
    readonly starts: number
    readonly idleConnections: number
    /** Of the full load. */
    readonly connections: number
    readonly seconds: number
    readonly credentials: number
    readonly restSeconds: number
  }
  readonly nodes: {
    readonly seconds: number
    readonly rounds: number
    readonly warmUp: number
    readonly credentials: number
    /** A measurement ends after this many requests, even within its time limit. */
    readonly most: number
    /** PostgreSQL's processes report their counters within a second. */
    readonly reportSeconds: number
  }
}

export const full: Length = {
  journey: { seconds: 15, rounds: 5, warmUp: 1 },
  felt: { listeners: [1, 10, 100, 300], times: 100 },
  writes: { seconds: 60, rounds: 3, credentials: 500 },
  footprint: {
    rounds: 3,
    starts: 20,
    idleConnections: 10_000,
    connections: 64,
    seconds: 20,
    credentials: 200,
    restSeconds: 3,
  },
  nodes: {
    seconds: 5,
    rounds: 5,
    warmUp: 3,
    credentials: 20_000,
    most: Number.MAX_SAFE_INTEGER,
    reportSeconds: 1.5,
  },
}

/** Only checks that each part runs. */
export const tiny: Length = {
  journey: { seconds: 0.1, rounds: 1, warmUp: 0 },
  felt: { listeners: [1, 20], times: 2 },
  writes: { seconds: 0.2, rounds: 1, credentials: 20 },
  footprint: {
    rounds: 1,
    starts: 2,
    idleConnections: 20,
    connections: 4,
    seconds: 0.2,
    credentials: 8,
    restSeconds: 0,
  },
  nodes: { seconds: 30, rounds: 1, warmUp: 30, credentials: 200, most: 64, reportSeconds: 0 },
}
