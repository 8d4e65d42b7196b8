import { connect, type Connection } from "#resource-server/connection.ts"
import { type Clock, systemClock } from "../kernel/clock.ts"
import { openLog, type Log } from "../kernel/log.ts"
import { listenForStopSignals } from "../platform/services/stop-signals.ts"
import { Assertions } from "./assertion/assertions.ts"
import { Callers } from "./caller.ts"
import type { GateConfig } from "./file/gate-config.ts"
import type { GateMetrics } from "./gate-metrics.ts"
import { type Answered, GateServer, type RefusedCaller } from "./gate-server.ts"
import { Guard } from "./guard.ts"
import { publishedBy } from "./published.ts"
import { RefusedCallers } from "./refused-callers.ts"

export type GateOptions = {
  readonly config: GateConfig
  readonly host: string
  readonly port: number
  /** Null disables metrics. */
  readonly metrics: MetricsPlace | null
  readonly json: boolean
}

type MetricsPlace = { readonly host: string; readonly port: number }

/** When the gate stops, requests in progress have this long to finish. */
const STOP_MILLISECONDS = 5_000

/** Runs the gate until SIGTERM or SIGINT. */
export async function runGate(options: GateOptions): Promise<void> {
  const log = openLog(process.env["LATCHKEY_GATE_LOG_LEVEL"], "LATCHKEY_GATE_LOG_LEVEL")
  const signals = listenForStopSignals(log)
  const running = await startGate(options, { log, clock: systemClock })
  log.info({ service: options.config.service, host: options.host, port: running.port }, "the gate serves")
  if (options.metrics !== null) log.info({ host: options.metrics.host, port: running.metricsPort }, "metrics")
  const url = `http://${options.host}:${running.port}`
  console.log(options.json ? JSON.stringify({ url }) : `The gate serves ${url}`)
  log.info({ because: await signals.first }, "stopping")
  await running.close()
  log.flush()
}

export type RunningGate = {
  readonly port: number
  readonly metricsPort: number | null
  readonly close: () => Promise<void>
}

type Context = { readonly log: Log; readonly clock: Clock }

export async function startGate(
  { config, host, port, metrics: place }: Omit<GateOptions, "json">,
  { log, clock }: Context,
): Promise<RunningGate> {
  const assertions = config.assertion === null ? null : await Assertions.open(config.assertion, clock)
  // Without metrics, the metrics library is not loaded.
  const metrics = place === null ? null : new (await import("./gate-metrics.ts")).GateMetrics()
  const connection = connectionOf(config, { log, clock }, metrics)
  const { monotonic } = clock
  const guard = new Guard({ connection, hosts: config.hosts, assert: assertions?.sign ?? null, monotonic })
  const isLive = () => guard.kits[0]?.kit.isLive() ?? false
  metrics?.watch({ isLive, cachedTokens: connection.cachedTokens })
  const server = new GateServer({
    callers: new Callers(config.trusted, config.sharedSecret),
    guard,
    published: publishedBy({ kits: guard.kits, keys: () => assertions?.jwks ?? null, isLive }),
    ...observers(log, metrics, monotonic),
    monotonic,
  })
  warnUncovered(log, config)
  const listening = await server.listen(host, port)
  const metricsListener = metrics === null || place === null ? null : await listenFor(metrics, place, server)
  connection.start()
  const endRefresh = assertions?.keepFresh((error) =>
    log.error({ err: error }, "the keys of the assertion cannot be renewed"),
  )
  return {
    port: listening,
    metricsPort: metricsListener?.port ?? null,
    close: async () => {
      endRefresh?.()
      await server.close(STOP_MILLISECONDS)
      await metricsListener?.close()
      guard.kits[0]?.kit.close()
    },
  }
}

function connectionOf(
  { service, clientId, clientSecret }: GateConfig,
  { log, clock }: Context,
  metrics: GateMetrics | null,
): Connection {
  return connect({
    issuer: service,
    clientId,
    clientSecret,
    clock,
    onTrouble: ({ of, status, cause, times }) => log.warn({ of, status, times, err: cause }, "the service"),
    ...(metrics !== null && { onCheck: (source, milliseconds) => metrics.checked(source, milliseconds) }),
  })
}

function observers(log: Log, metrics: GateMetrics | null, monotonic: () => number) {
  const refusedCallers = new RefusedCallers(log, monotonic)
  return {
    answered: (answered: Answered) => {
      logAnswer(log, answered)
      metrics?.answered(answered)
    },
    refused: (refused: RefusedCaller) => {
      refusedCallers.note(refused)
      metrics?.refused(refused)
    },
    failed: (error: unknown) => log.error({ err: error }, "a question could not be answered"),
  }
}

/** If the metrics cannot listen, the gate does not start. */
async function listenFor(metrics: GateMetrics, place: MetricsPlace, server: GateServer) {
  try {
    return await (await import("../platform/http/metrics-listener.ts")).listenForMetrics(metrics, place)
  } catch (error) {
    await server.close(0)
    throw error
  }
}

function warnUncovered(log: Log, { hosts }: GateConfig): void {
  for (const { name, uncovered } of hosts) {
    const { length: operations } = uncovered
    if (operations > 0) log.warn({ host: name, operations }, "refused operations: see gate check")
  }
}

function logAnswer(log: Log, { family, answer, host, route, took }: Answered): void {
  if (!log.isLevelEnabled("debug")) return
  const { status, reason } = answer
  log.debug({ family, host, status, reason, route: route?.template.text ?? null, ms: took }, "answered")
}
