/** Servers with several processes: revocations, a service that is killed and started again, and a silent service. */
import { join } from "node:path"
import { freePort } from "../../test/support/free-port.ts"
import { type Span, within } from "../../test/support/spawn.ts"
import type { Membership } from "../membership.ts"
import type { Figures } from "../proof.ts"
import type { Python } from "./install.ts"
import { Subject } from "./subject.ts"
import { Workers } from "./workers.ts"

const WORKERS = 4
const IN_EFFECT_MILLISECONDS = 1000
/** A silent stream is given up after 25 seconds. The questions that follow are given up after five. */
const SILENCE_MILLISECONDS = 45_000
/** The last data came up to ten seconds before. */
const MIN_SILENCE_MILLISECONDS = 14_000

const servers = {
  uvicorn: (bin: string, port: number) => [
    join(bin, "uvicorn"),
    ...["asgi_app:app", "--port", String(port), "--workers", String(WORKERS)],
    ...["--timeout-keep-alive", "600", "--log-level", "warning"],
  ],
  gunicorn: (bin: string, port: number) => [
    join(bin, "gunicorn"),
    ...["wsgi_app:app", "--bind", `127.0.0.1:${port}`, "--workers", String(WORKERS), "--preload"],
    ...["--worker-class", "gthread", "--threads", "4", "--keep-alive", "600", "--timeout", "600"],
  ],
} as const

export type Server = keyof typeof servers

export function underServer(
  server: Server,
  { python }: Python,
  revocations: number,
  say: (line: string) => void,
): Promise<Figures> {
  return within(async (span) => {
    const subject = await Subject.open(span)
    const workers = await started(span, subject, server, join(python, ".."))
    say(`${server}: ${revocations} revocations`)
    const felt: number[] = []
    for (let i = 0; i < revocations; i++) felt.push(await feltAt(subject, workers))
    const p99 = p99Of(felt, `${server}: revocations`)
    say(`${server}: a group is left ${revocations} times`)
    const left: number[] = []
    const membership = await subject.membership()
    for (let i = 0; i < revocations; i++) left.push(await leftAt(subject, workers, membership))
    const leftP99 = p99Of(left, `${server}: groups that are left`)
    say(`${server}: the service is killed and started again`)
    const killed = await killAndRestart(subject, workers)
    say(`${server}: the service is silent`)
    const silent = await silence(subject, workers)
    return {
      [`${server}: revocations`]: revocations,
      [`${server}: refused by all ${WORKERS} workers, median ms`]: Math.round(felt[felt.length >> 1] ?? 0),
      [`${server}: the same, p99 ms`]: Math.round(p99),
      [`${server}: the same, slowest ms`]: Math.round(felt.at(-1) ?? 0),
      [`${server}: a group is left, refused by all, median ms`]: Math.round(left[left.length >> 1] ?? 0),
      [`${server}: a group is left, refused by all, p99 ms`]: Math.round(leftP99),
      [`${server}: after the service is killed, 503 from all after ms`]: Math.round(killed.unknown),
      [`${server}: after it serves again, 200 from all after ms`]: Math.round(killed.again),
      [`${server}: a revocation right after that, ms`]: Math.round(killed.felt),
      [`${server}: after the service is silent, 503 from all after s`]: Math.round(silent / 1000),
    }
  })
}

async function started(span: Span, subject: Subject, server: Server, bin: string): Promise<Workers> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/notes`
  const said = await subject.program(servers[server](bin, port), url)
  const workers = await Workers.open(span, url, WORKERS)
  if (server === "gunicorn" && !said().includes("live before the fork: True"))
    throw new Error(`the kit was not used before the fork: ${said()}`)
  return workers
}

/** Returns how long after the request to revoke the last worker has refused. */
async function feltAt(subject: Subject, workers: Workers): Promise<number> {
  const token = await subject.token()
  await workers.untilLive(token)
  await workers.until(token, 200, [])
  const begun = performance.now()
  await subject.revoke(token)
  await workers.until(token, 401, [200])
  return performance.now() - begun
}

/** Returns how long after the account left the group the last worker has refused. The token works again after that. */
async function leftAt(subject: Subject, workers: Workers, membership: Membership): Promise<number> {
  const token = await subject.token()
  await workers.untilLive(token)
  await workers.until(token, 200, [])
  const begun = performance.now()
  await membership.leave()
  await workers.until(token, 403, [200])
  const felt = performance.now() - begun
  await membership.join()
  await workers.until(token, 200, [403])
  return felt
}

/** Sorts the times, and returns the 99th percentile. */
function p99Of(felt: number[], what: string): number {
  felt.sort((a, b) => a - b)
  const p99 = felt[Math.ceil(felt.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY
  if (p99 >= IN_EFFECT_MILLISECONDS) throw new Error(`${what} are felt after ${p99} ms (p99)`)
  return p99
}

async function killAndRestart(subject: Subject, workers: Workers) {
  const [token, other] = [await subject.token(), await subject.token()]
  for (const one of [token, other]) await workers.until(one, 200, [])
  await subject.kill()
  const unknown = await workers.until(token, 503, [200])
  await subject.restart()
  const begun = performance.now()
  // This answer was cached before the stream broke.
  await subject.revoke(other)
  await workers.until(other, 401, [200, 503])
  const felt = performance.now() - begun
  await workers.until(token, 200, [503])
  return { unknown, felt, again: performance.now() - begun }
}

async function silence(subject: Subject, workers: Workers): Promise<number> {
  const token = await subject.token()
  await workers.untilLive(token)
  await workers.until(token, 200, [])
  subject.signal("SIGSTOP")
  try {
    const elapsed = await workers.until(token, 503, [200], SILENCE_MILLISECONDS)
    if (elapsed < MIN_SILENCE_MILLISECONDS) throw new Error(`nothing was cached: 503 after ${elapsed} ms`)
    return elapsed
  } finally {
    subject.signal("SIGCONT")
  }
}
