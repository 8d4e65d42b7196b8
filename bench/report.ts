/**
 * Writes the measured results into docs/performance.md and README.md, between their markers, and draws the plots:
 *
 *   npm run bench:report -- [docs/performance/results.json] [docs/performance.md]
 *
 * The first argument is a file of `npm run bench -- --json`. The results of the other commands are always read from
 * docs/performance/{signatures,stages,targets,figures}.json. The page contains no hand-written results.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { format } from "prettier"
import { argumentsOf, readJson, refuse } from "./command.ts"
import { figureLines, figureSections } from "./figures/page.ts"
import type { AllFigures } from "./figures/results.ts"
import { isComplete } from "./keep.ts"
import { figureOf, plotsOf } from "./plots.ts"
import { MANY } from "./plan.ts"
import { engines, engineWords } from "./one-service.ts"
import { partNames } from "./keep.ts"
import type { Figures, Memory, Results, Signatures, Stages } from "./results.ts"
import type { Stamp } from "./stamp.ts"
import { type Stage, stages, stageWords } from "./stages/stages.ts"
import { type Targets, verdictsOf } from "./targets/verdicts.ts"
import {
  commandOf,
  dayOf,
  full,
  madeOn,
  milliseconds,
  lengthFlags,
  NOT_MEASURED,
  table,
  workloadWords,
} from "./words.ts"
import { workloads } from "./workloads.ts"

const docs = join(import.meta.dirname, "../docs")
const [file = join(docs, "performance/results.json"), page = join(docs, "performance.md")] = argumentsOf(2)
if (!existsSync(page)) refuse(`${page}: no such file`)
const results = resultsOf(readJson<Partial<Results>>(file) ?? refuse(`${file}: no such file`))
const measured = otherFile<AllFigures>("figures") ?? {}

for (const [name, svg] of plotsOf(results)) writeFileSync(join(dirname(file), name), svg)
await fill(page, { ...sections(results), ...figureSections(measured) })
await fill(join(docs, "../README.md"), { figures: figureLines(measured) })

function resultsOf(read: Partial<Results>): Results {
  if (isComplete(read)) return read
  return refuse(
    `${file}: not a file of "npm run bench -- --json"; the other commands have fixed files (--help)`,
  )
}

function otherFile<T extends object>(name: "signatures" | "stages" | "targets" | "figures"): T | null {
  return readJson<T>(join(docs, `performance/${name}.json`))
}

/** Wraps only what was measured. */
async function fill(to: string, contents: Readonly<Record<string, string>>): Promise<void> {
  const options = { parser: "markdown", printWidth: 110 }
  let text = readFileSync(to, "utf8")
  for (const [name, content] of Object.entries(contents))
    text = between(text, to, name, await format(content, { ...options, proseWrap: "always" }))
  writeFileSync(to, await format(text, options))
}

function sections(of: Results): Readonly<Record<string, string>> {
  const { embedded, growth, depth, postgres } = of
  const signed = otherFile<Signatures>("signatures")
  const [staged, reached] = [otherFile<Stages>("stages"), otherFile<Targets>("targets")]
  return {
    machine: machine(of),
    "many connections":
      embedded === null ? NOT_MEASURED : `${ran(of, "embedded")}\n\n${throughput(embedded.figures, MANY)}`,
    "one connection": embedded === null ? NOT_MEASURED : throughput(embedded.figures, 1),
    memory: embedded === null ? NOT_MEASURED : memoryText(embedded.memory),
    "group commit": depth === null ? NOT_MEASURED : `${ran(of, "depth")}\n\n${depthTable(depth)}`,
    growth: growth === null ? NOT_MEASURED : `${ran(of, "growth")}\n\n${growthTable(growth)}`,
    nodes: postgres === null ? NOT_MEASURED : `${ran(of, "postgres")}\n\n${nodeTable(postgres.figures)}`,
    signatures: signed === null ? NOT_MEASURED : signatures(signed),
    stages: staged === null ? NOT_MEASURED : budgets(staged),
    targets: reached === null ? NOT_MEASURED : targets(reached),
    placement: postgres === null ? NOT_MEASURED : `Placement: ${postgres.placement}.`,
  }
}

function between(text: string, to: string, name: string, content: string): string {
  const [open, close] = [`<!-- measured: ${name} -->`, `<!-- end: ${name} -->`]
  const [from, until] = [text.indexOf(open), text.indexOf(close)]
  if (from < 0 || until < from) throw new Error(`${to} has no place for "${name}"`)
  return `${text.slice(0, from + open.length)}\n\n${content.trim()}\n\n${text.slice(until)}`
}

/** Says when a part of `npm run bench` was measured, and how. */
function ran(of: Results, part: keyof typeof partNames): string {
  const earlier = of.earlier?.[partNames[part]]
  const measuredPart = part === "embedded" || part === "postgres" ? of[part] : null
  const rounds = measuredPart?.figures.find(({ connections }) => connections === MANY)?.rounds
  const flags = [`--parts ${part}`, ...(rounds === undefined ? [] : [`--rounds ${rounds}`])]
  return `${madeOn(earlier === undefined ? of : stampOf(earlier))}, ${commandOf("bench", flags)}.`
}

function stampOf(of: Stamp | string): Stamp {
  return typeof of === "string" ? { at: of } : of
}

/** The flags of a run, without those that name folders and files. */
function flagsOf(given: readonly string[]): readonly string[] {
  return given.filter((one) => !one.includes("/") && one !== "--work" && one !== "--json")
}

function machine(whole: Results): string {
  const { minutes, machine: of, embedded, postgres, arguments: given, earlier = {} } = whole
  const kept = Object.entries(earlier).map(([what, when]) => `${what} (${madeOn(stampOf(when))})`)
  const others = kept.length === 0 ? "" : `\n\nFrom an earlier run on the same machine: ${kept.join(", ")}.`
  const all = [...(embedded?.figures ?? []), ...(postgres?.figures ?? [])]
  const busiest = all.toSorted((a, b) => b.generatorBusy - a.generatorBusy)[0]
  const generator =
    busiest === undefined
      ? ""
      : ` The generator used at most ${Math.round(busiest.generatorBusy * 100)} % of its core (${busiest.target}, ` +
        `${workloadWords[busiest.workload]}, ${busiest.connections} connections).`
  const pinned = of.isPinned
    ? "Servers had one core, the generator another."
    : "Nothing was pinned to a core."
  return (
    `${madeOn(whole)}, ${commandOf("bench", flagsOf(given))}, ${minutes} minutes. ${of.processor}, ${of.cores} cores, ${of.memoryGiB} GiB; ` +
    `${of.system}, ${of.filesystem}; Node ${of.node.slice(1)}` +
    `${postgres === null ? "" : `; PostgreSQL ${postgres.version}`}. ${pinned}${generator}${others}`
  )
}

function throughput(figures: readonly Figures[], connections: number): string {
  const columns = (name: string) => [`${name}, req/s`, ...(connections === 1 ? [] : ["µs each"]), "p99 ms"]
  return table(
    ["workload", ...columns("Latchkey"), ...columns("oidc-provider")],
    workloads.flatMap((workload) => {
      const found = ["Latchkey", "oidc-provider"].flatMap(
        (target) => figureOf(figures, workload, target, connections) ?? [],
      )
      if (found.length !== 2) return []
      const cells = found.flatMap((one) => [
        full(one.requestsPerSecond),
        ...(connections === 1 ? [] : [full(one.serverMicroseconds)]),
        milliseconds(one.p99),
      ])
      return [[workloadWords[workload], ...cells]]
    }),
  )
}

function signatures(signed: Signatures): string {
  const { machine: of, rows, rounds, seconds } = signed
  const lines = table(
    ["each refresh signs", "refreshes/s", "spread", "µs each"],
    rows.map(({ server, requestsPerSecond, least, most, serverMicroseconds }) => [
      server,
      full(requestsPerSecond),
      `${full(least)} to ${full(most)}`,
      full(serverMicroseconds),
    ]),
  )
  const command = commandOf("bench:signed", lengthFlags({ rounds, seconds }))
  return `${madeOn(signed)}, ${command}; ${of.processor}, Node ${of.node.slice(1)}.\n\n${lines}`
}

/** Builds one table for each engine. A stage that takes no time there has no row. */
function budgets(of: Stages): string {
  const number = (value: number) => (value < 0.05 ? "–" : value.toFixed(1))
  const tables = engines.flatMap((engine) => {
    const measuredOn = of[engine]
    if (measuredOn === undefined) return []
    const { machine: on, budgets: its } = measuredOn
    const command = commandOf("bench:stages", [`--engine ${engine}`, ...lengthFlags(measuredOn)])
    const costs = (stage: Stage) =>
      its.map((one) => one.stages.find((cost) => cost.stage === stage)?.microseconds ?? 0)
    const whole = its.map(
      ({ total }) => `${full(total.microseconds)} (${full(total.least)} to ${full(total.most)})`,
    )
    const lines = stages
      .filter((stage) => costs(stage).some((cost) => cost >= 0.05))
      .map((stage) => [stageWords[stage], ...costs(stage).map(number)])
    return [
      `${madeOn(measuredOn)}, ${command}; ${on.processor}, Node ${on.node.slice(1)}.`,
      table(
        [engineWords[engine], ...its.map(({ workload }) => workloadWords[workload])],
        [...lines, ["all", ...whole]],
      ),
    ]
  })
  return tables.length === 0 ? NOT_MEASURED : tables.join("\n\n")
}

function targets(of: Targets): string {
  const { machine: on, compared, limits } = of
  const earlier = compared === null ? "" : ` "Before" is ${compared.commit.slice(0, 8)}.`
  const lines = table(
    ["figure", "before", "now", "target", "verdict"],
    verdictsOf(of).map(({ figure, before, now, target, verdict }) => [figure, before, now, target, verdict]),
  )
  const isMixed = compared !== null && limits !== null && !haveSameBuild(compared, limits)
  const mixed = isMixed ? " Costs and limits are not of the same build." : ""
  const parts = targetParts(of).join("\n")
  return `${parts}\n\n${on.processor}, Node ${on.node.slice(1)}.${earlier}${mixed}\n\n${lines}`
}

/** Results without a build are compared by their days. */
function haveSameBuild(one: Stamp, other: Stamp): boolean {
  if (one.build === undefined || other.build === undefined) return dayOf(one.at) === dayOf(other.at)
  return one.build === other.build
}

/** Returns a line for each part of `bench:targets`: when it was measured and how, or that it was not. */
function targetParts({ compared, limits, growth }: Targets): readonly string[] {
  const line = (part: string, of: Stamp | null, flags: readonly string[]) => {
    const command = commandOf("bench:targets", [`--parts ${part}`, ...flags])
    return `- ${part}: ${of === null ? "not measured" : madeOn(of)}, ${command}`
  }
  const minutes = limits?.engines[0]?.memory.minutes
  const costs =
    compared === null ? [] : [...lengthFlags(compared), `--against ${compared.commit.slice(0, 8)}`]
  const lasting = [
    ...(minutes === undefined ? [] : [`--minutes ${minutes}`]),
    ...(limits?.seconds === undefined ? [] : [`--seconds ${limits.seconds}`]),
  ]
  const many = growth === null ? [] : [`--credentials ${growth.credentials}`]
  return [line("costs", compared, costs), line("limits", limits, lasting), line("growth", growth, many)]
}

function memoryText(memory: readonly Memory[]): string {
  const servers = memory.map(({ target, startMiB, peakMiB }) => `${target} ${startMiB} and ${peakMiB}`)
  return `Resident memory at start and at peak, MiB: ${servers.join(", ")}.`
}

/** Builds a table with every second row. The plot shows all of them. */
function depthTable(depth: NonNullable<Results["depth"]>): string {
  const lines = depth.filter((_, at) => at % 2 === 0)
  return table(
    ["connections", "refreshes/s", "changes per commit", "p50 ms", "p99 ms"],
    lines.map(({ connections, requestsPerSecond, changesACommit, p50, p99 }) => [
      String(connections),
      full(requestsPerSecond),
      changesACommit.toFixed(1),
      milliseconds(p50),
      milliseconds(p99),
    ]),
  )
}

function growthTable(growth: NonNullable<Results["growth"]>): string {
  return table(
    ["credentials", "refreshes/s", "p99 ms", "bytes each", "start, ms", "peak MiB"],
    growth.map((one) => [
      full(one.credentials),
      full(one.requestsPerSecond),
      milliseconds(one.p99),
      full(one.bytesEach),
      full(one.untilHealthy),
      String(one.peakMiB),
    ]),
  )
}

function nodeTable(figures: readonly Figures[]): string {
  return table(
    [
      "workload",
      "1 node, req/s",
      "p99 ms",
      "2 nodes, req/s",
      "3 nodes, req/s",
      "node, µs each",
      "PostgreSQL, µs",
    ],
    workloads.flatMap((workload) => {
      const [one, two, three] = ["1 node", "2 nodes", "3 nodes"].map((target) =>
        figureOf(figures, workload, target, MANY),
      )
      if (one === undefined || two === undefined || three === undefined) return []
      const cells = [
        full(one.requestsPerSecond),
        milliseconds(one.p99),
        full(two.requestsPerSecond),
        full(three.requestsPerSecond),
        full(one.serverMicroseconds),
        full(one.databaseMicroseconds ?? Number.NaN),
      ]
      return [[workloadWords[workload], ...cells]]
    }),
  )
}
