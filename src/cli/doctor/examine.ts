/** Every examination, in the order in which they are told. */
import { Unreachable } from "./ask.ts"
import { clock } from "./clock.ts"
import { discovery } from "./discovery.ts"
import { appEndpoints } from "./endpoints.ts"
import { type Finding, problem } from "./finding.ts"
import { pages } from "./pages.ts"
import { patient, type Patient } from "./patient.ts"
import { reach } from "./reach.ts"

const examinations: readonly ((patient: Patient) => Promise<Finding[]>)[] = [
  discovery,
  appEndpoints,
  pages,
  clock,
]

export async function examine(base: string, app: Patient["app"]): Promise<readonly Finding[]> {
  const who = patient(base, app)
  const { findings, isReached } = await reach(who)
  if (!isReached) return findings
  try {
    for (const examination of examinations) findings.push(...(await examination(who)))
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    const advice = "It was reached a moment ago: look whether it is restarting, and how many nodes there are."
    findings.push(problem("reach", `The service stopped answering: ${error.message}.`, advice))
  }
  return findings
}
