/**
 * SIGTERM and SIGINT. The first stops the service. The second changes nothing: npm forwards a Ctrl-C that the terminal
 * also sent to the service, and supervisors repeat signals. The third cuts off requests in flight.
 */
import type { Log } from "./kernel/log.ts"

export type StopSignals = {
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
      log.info({ signal, count }, "signal to stop")
      first.resolve(signal)
      if (count === 3) third.resolve()
    })
  return { first: first.promise, third: third.promise }
}
