/** Device grants that are never answered. */
import { send } from "../../test/support/connect.ts"
import type { AttackOrder, AttackReport } from "./attack.ts"

const AT_ONCE = 32
/** One of this many codes is reported back. */
const KEPT_EVERY = 400

export async function askForDeviceGrants({ url, count, clientId }: AttackOrder): Promise<AttackReport> {
  const counts: Record<string, number> = {}
  const deviceCodes: string[] = []
  let asked = 0
  const machine = async () => {
    while (asked < count) {
      const n = asked++
      const from = { "x-forwarded-for": `198.18.${(n >> 8) & 255}.${n & 255}` }
      const { status, body } = await send(
        { url },
        "/oauth/device-authorization",
        { client_id: clientId },
        from,
      )
      counts[`answered ${status}`] = (counts[`answered ${status}`] ?? 0) + 1
      if (status === 200 && n % KEPT_EVERY === 0) deviceCodes.push(String(body["device_code"]))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, machine))
  return { counts, deviceCodes }
}
