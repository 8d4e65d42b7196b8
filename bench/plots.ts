/** Chooses the plots of the results that docs/performance.md shows. */
import { barPlot, type Group, spanPlot } from "./plot.ts"
import { MANY } from "./plan.ts"
import type { Figures, Results } from "./results.ts"
import { full, milliseconds, workloadWords } from "./words.ts"
import { workloads } from "./workloads.ts"

const OURS = "Latchkey"
const PEER = "oidc-provider"

/** Returns the files by name. A part that was not measured has no file. */
export function plotsOf({ embedded, growth, postgres, depth }: Results): ReadonlyMap<string, string> {
  const plots = new Map<string, string>()
  if (embedded !== null) {
    plots.set("throughput.svg", throughput(embedded.figures))
    plots.set("latency.svg", latency(embedded.figures))
  }
  if (growth !== null) {
    plots.set("growth.svg", growthPlot(growth))
    plots.set("start.svg", startPlot(growth))
  }
  if (depth !== null) plots.set("depth.svg", depthPlot(depth))
  if (postgres !== null) plots.set("nodes.svg", nodes(postgres))
  return plots
}

function throughput(figures: readonly Figures[]): string {
  const groups = workloads.flatMap((workload): Group[] => {
    const bars = [OURS, PEER].flatMap((target, series) => {
      const found = figureOf(figures, workload, target, MANY)
      if (found === undefined) return []
      const text = `${found.ofBare.toFixed(2)}  (${full(found.requestsPerSecond)}/s)`
      return [{ value: found.ofBare, text, series }]
    })
    return bars.length === 0 ? [] : [{ label: workloadWords[workload], bars }]
  })
  return barPlot({
    title: `Requests a second on one core, as a part of bare node:http, ${MANY} connections`,
    description: described(groups),
    series: [OURS, PEER],
    groups,
  })
}

function latency(figures: readonly Figures[]): string {
  const groups = workloads.flatMap((workload) => {
    const spans = [OURS, PEER].flatMap((target, series) => {
      const found = figureOf(figures, workload, target, MANY)
      if (found === undefined || found.p50 <= 0) return []
      const text = `${milliseconds(found.p50)} to ${milliseconds(found.p99)} ms`
      return [{ from: found.p50, to: found.p99, text, series }]
    })
    return spans.length === 0 ? [] : [{ label: workloadWords[workload], spans }]
  })
  return spanPlot({
    title: `How long an answer takes, p50 to p99, ${MANY} connections`,
    description: described(groups.map(({ label, spans }) => ({ label, bars: spans }))),
    series: [OURS, PEER],
    unit: "ms",
    groups,
  })
}

function growthPlot(growth: NonNullable<Results["growth"]>): string {
  const groups = growth.map(({ credentials, ofSmallest, requestsPerSecond, bytesEach }) => {
    const text = `${ofSmallest.toFixed(2)} (${full(requestsPerSecond)}/s), ${full(bytesEach)} bytes each`
    return { label: `${full(credentials)} credentials`, bars: [{ value: ofSmallest, text, series: 0 }] }
  })
  return barPlot({
    title: "Refreshes a second, as a part of those with the fewest credentials",
    description: described(groups),
    series: ["Latchkey"],
    groups,
  })
}

function startPlot(growth: NonNullable<Results["growth"]>): string {
  const series = ["until /health answers", "until a refresh is answered"]
  const groups = growth.map(({ credentials, untilHealthy, untilRefreshed }) => ({
    label: `${full(credentials)} credentials`,
    bars: [untilHealthy, untilRefreshed].map((value, i) => ({ value, text: `${full(value)} ms`, series: i })),
  }))
  return barPlot({ title: "From the start of the process", description: described(groups), series, groups })
}

type BarGroup = { readonly label: string; readonly bars: readonly { readonly text: string }[] }

function described(groups: readonly BarGroup[]): string {
  return groups.map(({ label, bars }) => `${label}: ${bars.map(({ text }) => text).join(" and ")}`).join("; ")
}

function depthPlot(depth: NonNullable<Results["depth"]>): string {
  const groups = depth.map(({ connections, changesACommit, requestsPerSecond }) => ({
    label: `${connections} ${connections === 1 ? "connection" : "connections"}`,
    bars: [
      {
        value: requestsPerSecond,
        text: `${full(requestsPerSecond)}/s, ${changesACommit.toFixed(1)} a commit`,
        series: 0,
      },
    ],
  }))
  return barPlot({
    title: "Refreshes a second, and how many share a commit",
    description: described(groups),
    series: ["Latchkey"],
    groups,
  })
}

function nodes({ figures, commits, perNode }: NonNullable<Results["postgres"]>): string {
  const own = figures
    .filter(
      ({ workload, target, connections }) =>
        workload === "refresh" && target !== "bare" && connections === MANY,
    )
    .map(({ target, requestsPerSecond }) => ({
      label: `${target}, ${MANY} connections`,
      bars: [{ value: requestsPerSecond, text: `${full(requestsPerSecond)} refreshes/s`, series: 0 }],
    }))
  const bound = commits.map(({ clients, rowsACommit, rowsPerSecond, commitsPerSecond }) => ({
    label: `pgbench, ${clients} × ${rowsACommit} ${rowsACommit === 1 ? "row" : "rows"}`,
    bars: [
      {
        value: rowsPerSecond,
        text: `${full(rowsPerSecond)} rows/s, ${full(commitsPerSecond)} commits/s`,
        series: 2,
      },
    ],
  }))
  const few = perNode.map(({ nodes: count, connections, requestsPerSecond }) => ({
    label: `${count} ${count === 1 ? "node" : "nodes"}, ${connections} connections`,
    bars: [{ value: requestsPerSecond, text: `${full(requestsPerSecond)} refreshes/s`, series: 1 }],
  }))
  const groups = [...few, ...own, ...bound]
  return barPlot({
    title: "Refreshes on PostgreSQL, and what PostgreSQL alone commits",
    description: described(groups),
    series: ["the same connections for all nodes", "as many for each node", "pgbench"],
    groups,
  })
}

export function figureOf(
  figures: readonly Figures[],
  workload: string,
  target: string,
  connections: number,
): Figures | undefined {
  return figures.find(
    (one) => one.workload === workload && one.target === target && one.connections === connections,
  )
}
