/** Refreshes at a fixed rate, whether the server keeps up or not. */
import { Agent } from "node:http"
import { setTimeout as pause } from "node:timers/promises"
import { send, tokenOf } from "../journey/send.ts"
import { refreshOf, type Site } from "../journey/visitor.ts"

/**
 * Sends a refresh every `1 / rate` seconds. `tokens` has the newest token of each credential. Returns the milliseconds
 * from the time at which each refresh was due.
 */
export async function refreshSteadily(
  site: Site,
  tokens: string[],
  rate: number,
  seconds: number,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  const begun = performance.now()
  const latencies: number[] = []
  const one = async (at: number, due: number) => {
    const place = at % tokens.length
    const asked = refreshOf(site.clientId, tokens[place] ?? "")
    tokens[place] = tokenOf(await send(agent, site.token, {}, asked))
    latencies.push(performance.now() - due)
  }
  try {
    const all: Promise<void>[] = []
    for (let at = 0; at < rate * seconds; at++) {
      const due = begun + (1000 * at) / rate
      const wait = due - performance.now()
      if (wait > 0) await pause(wait)
      const sent = one(at, due)
      sent.catch(() => undefined)
      all.push(sent)
    }
    await Promise.all(all)
  } finally {
    agent.destroy()
  }
  return latencies
}
