/**
 * Puts the gate behind proxies of several versions, which are installed for this. Each must do what the tests demand of
 * the proxies of the operating system. Measures how soon a revocation is felt, and what the gate costs.
 */
import { availableParallelism } from "node:os"
import { attacks, type AttackName, attacksByHttp2, tryAttack } from "../../test/gate/proxies/attacks.ts"
import { GuardedApp } from "../../test/gate/proxies/guarded-app.ts"
import {
  checkGateHangs,
  checkGateKilled,
  checkManyPermissions,
  checkPublic,
  checkServiceDown,
  checkServiceSlow,
  checkTokens,
} from "../../test/gate/proxies/states.ts"
import { type Span, within } from "../../test/support/spawn.ts"
import { Choice } from "../choice.ts"
import { type Attempt, Broken, type Figures, part, type Proof } from "../proof.ts"
import { feelLeaving, feelRevocations } from "./felt.ts"
import { installedVersions, installPrograms } from "./install.ts"
import { measureSpeed } from "./speed.ts"

const REVOCATIONS = 200
const FELT_MILLISECONDS = 1000
const SECONDS = 5

export const gate: Proof = {
  name: "gate",
  promise:
    "behind every proxy nothing passes that the gate refuses, and a revocation or a group that was left is felt within a second",
  engines: ["sqlite"],
  prove: (attempt) => within((span) => prove(span, attempt)),
}

async function prove(span: Span, attempt: Attempt): Promise<Figures> {
  const { programs: added, missing } = await installPrograms(attempt.say)
  const programs = [...installedVersions(), ...added]
  const guarded = await GuardedApp.open(span)
  const proxies = await Promise.all(programs.map((program) => guarded.guard(span, program)))
  for (const proxy of proxies) {
    attempt.say(`${proxy.name}: tokens and routes`)
    await checkTokens(guarded, proxy)
    await checkPublic(guarded, proxy)
  }
  await checkManyPermissions(guarded, proxies)
  const secured = await Promise.all(programs.map((program) => guarded.guard(span, program, true)))
  const tried =
    (await tryAttack(guarded, proxies, ...(Object.keys(attacks) as AttackName[]))) +
    (await tryAttack(guarded, secured, ...attacksByHttp2))
  attempt.say(`${tried} attacks, nothing let through`)
  await checkServiceSlow(guarded, proxies)
  await checkServiceDown(guarded, proxies)
  await checkGateHangs(guarded, proxies)
  await checkGateKilled(guarded, proxies)
  attempt.say("outages: nothing let through")

  const [times, choice] = [part(attempt, REVOCATIONS), new Choice(attempt.seed)]
  const felt = [
    ["revocation", await feelRevocations(guarded, proxies, times, choice)],
    ["leaving a group", await feelLeaving(guarded, proxies, times, choice)],
  ] as const
  const figures: Record<string, number | string> = { ...missing, "attacks tried": tried }
  const problems: string[] = []
  for (const [what, name, all] of felt.flatMap(([of, measured]) =>
    [...measured].map((one) => [of, ...one] as const),
  )) {
    const sorted = all.toSorted((a, b) => a - b)
    const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? NaN)
    figures[`${name} ${what} felt: times`] = sorted.length
    figures[`${name} ${what} felt: p50, ms`] = at(0.5)
    figures[`${name} ${what} felt: p99, ms`] = at(0.99)
    if (!(at(0.99) < FELT_MILLISECONDS)) problems.push(`${name}: ${what} was felt after ${at(0.99)} ms`)
  }
  attempt.say("speed")
  const speed = await measureSpeed(span, guarded, programs, Math.max(1, SECONDS * attempt.scale))
  Object.assign(figures, speed, { cores: availableParallelism() })
  if (problems.length > 0) throw new Broken(problems, figures)
  return figures
}
