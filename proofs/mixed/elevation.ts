/** Step-up: an app asks, a person proves a factor, and the credential is elevated. */
import { DEVICE_GRANT, openCode, type Started, started } from "../../test/oauth/device/device.ts"
import { own, send } from "../../test/support/connect.ts"
import { PASSWORD } from "../../test/support/test-server.ts"
import { type Held, lookAt } from "./held.ts"
import { consent, redeem, use } from "./installation.ts"
import { Life } from "./record.ts"
import { type Person, pause, type World } from "./world.ts"

const PACE_MILLISECONDS = 5_200
/** Hashing a password takes processor time, so others get a pause. */
const REST_MILLISECONDS = 1_500

export async function elevations(world: World, name: string): Promise<void> {
  const choice = world.choice()
  const { careful, people } = world.furniture
  for (let n = 0; !world.isEnough; n++) {
    const life = new Life(`${name}.${n}`)
    const person = choice.one(people)
    const bought = await consent(world, life, choice, careful, person)
    const held = bought === null ? null : await redeem(world, life, choice, bought)
    if (held === null) continue
    await elevate(held, person)
    await pause(REST_MILLISECONDS)
    await use(held, choice)
  }
}

/** Elevates a credential of an app that may ask for it. Returns false if the proof ends meanwhile. */
export async function elevate(held: Held, person: Person): Promise<boolean> {
  const { world } = held
  while (!world.isEnough) {
    const ceremony = await open(held)
    if (ceremony === null) continue
    if (!(await prove(held, person, ceremony))) continue
    if (!(await heard(held, ceremony))) continue
    const { body } = await world.surely(held.life, "api", (at) => lookAt(at, held.accessToken))
    if (typeof body["elevated_until"] !== "number") throw held.life.broken("an elevation is lost")
    return true
  }
  return false
}

async function open({ world, life, accessToken }: Held): Promise<Started | null> {
  const headers = { authorization: `Bearer ${accessToken}` }
  const answer = await world.ask(life, "step-up", (at) => send(at, "/oauth/step-up", {}, headers))
  if (answer !== null && answer.status !== 200) throw life.broken(`a step-up was answered ${answer.status}`)
  return answer === null ? null : started(answer.body)
}

/** Returns whether the person has seen that the factor was accepted. */
async function prove({ world, life }: Held, { browser }: Person, { userCode }: Started): Promise<boolean> {
  const page = await world.surely(life, "step-up page", () => openCode(browser, userCode))
  if (page.status !== 200) throw life.broken(`the page of a step-up was answered ${page.status}`)
  const fields = { decision: "authorize", password: PASSWORD }
  const answer = await world.ask(life, "step-up proof", () => browser.submit(page, "/oauth/consent", fields))
  if (answer !== null && answer.status !== 200)
    throw life.broken(`a right password was answered ${answer.status}`)
  return answer !== null
}

/**
 * Polls after an acknowledged factor. The success is reported only once. If that response is lost, the code is reported
 * as used.
 */
async function heard({ world, life, app }: Held, { deviceCode }: Started): Promise<boolean> {
  const fields = { ...own(app), grant_type: DEVICE_GRANT, device_code: deviceCode }
  let isLost = false
  for (;;) {
    const answer = await world.ask(life, "step-up poll", (at) => send(at, "/oauth/token", fields))
    if (world.failure !== null) return false
    if (answer === null) isLost = true
    else if (answer.body["elevated"] === true) return true
    else if (answer.body["error"] === "slow_down") await pause(PACE_MILLISECONDS)
    else if (isLost && answer.body["error"] === "invalid_grant") return true
    else throw life.broken(`an acknowledged proof was answered ${JSON.stringify(answer.body)}`)
  }
}
