/** Attackers at different addresses who try to sign in with wrong passwords as often as the service allows. */
import { Browser } from "../../test/support/browser.ts"
import type { AttackOrder, AttackReport } from "./attack.ts"

export async function signInWithWrongPasswords({ url, count, seconds }: AttackOrder): Promise<AttackReport> {
  const end = performance.now() + seconds * 1000
  const counts: Record<string, number> = {}
  const stranger = async (_: unknown, n: number) => {
    const browser = new Browser(url, { "x-forwarded-for": `198.18.${n >> 8}.${n & 255}` })
    const page = await browser.get("/sign-in")
    for (let tries = 0; performance.now() < end; tries++) {
      const fields = { username: `stranger ${n}.${tries >> 3}`, password: `not the password ${tries}` }
      const { status, headers } = await browser.submit(page, "/sign-in", fields)
      const isBare = status >= 429 && !headers.has("retry-after")
      const answer = `answered ${status}${isBare ? " without Retry-After" : ""}`
      counts[answer] = (counts[answer] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: count }, stranger))
  return { counts }
}
