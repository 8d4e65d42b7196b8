/** Every examination, in the order in which they are told. */
import { Unreachable } from "./ask.ts"
import { clock } from "./clock.ts"
import { discovery, isPublished } from "./discovery.ts"
import { appEndpoints } from "./endpoints.ts"
import { type Finding, problem, notice } from "./finding.ts"
import { pages } from "./pages.ts"
import { targetAt, type Target } from "./target.ts"
import { reach } from "./reach.ts"

const examinations: readonly ((patient: Target) => Promise<Finding[]>)[] = [
  discovery,
  appEndpoints,
  pages,
  clock,
]

export async function examine(base: string, app: Target["app"]): Promise<readonly Finding[]> {
  const who = targetAt(base, app)
  const { findings, isReached } = await reach(who)
  if (!isReached) return findings
  try {
    // A proxy may keep strangers from /health. Where the metadata are missing as well, it is not the service that answers.
    if (findings[0]?.state === "problem" && !(await isPublished(who))) {
      const advice = "Mend what is above and look again: all of it would be wrong for that reason alone."
      return [...findings, notice("everything else", "It was not looked at.", advice)]
    }
    for (const examination of examinations) findings.push(...(await examination(who)))
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    const advice = "It was reached a moment ago: look whether it is restarting, and how many nodes there are."
    findings.push(problem("reach", `The service stopped answering: ${error.message}.`, advice))
  }
  return findings
}
