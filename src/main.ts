/** Starts and stops the service: clock, keys, log, store and HTTP. */
import { trustedRanges } from "./platform/http/connection/client-address.ts"
import { reservePort } from "./platform/http/connection/reserved-port.ts"
import type { Metrics } from "./platform/http/metrics.ts"
import type { MetricsListener } from "./platform/http/metrics-listener.ts"
import { buildServer } from "./build-server.ts"
import { buildServices, type ServiceOptions, type System } from "./build-services.ts"
import type { HttpServer } from "./platform/http/server.ts"
import { httpContextOf } from "./platform/http/http-context.ts"
import type { Config } from "./platform/config/config.ts"
import type { MetricsAddress } from "./platform/config/metrics-address.ts"
import { recordBaseUrl } from "./platform/services/recorded-base-url.ts"
import { warnOfReadableSecret } from "./platform/services/readable-secret.ts"
import { withServiceSecret } from "./platform/services/secret/watch-secret.ts"
import { retentionClock } from "./admin/upkeep/retention-clock.ts"
import {
  warnOfOpenidConflict,
  warnOfUnknownGroups,
  warnOfUnknownPermissions,
} from "./admin/upkeep/unknown-permissions.ts"
import { warnOfManagers } from "./admin/upkeep/application-managers.ts"
import { makeGroups, startEndingMarks } from "./admin/upkeep/group-rules.ts"
import { startHousekeeping } from "./admin/upkeep/housekeeping.ts"
import type { Services } from "./platform/services/services.ts"
import { offerSetUp } from "./accounts/set-up/set-up.ts"
import { startRotationKeys } from "./platform/services/rotation-keys.ts"
import { startTallying } from "./platform/services/tallies.ts"
import { lockDirectory } from "./store/sqlite/engine/directory-lock.ts"
import { listenForStopSignals } from "./platform/services/stop-signals.ts"
import { waitingApps } from "./oauth/authorize/waiting-app.ts"
import { bytesToRecover, startFacts } from "./platform/config/start-facts.ts"
import { openStore } from "./platform/config/open-store.ts"
import type { MailSender } from "./platform/mail/sender.ts"
import { LOCK_WAIT_MS } from "./store/sqlite/engine/write-lock.ts"
import type { Store } from "./store/store.ts"
import { makeDirectory } from "./kernel/process/file-problem.ts"
import { systemClock } from "./kernel/clock.ts"
import { warmUp } from "./platform/services/password.ts"
import { type Log, openLog } from "./kernel/log.ts"
import { version } from "./kernel/process/version.ts"

export type ServeOptions = Config & {
  readonly host: string
  readonly port: number
  /** Null stands for `http://localhost` with the port that the service listens on. */
  readonly baseUrl: string | null
  /** Null disables metrics. */
  readonly metrics: MetricsAddress | null
  readonly json: boolean
}

/** When the service stops, requests in progress have this long to finish. */
const STOP_MILLISECONDS = 8_000
/** The process ends after this time, even if the database does not respond. */
const END_MILLISECONDS = 9_500

/** Runs the service until SIGTERM or SIGINT. Throws an error with a readable message if it cannot start. */
export async function serve(options: ServeOptions): Promise<void> {
  const log = openLog(process.env["LATCHKEY_LOG_LEVEL"])
  const givenSecret = process.env["LATCHKEY_SECRET_KEY"]
  const release = takeDirectory(options, givenSecret)
  const end = Promise.withResolvers<string>()
  // Without metrics, the metrics library is not loaded.
  const facts = await startFacts(options)
  const metrics =
    options.metrics === null ? null : new (await import("./platform/http/metrics.ts")).Metrics(facts.engine)
  const toRecover = bytesToRecover(options)
  const store = await openStore(options, {
    mayMigrate: true,
    migrated: (from, to) => log.info({ from, to }, "the schema of the database was migrated"),
    lockWaitMs: LOCK_WAIT_MS,
    committed: metrics === null ? undefined : (changes) => metrics.committed(changes),
    waiting: metrics === null ? undefined : (count) => metrics.watchStore(count),
    diskFailed: (err) => {
      // After this failure, the state of the disk is unknown. A supervisor restarts the service, which then reads what
      // the disk really stored.
      log.fatal({ err }, "the disk failed; the service stops")
      process.exitCode = 1
      end.resolve("disk failure")
    },
  })
  try {
    const lost = () => {
      process.exitCode = 1
      end.resolve("another service secret")
    }
    const { dataDir, port } = options
    const baseUrl = port === 0 ? (options.baseUrl ?? undefined) : issuerOf(options, port)
    await withServiceSecret({ store, clock: systemClock, log, dataDir, baseUrl, lost }, (keys) => {
      warnOfReadableSecret(dataDir, givenSecret, log)
      if (toRecover > 0)
        log.info({ bytes: toRecover }, "the last stop was not clean: the database recovered its log")
      log.info({ version, ...facts }, "starting")
      return serveUntil(end, options, store, { keys, log, metrics })
    })
  } finally {
    // Open connections would keep the process running.
    await store.close()
    release()
  }
  log.flush()
}

async function serveUntil(
  end: PromiseWithResolvers<string>,
  options: ServeOptions,
  store: Store,
  { keys, log, metrics }: { keys: Services["keys"]; log: Log; metrics: Metrics | null },
): Promise<void> {
  const signals = listenForStopSignals(log)
  void signals.first.then(end.resolve)
  const running = await start(options, store, { clock: systemClock, keys, log }, metrics)
  // The hash that stands in for unknown accounts is computed now, so that the first sign-in need not wait. /health
  // already responds.
  await warmUp()
  const { issuer } = running.services
  log.info({ issuer, host: options.host, port: running.port }, "serving")
  if (options.metrics?.on === "apart")
    log.info({ host: options.metrics.host, port: running.metricsListener?.port }, "metrics")
  for (const warn of [warnOfUnknownPermissions, warnOfUnknownGroups, warnOfOpenidConflict, warnOfManagers])
    void warn(running.services).catch(() => undefined)
  await announce(running.services, options.json)

  log.info({ because: await end.promise }, "stopping")
  setTimeout(() => endNow(log), END_MILLISECONDS).unref()
  await stop(running, log, signals.third)
}

/**
 * Locks the directory of the embedded database, because only one process may use it. A node on PostgreSQL needs the
 * directory only if the environment does not set the secret. Returns the function that releases the directory.
 */
function takeDirectory(
  { dataDir, databaseUrl }: Pick<ServeOptions, "dataDir" | "databaseUrl">,
  givenSecret: string | undefined,
): () => void {
  if (databaseUrl !== null && givenSecret !== undefined && givenSecret !== "") return () => undefined
  makeDirectory(dataDir)
  if (databaseUrl !== null) return () => undefined
  const lock = lockDirectory(dataDir)
  if (!lock.held && "problem" in lock) throw new Error(lock.problem)
  if (!lock.held)
    throw new Error(`another server runs on ${dataDir}${lock.pid === null ? "" : ` (process ${lock.pid})`}`)
  return () => lock.release()
}

export type Running = {
  readonly services: Services
  readonly server: HttpServer
  readonly port: number
  readonly endHousekeeping: () => void
  /** Null without e-mail. */
  readonly mailSender: MailSender | null
  /** The separate listener for metrics, or null. */
  readonly metricsListener: MetricsListener | null
}

function issuerOf({ baseUrl }: Pick<ServeOptions, "baseUrl">, port: number): string {
  return baseUrl ?? `http://localhost:${port}`
}

/** Starts to serve requests on an open store. The caller closes the store after `stop`. */
export async function start(
  options: ServiceOptions &
    Pick<ServeOptions, "trustedProxies" | "host" | "port" | "baseUrl"> &
    Partial<Pick<ServeOptions, "metrics">>,
  store: Store,
  system: System,
  metrics: Metrics | null = null,
): Promise<Running> {
  const { host, metrics: metricsAddress = null } = options
  const taken = options.port === 0 ? await reservePort(host) : null
  const port = taken?.port ?? options.port
  const issuer = issuerOf(options, port)
  const { services, mailSender } = await buildServices(options, store, system, issuer)
  metrics?.watch(services)
  if (mailSender !== null) metrics?.watchMail(services)
  const server = buildServer(
    httpContextOf(services, trustedRanges(options.trustedProxies), waitingApps),
    metrics === null ? null : { metrics, isPublic: metricsAddress?.on === "public" },
  )
  const metricsListener =
    metrics === null || metricsAddress?.on !== "apart"
      ? null
      : await (await import("./platform/http/metrics-listener.ts")).listenForMetrics(metrics, metricsAddress)
  await makeGroups(services)
  const trusted = retentionClock(services)
  // This call detects a clock jump before the first round of housekeeping. If storing its state fails, that round
  // stores it again.
  await trusted().catch(() => undefined)
  try {
    await server.listen(taken?.handle ?? { host, port })
  } catch (error) {
    // An open listener would keep the process running.
    await metricsListener?.close()
    throw error
  }
  const endings = [
    await recordBaseUrl(services),
    startHousekeeping(services, trusted),
    startEndingMarks(services),
    startTallying(services.tallies),
    startRotationKeys(services.rotationKeys, system.log),
    ...(mailSender === null ? [] : [mailSender.start()]),
  ]
  const endHousekeeping = () => endings.forEach((end) => end())
  return { services, server, port, endHousekeeping, metricsListener, mailSender }
}

/** Lets requests in progress finish. Waits at most eight seconds, or until `hurry` resolves. */
export async function stop(
  { services, server, endHousekeeping, metricsListener, mailSender }: Running,
  log: Log,
  hurry?: Promise<void>,
): Promise<void> {
  services.feed.close()
  endHousekeeping()
  const cutOff = () => {
    log.warn("the service stops; requests in flight are cut off")
    server.cutOff()
  }
  const timer = setTimeout(cutOff, STOP_MILLISECONDS)
  void hurry?.then(cutOff)
  await server.close()
  clearTimeout(timer)
  await metricsListener?.close()
  await services.background.idle()
  await mailSender?.idle()
  await services.tallies.flush()
}

function endNow(log: Log): void {
  log.error("the service did not stop in time; the process exits")
  log.flush()
  process.exit(1)
}

/** Prints the set-up link while no account exists. */
async function announce(services: Services, json: boolean): Promise<void> {
  const secret = await offerSetUp(services)
  const setupUrl = secret === null ? null : `${services.issuer}/setup?link=${secret}`
  if (json) {
    console.log(JSON.stringify({ base_url: services.issuer, setup_url: setupUrl }))
    return
  }
  console.log(`Latchkey serves ${services.issuer}`)
  if (setupUrl !== null)
    console.log(
      `\nNo account exists yet. Create the first administrator here (the link works once):\n\n  ${setupUrl}\n`,
    )
}
