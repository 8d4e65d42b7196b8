/** Runs every check in the order of the report. */
import { withPeriod } from "../../kernel/words.ts"
import { Unreachable } from "./ask.ts"
import { clock } from "./clock.ts"
import { discovery, isPublished } from "./discovery.ts"
import { appEndpoints } from "./endpoints.ts"
import { type Finding, problem, notice } from "./finding.ts"
import { pages } from "./pages.ts"
import { providers } from "./providers.ts"
import { targetAt, type Target } from "./target.ts"
import { reach } from "./reach.ts"

const checks: readonly ((target: Target) => Promise<Finding[]>)[] = [
  discovery,
  appEndpoints,
  pages,
  providers,
  clock,
]

export async function examine(base: string, app: Target["app"]): Promise<readonly Finding[]> {
  const target = targetAt(base, app)
  const { findings, isReached } = await reach(target)
  if (!isReached) return findings
  try {
    // A proxy may hide /health. If the metadata is missing too, another server answers at this URL.
    if (findings[0]?.state === "problem" && !(await isPublished(target))) {
      const advice = "Fix the problems above, then run doctor again."
      return [...findings, notice("everything else", "Not checked.", advice)]
    }
    for (const check of checks) findings.push(...(await check(target)))
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    const advice = "It answered a moment ago. Check whether it is restarting, and how many nodes there are."
    findings.push(problem("reach", withPeriod(`The service stopped answering: ${error.message}`), advice))
  }
  return findings
}
