/** How soon a revocation is felt, from the moment at which it is sent. */
import { until } from "../../test/support/until.ts"
import { type Attempt, type Figures, part } from "../proof.ts"
import { expect, type Servers } from "./servers.ts"
import type { World } from "./world.ts"

const REVOCATIONS = 200
const FELT_WITHIN_MILLISECONDS = 1000

/** Waits until the token works and then until it is refused. */
type Watch = (token: string) => Promise<{ readonly refused: Promise<unknown> }>

export async function revocations(world: World, servers: Servers, attempt: Attempt): Promise<Figures> {
  const overHTTP =
    (call: (token: string) => Promise<Response>): Watch =>
    async (token) => {
      await until(async () => (await call(token)).status === 200, "the token works")
      return { refused: untilStatus(() => call(token), 401) }
    }
  const overGRPC: Watch = async (token) => {
    expect("List", await servers.grpc.asked(`list ${token}`), "OK")
    servers.grpc.say(`until ${token}`)
    return {
      refused: servers.grpc.value().then((code) => expect("after a revocation", code, "Unauthenticated")),
    }
  }
  return {
    ...(await measured(
      "net/http",
      overHTTP((token) => servers.http.call(token)),
    )),
    ...(await measured(
      "chi",
      overHTTP((token) => servers.chi.call(token, "/notes/7")),
    )),
    ...(await measured("grpc-go", overGRPC)),
  }

  async function measured(name: string, watch: Watch): Promise<Figures> {
    const times: number[] = []
    for (let left = part(attempt, REVOCATIONS); left > 0; left--) {
      const token = await world.token()
      const { refused } = await watch(token)
      const begun = performance.now()
      const sent = world.revoke(token)
      await refused
      times.push(performance.now() - begun)
      await sent
    }
    times.sort((a, b) => a - b)
    const at = (quantile: number) => Math.round(times[Math.ceil(times.length * quantile) - 1] ?? 0)
    attempt.say(`${name}: a revocation is felt after ${at(0.5)} ms, p99 ${at(0.99)} ms`)
    if (at(0.99) >= FELT_WITHIN_MILLISECONDS) throw new Error(`${name}: p99 of a revocation ${at(0.99)} ms`)
    return {
      [`${name}: revocations`]: times.length,
      [`${name}: felt, median, ms`]: at(0.5),
      [`${name}: felt, p99, ms`]: at(0.99),
    }
  }
}

async function untilStatus(call: () => Promise<Response>, status: number): Promise<void> {
  await until(async () => (await call()).status === status, `${status}`)
}
