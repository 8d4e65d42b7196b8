/** A device without a browser, and the person who answers its code, again and again. */
import { DEVICE_GRANT, openCode, type Started, started } from "../../test/oauth/device/device.ts"
import { own, send } from "../../test/support/connect.ts"
import type { Choice } from "../choice.ts"
import { Held } from "./held.ts"
import { use } from "./installation.ts"
import { Life } from "./record.ts"
import { type Person, pause, type World } from "./world.ts"

type App = World["furniture"]["careful"]

/** What the person has decided, and whether the person has seen that the decision was accepted. */
type Decision = { readonly said: "authorize" | "refuse"; isAcknowledged: boolean }

const PACE_MILLISECONDS = 5_200

export async function machines(world: World, name: string): Promise<void> {
  const choice = world.choice()
  for (let n = 0; !world.isEnough; n++) {
    const life = new Life(`${name}.${n}`)
    const app = choice.one(world.furniture.apps)
    const person = choice.one(world.furniture.people)
    const answer = await world.ask(life, "device authorization", (at) =>
      send(at, "/oauth/device-authorization", own(app)),
    )
    if (answer === null) continue
    if (answer.status !== 200) throw life.broken(`a device authorization was answered ${answer.status}`)
    const held = await connected(world, life, choice, app, person, started(answer.body))
    if (held !== null) await use(held, choice)
  }
}

async function connected(
  world: World,
  life: Life,
  choice: Choice,
  app: App,
  person: Person,
  grant: Started,
): Promise<Held | null> {
  if (choice.chance(0.3)) await pollEarly(world, life, app, grant)
  const decision: Decision = { said: choice.chance(0.1) ? "refuse" : "authorize", isAcknowledged: false }
  await decide(world, life, person, grant, decision)
  let lost = 0
  while (!world.isEnough) {
    const width = choice.chance(0.1) ? 2 : 1
    const answers = await Promise.all(Array.from({ length: width }, () => poll(world, life, app, grant)))
    const heard = answers.filter((answer) => answer !== null)
    const given = heard.filter(({ status }) => status === 200)
    if (given.length > 1) throw life.broken("a device code was used twice")
    if (given[0] !== undefined) {
      if (decision.said === "refuse") throw life.broken("a refused device got tokens")
      world.fetched++
      return new Held(world, life, app, given[0].body)
    }
    const said = heard.map(({ body }) => body["error"])
    lost += answers.length - heard.length
    if (said.includes("invalid_grant") && lost === 0)
      throw life.broken("a device code that was never used was called used")
    if (said.includes("invalid_grant")) return null
    if (said.includes("access_denied") && decision.said === "refuse") return null
    if (said.includes("authorization_pending") && decision.isAcknowledged)
      throw life.broken("an acknowledged decision about a device is lost")
    if (said.includes("slow_down") && decision.isAcknowledged)
      throw life.broken("a device that was answered was held back by its pace")
    if (said.includes("slow_down")) await pause(PACE_MILLISECONDS)
    else if (said.includes("authorization_pending")) await decide(world, life, person, grant, decision)
    else if (said.length > 0) throw life.broken(`a poll was answered ${said.join(" and ")}`)
  }
  return null
}

/** Polls before the code is answered. */
async function pollEarly(world: World, life: Life, app: App, grant: Started): Promise<void> {
  const answer = await poll(world, life, app, grant)
  if (answer !== null && answer.body["error"] !== "authorization_pending")
    throw life.broken(`a code without a decision was answered ${answer.status}`)
}

/** Opens the page of the code and answers it once. */
async function decide(
  world: World,
  life: Life,
  { browser }: Person,
  { userCode }: Started,
  decision: Decision,
): Promise<void> {
  const page = await world.surely(life, "device page", () => openCode(browser, userCode))
  if (page.status !== 200) throw life.broken(`the page of a code that waits was answered ${page.status}`)
  const answer = await world.ask(life, "device consent", () =>
    browser.submit(page, "/oauth/consent", { decision: decision.said }),
  )
  if (answer === null) return
  if (answer.status !== 200) throw life.broken(`"${decision.said}" was answered ${answer.status}`)
  decision.isAcknowledged = true
}

function poll(world: World, life: Life, app: App, { deviceCode }: Started) {
  return world.ask(life, "device poll", (at) =>
    send(at, "/oauth/token", { ...own(app), grant_type: DEVICE_GRANT, device_code: deviceCode }),
  )
}
