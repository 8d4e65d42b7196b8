/** No label contains text from a client: hosts are those of the file, and any other host is `other`. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import { addBuildInfo } from "../platform/http/build-info.ts"
import type { Answered, RefusedCaller, RefusedReason } from "./gate-server.ts"

const SECONDS = [0.00005, 0.0001, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const OTHER_HOST = "other"

/** A series that exists from the start can be watched for its first increase. */
const REASONS: Readonly<Record<RefusedReason, true>> = {
  addressNotTrusted: true,
  secretMissing: true,
  secretWrong: true,
  noFamily: true,
  notHttp: true,
  headTooLarge: true,
  tooSlow: true,
  tooManyConnections: true,
}

export class GateMetrics {
  readonly #registry = new Registry()
  readonly #answers: Counter<"host" | "family" | "status">
  readonly #refused: Counter<"reason">
  readonly #checks: Histogram<"source">

  constructor() {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    addBuildInfo(this.#registry)
    this.#answers = new Counter({
      name: "latchkey_gate_answers_total",
      help: "Answers to trusted proxies, by host of the request, family of the proxy and status",
      labelNames: ["host", "family", "status"],
      registers,
    })
    this.#refused = new Counter({
      name: "latchkey_gate_refused_callers_total",
      help: "Callers that were refused before their question was read, by reason",
      labelNames: ["reason"],
      registers,
    })
    for (const reason of Object.keys(REASONS)) this.#refused.inc({ reason }, 0)
    this.#checks = new Histogram({
      name: "latchkey_gate_check_duration_seconds",
      help: "How long checks of tokens took, by whether the service was asked",
      labelNames: ["source"],
      buckets: SECONDS,
      registers,
    })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }

  /** Adds gauges of the connection to the service. Prometheus reads them when it collects metrics. */
  watch({ isLive, cachedTokens }: { isLive: () => boolean; cachedTokens: () => number }): void {
    const stream = new Gauge({
      name: "latchkey_gate_stream_connected",
      help: "1 while the event stream of the service is connected",
      registers: [],
      collect() {
        this.set(isLive() ? 1 : 0)
      },
    })
    const cached = new Gauge({
      name: "latchkey_gate_cached_tokens",
      help: "Access tokens whose state is in memory",
      registers: [],
      collect() {
        this.set(cachedTokens())
      },
    })
    this.#registry.registerMetric(stream)
    this.#registry.registerMetric(cached)
  }

  answered({ host, family, answer }: Answered): void {
    this.#answers.inc({ host: host ?? OTHER_HOST, family, status: answer.status })
  }

  refused({ reason }: RefusedCaller): void {
    this.#refused.inc({ reason })
  }

  checked(source: "cache" | "asked", milliseconds: number): void {
    this.#checks.observe({ source }, milliseconds / 1000)
  }
}
