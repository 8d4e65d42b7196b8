/** How soon a revocation, or leaving a group, is felt from the moment at which it is sent. */
import { until } from "../../test/support/until.ts"
import { type Attempt, type Figures, part } from "../proof.ts"
import { expect, type Servers } from "./servers.ts"
import type { World } from "./world.ts"

const REVOCATIONS = 200
const FELT_WITHIN_MILLISECONDS = 1000

/** A way to lose access, with the answers over HTTP and gRPC after it. */
type Loss = {
  readonly what: string
  readonly status: number
  readonly code: string
  readonly lose: (token: string) => Promise<void>
  readonly restore: () => Promise<void>
}

/** Waits until the token works and then until it is refused. */
type Watch = (token: string, loss: Loss) => Promise<{ readonly refused: Promise<unknown> }>

export async function revocations(world: World, servers: Servers, attempt: Attempt): Promise<Figures> {
  const overHTTP =
    (call: (token: string) => Promise<Response>): Watch =>
    async (token, { status }) => {
      await until(async () => (await call(token)).status === 200, "the token works")
      return { refused: untilStatus(() => call(token), status) }
    }
  const overGRPC: Watch = async (token, { what, code }) => {
    expect("List", await servers.grpc.asked(`list ${token}`), "OK")
    servers.grpc.say(`until ${token}`)
    return { refused: servers.grpc.value().then((got) => expect(`after ${what}`, got, code)) }
  }
  const watches: readonly (readonly [string, Watch])[] = [
    ["net/http", overHTTP((token) => servers.http.call(token))],
    ["chi", overHTTP((token) => servers.chi.call(token, "/notes/7"))],
    ["grpc-go", overGRPC],
  ]
  const revocation: Loss = {
    what: "a revocation",
    status: 401,
    code: "Unauthenticated",
    lose: (token) => world.revoke(token),
    restore: () => Promise.resolve(),
  }
  const figures: Figures[] = []
  for (const [name, watch] of watches) figures.push(await measured(name, watch, revocation, "felt"))
  const membership = await world.membership()
  const leaving: Loss = {
    what: "leaving the group",
    status: 403,
    code: "PermissionDenied",
    lose: () => membership.leave(),
    restore: () => membership.join(),
  }
  for (const [name, watch] of watches)
    figures.push(await measured(name, watch, leaving, "leaving a group felt"))
  return Object.assign({}, ...figures) as Figures

  async function measured(name: string, watch: Watch, loss: Loss, label: string): Promise<Figures> {
    const times: number[] = []
    for (let left = part(attempt, REVOCATIONS); left > 0; left--) {
      const token = await world.token()
      const { refused } = await watch(token, loss)
      const begun = performance.now()
      const sent = loss.lose(token)
      await refused
      times.push(performance.now() - begun)
      await sent
      await loss.restore()
    }
    times.sort((a, b) => a - b)
    const at = (quantile: number) => Math.round(times[Math.ceil(times.length * quantile) - 1] ?? 0)
    attempt.say(`${name}: ${loss.what} is felt after ${at(0.5)} ms, p99 ${at(0.99)} ms`)
    if (at(0.99) >= FELT_WITHIN_MILLISECONDS) throw new Error(`${name}: p99 of ${loss.what} ${at(0.99)} ms`)
    return {
      [`${name}: ${label === "felt" ? "revocations" : "times a group was left"}`]: times.length,
      [`${name}: ${label}, median, ms`]: at(0.5),
      [`${name}: ${label}, p99, ms`]: at(0.99),
    }
  }
}

async function untilStatus(call: () => Promise<Response>, status: number): Promise<void> {
  await until(async () => (await call()).status === status, `${status}`)
}
