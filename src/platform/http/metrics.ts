/**
 * The metrics for Prometheus. Without metrics, requests are not timed, so this object exists only if the operator
 * enables it.
 *
 * No label contains text from a client. Routes come from the route table. Names and reasons come from the code.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client"
import { eventKinds, isSerious } from "../../model/event.rules.ts"
import { countedEvents, type CountedEvent, refusedNames } from "../../model/tally-names.rules.ts"
import type { Services } from "../services/services.ts"
import { addBuildInfo } from "./build-info.ts"
import type { Endpoint } from "./endpoint.ts"
import type { Route } from "./route.ts"
import type { Observer } from "./server.ts"

export const METRICS_PATH = "/metrics"

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256]

/** The route label of requests that match no route. */
const NO_ROUTE = "none"

type Engine = "sqlite" | "postgres"

export class Metrics {
  readonly #registry = new Registry()
  readonly #durations: Histogram<"route" | "status">
  readonly #batches: Histogram

  /** The registry also collects metrics of the process: memory, event loop and garbage collection. */
  constructor(engine: Engine) {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    addBuildInfo(this.#registry, { engine })
    this.#durations = new Histogram({
      name: "latchkey_http_request_duration_seconds",
      help: "How long answers took, by route and class of status",
      labelNames: ["route", "status"],
      buckets: SECONDS,
      registers,
    })
    this.#batches = new Histogram({
      name: "latchkey_store_commit_changes",
      help: "How many changes were committed together",
      buckets: BATCHES,
      registers,
    })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  text(): Promise<string> {
    return this.#registry.metrics()
  }

  committed(changes: number): void {
    this.#batches.observe(changes)
  }

  /** Adds a gauge of changes that wait for the database. Prometheus reads the gauge when it collects metrics. */
  watchStore(waiting: () => number): void {
    const gauge = new Gauge({
      name: "latchkey_store_waiting",
      help: "How many wait for a connection to the database, or for their turn on one",
      registers: [],
      collect() {
        this.set(waiting())
      },
    })
    this.#registry.registerMetric(gauge)
  }

  /**
   * Adds counters of events and refusals, and a gauge of event streams. Prometheus reads them when it collects metrics.
   * Every counter of the tables is there from the start: Prometheus sees no increase of a series that appears with 1.
   */
  watch({ tallies, feed, budget }: Pick<Services, "tallies" | "feed" | "budget">): void {
    const events = new Counter({
      name: "latchkey_events_total",
      help: "What happened since the process began (docs/operating.md has the list)",
      labelNames: ["event"],
      registers: [],
      collect() {
        this.reset()
        const totals = tallies.totals()
        for (const event of Object.keys(countedEvents) as CountedEvent[])
          this.inc({ event }, totals.get(event) ?? 0)
      },
    })
    const refusals = new Counter({
      name: "latchkey_refusals_total",
      help: "Refusals since the process began, by reason; budgetSpent are those of the anonymous budget",
      labelNames: ["reason"],
      registers: [],
      collect() {
        this.reset()
        const totals = tallies.totals()
        for (const [reason, name] of Object.entries(refusedNames)) this.inc({ reason }, totals.get(name) ?? 0)
      },
    })
    const trail = new Counter({
      name: "latchkey_audit_events_total",
      help: "Events that this process wrote to the audit trail, by kind; mark is serious or plain",
      labelNames: ["kind", "mark"],
      registers: [],
      collect() {
        this.reset()
        for (const kind of eventKinds)
          this.inc({ kind, mark: isSerious(kind) ? "serious" : "plain" }, tallies.recorded(kind))
      },
    })
    const spent = new Gauge({
      name: "latchkey_budget_spent_addresses",
      help: "Different addresses that the rate limit refused in the last ten minutes, at most 10,000",
      registers: [],
      collect() {
        this.set(budget.refused.count())
      },
    })
    const streams = new Gauge({
      name: "latchkey_streams",
      help: "Event streams that resource servers hold open",
      registers: [],
      collect() {
        this.set(feed.streams)
      },
    })
    this.#registry.registerMetric(events)
    this.#registry.registerMetric(refusals)
    this.#registry.registerMetric(trail)
    this.#registry.registerMetric(spent)
    this.#registry.registerMetric(streams)
  }

  /** Adds gauges of the outbox. Without the database they have no value, and the other metrics stay. */
  watchMail({ store, clock }: Pick<Services, "store" | "clock">): void {
    const backlog = () => store.mailBacklog().catch(() => null)
    const waiting = new Gauge({
      name: "latchkey_mail_waiting",
      help: "Mails that wait to be sent, by whether an attempt has failed",
      labelNames: ["state"],
      registers: [],
      async collect() {
        const found = await backlog()
        this.reset()
        if (found === null) return
        this.set({ state: "new" }, found.waiting - found.failing)
        this.set({ state: "failing" }, found.failing)
      },
    })
    const age = new Gauge({
      name: "latchkey_mail_oldest_seconds",
      help: "How long the oldest waiting mail has waited",
      registers: [],
      async collect() {
        const oldestAt = (await backlog())?.oldestAt ?? null
        this.set(oldestAt === null ? 0 : Math.max(0, clock.now() - oldestAt))
      },
    })
    this.#registry.registerMetric(waiting)
    this.#registry.registerMetric(age)
  }

  /** Returns an observer that records the duration of each response. */
  timing(): Observer {
    return ({ route }, { statusCode }, milliseconds) => {
      const status = `${Math.floor(statusCode / 100)}xx`
      this.#durations.observe({ route: route?.path ?? NO_ROUTE, status }, milliseconds / 1000)
    }
  }

  /** Returns the route of the metrics on the public listener, for an operator who enabled it. */
  route(): Route {
    const get: Endpoint = async (_, __, reply) =>
      reply
        .header("content-type", this.contentType)
        .header("cache-control", "no-store")
        .header("x-content-type-options", "nosniff")
        .send(await this.text())
    return { path: METRICS_PATH, family: "oauth", hasCors: false, isRateLimited: false, get }
  }
}
