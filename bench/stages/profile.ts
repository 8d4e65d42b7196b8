/** Profiles a running service from outside, through the inspector of Node, and attributes the samples to stages. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Row, rows, rowsOfNode, type Stage, stages } from "./stages.ts"

/** With this environment, a service has an inspector, and writes its address to the log. */
export const INSPECTED = { NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --inspect=127.0.0.1:0` }

const SAMPLING_MICROSECONDS = 500
const ROOT = pathToFileURL(join(import.meta.dirname, "../..")).href + "/"

export type Frame = { readonly functionName: string; readonly url: string }

type Profile = {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: number[] }[]
  readonly samples: readonly number[]
}

/** The part of each stage in the time of the main thread. The parts add up to 1. */
export type Parts = ReadonlyMap<Stage, number>

export class Profiler {
  readonly #socket: WebSocket
  readonly #waiting = new Map<number, (answer: { readonly result: unknown }) => void>()
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener("message", ({ data }) => {
      const answer = JSON.parse(String(data)) as { readonly id: number; readonly result: unknown }
      this.#waiting.get(answer.id)?.(answer)
      this.#waiting.delete(answer.id)
    })
  }

  /** `log` has the standard error of a service that runs with `INSPECTED`. */
  static async connect(log: string): Promise<Profiler> {
    const [url = ""] =
      readFileSync(log, "utf8")
        .match(/ws:\/\/\S+/g)
        ?.slice(-1) ?? []
    const socket = new WebSocket(url)
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve)
      socket.addEventListener("error", () => reject(new Error(`no inspector at "${url}"`)))
    })
    const profiler = new Profiler(socket)
    await profiler.#call("Profiler.enable")
    await profiler.#call("Profiler.setSamplingInterval", { interval: SAMPLING_MICROSECONDS })
    return profiler
  }

  async start(): Promise<void> {
    await this.#call("Profiler.start")
  }

  async stop(): Promise<Parts> {
    const { profile } = (await this.#call("Profiler.stop")) as { readonly profile: Profile }
    return partsOf(profile)
  }

  /** A service with an open inspector does not end. */
  close(): void {
    this.#socket.close()
  }

  async #call(method: string, params = {}): Promise<unknown> {
    const id = ++this.#last
    const answered = new Promise<{ readonly result: unknown }>((resolve) => this.#waiting.set(id, resolve))
    this.#socket.send(JSON.stringify({ id, method, params }))
    return (await answered).result
  }
}

/**
 * Counts the samples of each stage. Each sample counts the same, however long it took: while another process has the
 * core, no sample is taken, and the next one takes longer.
 */
function partsOf({ nodes, samples }: Profile): Parts {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const stackOf = (id: number): Frame[] => {
    const caller = callers.get(id)
    const own = frames.get(id)
    return own === undefined ? [] : [own, ...(caller === undefined ? [] : stackOf(caller))]
  }
  const stagesOfNodes = new Map(nodes.map(({ id }) => [id, stageOf(stackOf(id))]))
  const counts = new Map<Stage, number>(stages.map((stage) => [stage, 0]))
  let busy = 0
  for (const id of samples) {
    const stage = stagesOfNodes.get(id) ?? null
    if (stage === null) continue
    busy++
    counts.set(stage, (counts.get(stage) ?? 0) + 1)
  }
  return new Map([...counts].map(([stage, count]) => [stage, busy === 0 ? 0 : count / busy]))
}

/** `stack` begins with the innermost function. Returns null while the thread waits. */
export function stageOf(stack: readonly Frame[]): Stage | null {
  const inner = stack[0]?.functionName
  if (inner === "(idle)") return null
  if (inner === "(garbage collector)") return "garbage"
  // Node reads from connections and parses requests without a JavaScript function on the stack.
  if (inner === "(program)") return "connection"
  return firstIn(rows, stack) ?? firstIn(rowsOfNode, stack) ?? "other"
}

function firstIn(table: readonly Row[], stack: readonly Frame[]): Stage | null {
  for (const { functionName, url } of stack) {
    const file = url.startsWith(ROOT) ? url.slice(ROOT.length) : url
    const row = table.find(
      ({ files, functions }) => files.test(file) && (functions?.includes(functionName) ?? true),
    )
    if (row !== undefined && row.stage !== "caller") return row.stage
  }
  return null
}
