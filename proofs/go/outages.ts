/** The service is killed while the event streams are open, and started again. */
import { until } from "../../test/support/until.ts"
import { type Attempt, type Figures, part } from "../proof.ts"
import { expect, type Servers } from "./servers.ts"
import type { World } from "./world.ts"

const KILLS = 10
const CALLS_DURING_AN_OUTAGE = 50

export async function outages(world: World, servers: Servers, attempt: Attempt): Promise<Figures> {
  const { http, grpc } = servers
  let passed = 0
  let refused = 0
  let slowest = 0
  const kills = part(attempt, KILLS)
  for (let kill = 0; kill < kills; kill++) {
    const [kept, revoked] = [await world.token(), await world.token()]
    for (const token of [kept, revoked]) {
      expect("before a kill", (await http.call(token)).status, 200)
      expect("before a kill", await grpc.asked(`list ${token}`), "OK")
    }
    await world.kill()
    await until(async () => (await http.call(kept)).status === 503, "net/http: 503")
    await until(async () => (await grpc.asked(`list ${kept}`)) === "Unavailable", "grpc-go: Unavailable")
    for (let call = 0; call < CALLS_DURING_AN_OUTAGE; call++) {
      const answer = await http.call(kept)
      if (answer.status === 200) passed++
      else if (answer.status === 503 && answer.headers.get("retry-after") === "2") refused++
      else throw new Error(`${answer.status} during an outage`)
    }
    await world.startAgain()
    const begun = performance.now()
    await until(async () => (await http.call(kept)).status === 200, "net/http answers again")
    await until(async () => (await grpc.asked(`list ${kept}`)) === "OK", "grpc-go answers again")
    slowest = Math.max(slowest, performance.now() - begun)
    await world.revoke(revoked)
    await until(async () => (await http.call(revoked)).status === 401, "net/http refuses")
    await until(async () => (await grpc.asked(`list ${revoked}`)) === "Unauthenticated", "grpc-go refuses")
  }
  if (passed > 0) throw new Error(`${passed} requests passed while the service was killed`)
  return {
    "kills of the service": kills,
    "requests refused with 503 meanwhile": refused,
    "requests passed meanwhile": passed,
    "slowest return after a start, ms": Math.round(slowest),
  }
}
