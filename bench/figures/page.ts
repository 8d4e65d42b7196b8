/** Formats the figures for docs/performance.md and README.md. */
import { counted, full, lengthFlags, milliseconds, NOT_MEASURED, table } from "../words.ts"
import { ranAs, startsOf } from "./ran.ts"
import type {
  AllFigures,
  Felt,
  FeltBy,
  Footprint,
  Journeys,
  Nodes,
  Spread,
  Travelled,
  Writes,
} from "./results.ts"

const MORE = "More figures, [each with its date and machine](docs/performance.md#the-whole-journey):\n"

/** Returns the text of each place of docs/performance.md by its name. */
export function figureSections({
  journey,
  felt,
  writes,
  footprint,
  nodes,
}: AllFigures): Record<string, string> {
  return {
    journey:
      journey === undefined
        ? NOT_MEASURED
        : `${ranAs(journey, "journey", lengthFlags(journey))}\n\n${journeyText(journey)}`,
    felt: felt === undefined ? NOT_MEASURED : `${ranAs(felt, "felt")}\n\n${feltText(felt)}`,
    writes:
      writes === undefined
        ? NOT_MEASURED
        : `${ranAs(writes, "writes", lengthFlags(writes))}\n\n${writesText(writes)}`,
    footprint:
      footprint === undefined
        ? NOT_MEASURED
        : `${ranAs(footprint, "footprint", [...lengthFlags(footprint), ...startsOf(footprint)])}\n\n${footprintText(footprint)}`,
    "what a node adds":
      nodes === undefined
        ? NOT_MEASURED
        : `${ranAs(nodes, "nodes", lengthFlags(nodes))}\n\n${nodesText(nodes)}`,
  }
}

/** Returns one line for each part, for README.md, below a line about them. Without a part, the text is empty. */
export function figureLines({ journey, felt, writes, footprint, nodes }: AllFigures): string {
  const lines = [
    ...(journey === undefined ? [] : [journeyLine(journey)]),
    ...(felt === undefined ? [] : feltLine(felt)),
    ...(writes === undefined ? [] : [writesLine(writes)]),
    ...(footprint === undefined ? [] : [footprintLine(footprint)]),
    ...(nodes === undefined ? [] : [nodesLine(nodes)]),
  ]
  if (lines.length === 0) return ""
  return [MORE, ...lines.map((line) => `- ${line}`)].join("\n")
}

function journeyText({ rows, rounds, seconds, together }: Journeys): string {
  const servers = [...new Set(rows.map(({ server }) => server))]
  const of = (server: string, signsIn: boolean) =>
    rows.find((row) => row.server === server && row.signsIn === signsIn)
  const lines = servers.flatMap((server) => {
    const [whole, rest] = [of(server, true), of(server, false)]
    if (whole === undefined || rest === undefined) return []
    return [
      [
        server,
        spread(whole.journeysPerSecond),
        spread(thousandths(whole.microseconds)),
        spread(rest.journeysPerSecond),
        spread(thousandths(rest.microseconds)),
        sharesOf(rest),
        whole.hashing,
      ],
    ]
  })
  const head = ["server", "journeys/s", "ms each", "signed in, journeys/s", "ms each", "of these", "hashing"]
  return (
    `${table(head, lines)}\n\nMedians of ${counted(rounds, "round")} of ${seconds} s with ${together} journeys at a time; in parentheses ` +
    `the least and the most. "ms each" is processor time of all processes.`
  )
}

function sharesOf({ shares }: Travelled): string {
  return shares.map(({ of, microseconds }) => `${of} ${full(microseconds / 1000)}`).join(", ")
}

function journeyLine({ rows }: Journeys): string {
  const each = rows
    .filter(({ signsIn }) => !signsIn)
    .map(({ server, journeysPerSecond, microseconds }) => {
      const [rate, cost] = [full(journeysPerSecond.middle), full(microseconds.middle / 1000)]
      return `${server}: ${rate} (${cost} ms of processor time each)`
    })
  return `**Whole journeys a second** (consent, exchange, ten refreshes, revocation) on one core: ${each.join("; ")}`
}

function feltText({ rows, times, lookedEvery, askedEvery }: Felt): string {
  const lines = rows.map((row) => [
    String(row.listeners),
    mixOf(row),
    ...[row.p50, row.p99, row.worst, row.last.p50, row.last.p99].map(milliseconds),
    `${full(row.idlePart * 100)} %`,
  ])
  const largest = rows.at(-1)
  const kinds =
    largest === undefined
      ? ""
      : `\n\nWith ${largest.listeners}, p50, p99 and worst by kind: ` +
        `${largest.kinds.map(({ kind, p50, p99, worst }) => `${kind} ${[p50, p99, worst].map(milliseconds).join(", ")}`).join("; ")}.`
  const head = [
    "listeners",
    "of them",
    "p50 ms",
    "p99 ms",
    "worst ms",
    "last, p50",
    "last, p99",
    "core at rest",
  ]
  return (
    `${table(head, lines)}\n\n${times} revocations each, from the request to the first refusal. "Last" is when the last of ` +
    `all listeners refuses. The service reads the log of changes every ${lookedEvery} ms, and each listener asks its kit every ${askedEvery} ms.${kinds}`
  )
}

function mixOf({ kinds }: FeltBy): string {
  return kinds.map(({ kind, listeners }) => `${listeners} ${kind}`).join(", ")
}

function feltLine({ rows }: Felt): string[] {
  const [least, most] = [rows[0], rows.at(-1)]
  const hundred = rows.find(({ listeners }) => listeners === 100) ?? most
  if (least === undefined || most === undefined || hundred === undefined) return []
  const grown = most === hundred ? "" : `; with ${most.listeners}, ${full(most.p99)} ms`
  return [
    `**A revocation** takes effect at ${counted(hundred.listeners, "resource server")} after ${full(hundred.p50)} ms ` +
      `(median), ${full(hundred.p99)} ms (p99) and ${full(hundred.worst)} ms (worst); with ${least.listeners}, p99 is ` +
      `${full(least.p99)} ms${grown}`,
  ]
}

function writesText({ rows, rate, seconds, rounds, credentials }: Writes): string {
  const lines = rows.map((row) => [
    row.server,
    spread(row.writesPerSecond),
    spread(row.syncsPerSecond),
    moreThanAtRest(row.diskOperationsPerSecond),
    moreThanAtRest(thousandths(row.diskBytesPerSecond)),
    spread(row.logBytesPerRefresh),
    milliseconds(row.p99),
  ])
  const head = [
    "server",
    "writes/s",
    "syncs/s",
    "disk writes/s",
    "disk KB/s",
    "log bytes a refresh",
    "p99 ms",
  ]
  return (
    `${table(head, lines)}\n\n${rate} refreshes a second at a fixed rate over ${full(credentials)} credentials; medians of ` +
    `${counted(rounds, "round")} of ${seconds} s; in parentheses the least and the most. "–": in a round, the machine wrote more at ` +
    `rest. The p99 of SQLite is measured while \`strace\` is attached, which makes writes slower.`
  )
}

function writesLine({ rows, rate }: Writes): string {
  const each = rows.map(({ server, diskOperationsPerSecond, diskBytesPerSecond, logBytesPerRefresh }) => {
    const log = full(logBytesPerRefresh.middle / 1000)
    const disk = [diskOperationsPerSecond, diskBytesPerSecond].some(isNoise)
      ? "not distinguishable from what the machine writes at rest"
      : full(diskOperationsPerSecond.middle)
    return `${server}: ${disk} (${log} KB of log a refresh)`
  })
  return `**Disk writes** a second for ${rate} refreshes a second: ${each.join("; ")}`
}

function footprintText({ rows, rounds, idleConnections, connections, seconds, image }: Footprint): string {
  const lines = rows.map((row) => [
    row.server,
    spread(row.idleMiB),
    spread(row.connectedMiB),
    spread(row.loadedMiB),
    spread(row.peakMiB),
    spread(row.startMilliseconds),
    String(row.starts),
  ])
  const head = [
    ...["server", "at rest", `${full(idleConnections)} idle connections`, "full load", "peak of the load"],
    ...["start, ms", "starts"],
  ]
  const whole = image.ownMiB + image.packagesMiB + image.compiledMiB
  return (
    `${table(head, lines)}\n\nResident MiB of the server, without its database: medians of ${counted(rounds, "round")}; in parentheses ` +
    `the least and the most. Full load is ${seconds} s of refreshes over ${connections} connections in another start, so its peak ` +
    `does not include the idle connections. A start is until the first 200.\n\n` +
    `What [the image](../deploy/Containerfile) adds to its base: ${full(whole)} MiB (packages ${full(image.packagesMiB)}, ` +
    `source ${full(image.ownMiB)}, compiled code ${full(image.compiledMiB)}), added up from the files, because no image was ` +
    `built. The base is Debian with Node, whose program alone has ${full(image.nodeMiB)} MiB.`
  )
}

function footprintLine({ rows, idleConnections, image }: Footprint): string {
  const each = rows.map(({ server, idleMiB, connectedMiB, loadedMiB, startMilliseconds }) => {
    const [idle, connected, loaded] = [idleMiB, connectedMiB, loadedMiB].map(({ middle }) => full(middle))
    return (
      `${server}: ${idle} MiB at rest, ${connected} MiB with ${full(idleConnections)} idle connections, ${loaded} MiB at ` +
      `full load, first answer after ${full(startMilliseconds.middle)} ms`
    )
  })
  const whole = image.ownMiB + image.packagesMiB + image.compiledMiB
  return `**Memory and start**: ${each.join("; ")}. The image adds ${full(whole)} MiB to its base`
}

function nodesText({ rows, rounds, seconds, cores }: Nodes): string {
  const lines = rows
    .toSorted((a, b) => groupOf(a).localeCompare(groupOf(b)) || a.nodes - b.nodes)
    .map((row) => [
      row.workload === "refresh" ? "refresh" : "introspection",
      String(row.nodes),
      String(row.connections),
      spread(row.requestsPerSecond),
      milliseconds(row.p99.middle),
      spread(row.nodeMicroseconds),
      spread(row.databaseMicroseconds),
      spread(row.coresBusy),
      spread(row.syncsPerSecond),
    ])
  const head = [
    ...["workload", "nodes", "connections", "requests/s", "p99 ms"],
    ...["node, µs", "PostgreSQL, µs", "cores busy", "log syncs/s"],
  ]
  return (
    `${table(head, lines)}\n\nMedians of ${counted(rounds, "round")} of ${seconds} s; in parentheses the least and the most. Nodes, PostgreSQL and ` +
    `generator share ${cores} cores. ${endOf(rows)}`
  )
}

function groupOf({ workload, connections, nodes }: Nodes["rows"][number]): string {
  return `${workload === "refresh" ? 1 : 2} ${connections === 64 ? 2 : 1} ${connections / nodes === 4 ? 1 : 2}`
}

/** Says from the processor times when another node adds nothing. */
function endOf(rows: Nodes["rows"]): string {
  const one = rows.find(
    ({ workload, nodes, connections }) => workload === "refresh" && nodes === 1 && connections > 4,
  )
  if (one === undefined) return ""
  const [node, database] = [one.nodeMicroseconds.middle, one.databaseMicroseconds.middle]
  return (
    `Of a refresh, a node takes ${full(node)} µs and PostgreSQL ${full(database)} µs. From these it is ` +
    `computed, not measured: with a core for each node, a node adds at most about ${full(Number((1e6 / node).toPrecision(2)))} ` +
    `refreshes a second and needs ${full(database / node)} cores of PostgreSQL for them. ` +
    `Another node adds nothing once PostgreSQL has no core left, or its log commits no faster.`
  )
}

function nodesLine({ rows, cores }: Nodes): string {
  const of = (nodes: number) =>
    rows.find((row) => row.workload === "refresh" && row.nodes === nodes && row.connections === 64)
  const each = [1, 2, 3].flatMap((nodes) => {
    const found = of(nodes)
    return found === undefined ? [] : [full(found.requestsPerSecond.middle)]
  })
  return (
    `**One, two and three nodes** on one PostgreSQL, all on the same ${cores} cores: ${each.join(", ")} refreshes a second; ` +
    `[what a node adds](docs/performance.md#what-a-node-adds)`
  )
}

function thousandths({ middle, least, most }: Spread): Spread {
  // What could not be measured is null in the file.
  const part = (value: number | null) => (value === null ? Number.NaN : value / 1000)
  return { middle: part(middle), least: part(least), most: part(most) }
}

/** The difference between load and rest is noise if it is negative in a round. */
function isNoise({ least }: Spread): boolean {
  return least < 0
}

function moreThanAtRest(of: Spread): string {
  return isNoise(of) ? "–" : spread(of)
}

/** Formats the middle value and, in parentheses, the least and the most. */
function spread({ middle, least, most }: Spread): string {
  if (!Number.isFinite(middle)) return "–"
  return `${full(middle)} (${full(least)}–${full(most)})`
}
