/**
 * Handles SIGTERM and SIGINT. The first signal stops the service. The second signal is ignored, because npm forwards a
 * Ctrl-C that the service has already received, and supervisors repeat signals. The third signal ends requests in
 * progress.
 */
import type { Log } from "../../kernel/log.ts"

type StopSignals = {
  /** The name of the first signal. */
  readonly first: Promise<string>
  readonly third: Promise<void>
}

export function listenForStopSignals(log: Log): StopSignals {
  const first = Promise.withResolvers<string>()
  const third = Promise.withResolvers<void>()
  let count = 0
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      count++
      log.info({ signal, count }, "received a stop signal")
      first.resolve(signal)
      if (count === 3) third.resolve()
    })
  return { first: first.promise, third: third.promise }
}
