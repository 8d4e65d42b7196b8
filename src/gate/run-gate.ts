/** Starts and stops the gate. */
import { connect } from "#resource-server/connection.ts"
import { type Clock, systemClock } from "../kernel/clock.ts"
import { openLog, type Log } from "../kernel/log.ts"
import { listenForStopSignals } from "../stop-signals.ts"
import { Assertions } from "./assertion/assertions.ts"
import { Callers } from "./caller.ts"
import type { GateConfig } from "./file/gate-config.ts"
import { type Answered, GateServer } from "./gate-server.ts"
import { Guard } from "./guard.ts"
import { publishedBy } from "./published.ts"
import { RefusedCallers } from "./refused-callers.ts"

export type GateOptions = {
  readonly config: GateConfig
  readonly host: string
  readonly port: number
  readonly json: boolean
}

/** When the gate stops, requests in progress have this long to finish. */
const STOP_MILLISECONDS = 5_000

/** Runs the gate until SIGTERM or SIGINT. */
export async function runGate(options: GateOptions): Promise<void> {
  const log = openLog(process.env["LATCHKEY_GATE_LOG_LEVEL"])
  const signals = listenForStopSignals(log)
  const running = await startGate(options, { log, clock: systemClock })
  log.info({ service: options.config.service, host: options.host, port: running.port }, "the gate serves")
  const url = `http://${options.host}:${running.port}`
  console.log(options.json ? JSON.stringify({ url }) : `The gate serves ${url}`)
  log.info({ because: await signals.first }, "stopping")
  await running.close()
  log.flush()
}

export type RunningGate = { readonly port: number; readonly close: () => Promise<void> }

export async function startGate(
  { config, host, port }: Omit<GateOptions, "json">,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): Promise<RunningGate> {
  const assertions = config.assertion === null ? null : await Assertions.open(config.assertion, clock)
  const connection = connect({
    issuer: config.service,
    clientId: config.clientId,
    clientSecret: config.clientSecret,
    clock,
    onTrouble: ({ of, status, cause, times }) => log.warn({ of, status, times, err: cause }, "the service"),
  })
  const { monotonic } = clock
  const guard = new Guard({ connection, hosts: config.hosts, assert: assertions?.sign ?? null, monotonic })
  const refusedCallers = new RefusedCallers(log, monotonic)
  const [first] = guard.kits
  const server = new GateServer({
    callers: new Callers(config.trusted, config.sharedSecret),
    guard,
    published: publishedBy({
      kits: guard.kits,
      keys: () => assertions?.jwks ?? null,
      isLive: () => first?.kit.isLive() ?? false,
    }),
    answered: (answered) => logAnswer(log, answered),
    refused: (refused) => refusedCallers.note(refused),
    failed: (error) => log.error({ err: error }, "a question could not be answered"),
    monotonic,
  })
  for (const { name, uncovered } of config.hosts) {
    const { length: operations } = uncovered
    if (operations > 0) log.warn({ host: name, operations }, "refused operations: see gate check")
  }
  connection.start()
  const listening = await server.listen(host, port)
  const endRefresh = assertions?.keepFresh((error) =>
    log.error({ err: error }, "the keys of the assertion cannot be renewed"),
  )
  return {
    port: listening,
    close: async () => {
      endRefresh?.()
      await server.close(STOP_MILLISECONDS)
      first?.kit.close()
    },
  }
}

function logAnswer(log: Log, { family, answer, host, route, took }: Answered): void {
  if (!log.isLevelEnabled("debug")) return
  const { status, reason } = answer
  log.debug({ family, host, status, reason, route: route?.template.text ?? null, ms: took }, "answered")
}
