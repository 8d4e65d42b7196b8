/** An app on a person's computer, from the consent to its end, again and again. */
import { authorizePath, exchange, newVerifier } from "../../test/support/connect.ts"
import type { Choice } from "../choice.ts"
import { Held } from "./held.ts"
import { Life } from "./record.ts"
import type { Person, World } from "./world.ts"

type Bought = {
  readonly code: string
  readonly verifier: string
  readonly app: World["furniture"]["careful"]
}

const STEPS_AT_LEAST = 8
const STEPS_MORE = 60

export async function installations(world: World, name: string): Promise<void> {
  const choice = world.choice()
  for (let n = 0; !world.isEnough; n++) {
    const life = new Life(`${name}.${n}`)
    const bought = await consent(world, life, choice, choice.one(world.furniture.apps))
    const held = bought === null ? null : await redeem(world, life, choice, bought)
    if (held !== null && bought !== null) await use(held, choice, () => exchangeOnce(world, life, bought))
  }
}

/** Returns a code. Returns null if it was refused or if the outcome is unknown. */
export async function consent(
  world: World,
  life: Life,
  choice: Choice,
  app: Bought["app"],
  { browser }: Person = choice.one(world.furniture.people),
  more: Record<string, string> = {},
): Promise<Bought | null> {
  const { verifier, challenge } = newVerifier()
  const path = authorizePath(app, challenge, more)
  const page = await world.surely(life, "authorize", () => browser.get(path))
  if (page.status !== 200) throw life.broken(`the consent page was answered ${page.status} ${page.location}`)
  const decision = choice.chance(0.05) ? "refuse" : "authorize"
  const answer = await world.ask(life, "consent", () => browser.submit(page, "/oauth/consent", { decision }))
  if (answer === null) return null
  const returned = new URL(answer.location ?? "about:blank").searchParams
  const [code, error] = [returned.get("code"), returned.get("error")]
  if (decision === "refuse" && error === "access_denied") return null
  if (decision === "refuse" || code === null)
    throw life.broken(`"${decision}" was answered ${answer.status} ${answer.text.slice(0, 300)}`)
  return { code, verifier, app }
}

/** Exchanges an acknowledged code. Returns null if the response was lost, because the code is then used up. */
export async function redeem(world: World, life: Life, choice: Choice, bought: Bought): Promise<Held | null> {
  let isKnown = true
  const width = choice.chance(0.08) ? 2 : 1
  while (!world.isEnough) {
    const answers = await Promise.all(Array.from({ length: width }, () => exchangeOnce(world, life, bought)))
    const given = answers.filter((answer) => answer?.status === 200)
    const refused = answers.filter((answer) => answer?.status === 400)
    if (given.length + refused.length < answers.filter((answer) => answer !== null).length)
      throw life.broken("an exchange got neither tokens nor invalid_grant")
    if (given.length > 1) throw life.broken("a code was used twice")
    if (isKnown && given.length === 0 && refused.length === width)
      throw life.broken("a code that was acknowledged and never sent was refused")
    const [tokens] = given
    if (tokens) {
      const held = new Held(world, life, bought.app, tokens.body)
      if (width === 1) return held
      // The other exchange counts as a replay, or its response was the first.
      if (refused.length > 0) await held.isOver("its code was sent twice")
      else held.letGo()
      return null
    }
    if (refused.length > 0) return null
    isKnown = false
  }
  return null
}

/** Uses the tokens of an app until they end. */
export async function use(held: Held, choice: Choice, replay?: () => Promise<unknown>): Promise<void> {
  const { world } = held
  for (let left = STEPS_AT_LEAST + choice.below(STEPS_MORE); left > 0; left--) {
    if (world.isEnough) return
    if (!(await step(held, choice))) return
  }
  const end = choice.next()
  if (end < 0.6) await held.revoke(choice.chance(0.5) ? "accessToken" : "refreshToken")
  else if (end < 0.75 && replay !== undefined) {
    // The replay is repeated until its refusal arrives. Before that, it may not have been processed.
    while ((await replay()) === null) if (world.failure !== null) return
    await held.isOver("its code was replayed")
  }
}

async function step(held: Held, choice: Choice): Promise<boolean> {
  const kind = held.world.isStorm ? 0 : choice.next()
  if (kind < 0.5) return held.rotate(choice.chance(0.2) || held.world.isStorm ? 2 + choice.below(2) : 1)
  if (kind < 0.55) return held.rotate(1, { scope: "account:read" })
  if (kind < 0.65) await held.repeat()
  else if (kind < 0.7) await held.repeatElder()
  else await held.check()
  return true
}

async function exchangeOnce(world: World, life: Life, { app, code, verifier }: Bought) {
  return world.ask(life, "exchange", (at) => exchange(at, app, code, verifier))
}
