/** Everything that apps, machines, people and administrators do, at once, for as long as a proof lasts. */
import { type AppIdentity, connect, connectIn, signedInBrowser } from "../../support/connect.ts"
import {
  addAccount,
  addApp,
  addResourceServer,
  openRegistration,
  switchBudgetOff,
} from "../../support/furnish.ts"
import { done } from "../../support/spawn.ts"
import { ADMINISTRATION, administrators, type Office } from "./administrator.ts"
import { elevations } from "./elevation.ts"
import type { Fleet } from "./fleet.ts"
import { installations } from "./installation.ts"
import { machines } from "./machine.ts"
import { isKnown, newcomers } from "./newcomer.ts"
import { Life } from "./record.ts"
import { type Person, World } from "./world.ts"

/** How many live beside each other. */
export type Crowd = { readonly installations: number; readonly machines: number }

export type LoadOptions = {
  readonly seed: number
  /** Requests a second. */
  readonly rate: number
  readonly crowd: Crowd
  readonly people?: number
}

/** Whoever still waits for an answer this long after the end waits for one that does not come. */
const END_MILLISECONDS = 100_000
const CHECKED_AT_ONCE = 12

export type Load = {
  readonly world: World
  /** Lets everybody finish what they do. Rejects with what did not hold. */
  readonly end: () => Promise<void>
}

/** What is in the database before the first server starts. */
export async function furnish(fleet: Fleet): Promise<readonly AppIdentity[]> {
  const { dir } = fleet
  await addAccount(dir, "root", true)
  await addAccount(dir, "pupil")
  await switchBudgetOff(dir)
  await openRegistration(dir)
  const permissions = ["account:read", "credentials:read"]
  return [
    await addApp(dir, { type: "public", permissions }),
    await addApp(dir, { type: "confidential", permissions }),
    await addApp(dir, { type: "public", permissions, stepUp: true, name: "Careful" }),
    await addResourceServer(dir),
    await addApp(dir, {
      type: "public",
      permissions: ["admin:accounts", "admin:apps", "admin:settings"],
      stepUp: true,
      name: "Console",
    }),
  ]
}

/** Furnishes an empty fleet, starts it, and lets everybody begin. */
export async function startLoad(fleet: Fleet, { people = 3, crowd, ...options }: LoadOptions): Promise<Load> {
  const [open, closed, careful, resourceServer, console] = await furnish(fleet)
  if (!open || !closed || !careful || !resourceServer || !console) throw new Error("an app is missing")
  const names = Array.from({ length: people }, (_, n) => `person${n}`)
  for (const name of names) await addAccount(fleet.dir, name)
  await done(fleet.dir, ["setting", "set", "step_up.window_seconds", "86400"])
  await fleet.start()
  const everybody: Person[] = []
  for (const username of names) everybody.push({ username, browser: await signedInBrowser(fleet, username) })
  const world = new World(
    fleet,
    { people: everybody, apps: [open, closed], careful, resourceServer },
    options,
  )
  const root = { username: "root", browser: await signedInBrowser(fleet, "root") }
  const { user_id: userId } = await connect(fleet, open, "pupil")
  const pupil = { username: "pupil", userId }
  const tokens = await connectIn(root.browser, fleet, console, { scope: ADMINISTRATION })
  return begin(world, { world, root, console, tokens, pupil }, crowd)
}

function begin(world: World, office: Office, crowd: Crowd): Load {
  const several = (count: number, live: (name: string) => Promise<void>, name: string) =>
    Array.from({ length: count }, (_, n) => live(`${name} ${n}`))
  const lives = [
    ...several(crowd.installations, (name) => installations(world, name), "installation"),
    ...several(crowd.machines, (name) => machines(world, name), "machine"),
    elevations(world, "careful app"),
    newcomers(world, "newcomer"),
    administrators(office, "administrator"),
  ].map((life) => life.catch((error: unknown) => void (world.failure ??= error as Error)))
  const end = async () => {
    world.isOver = true
    world.isStorm = false
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(
      () => late.reject(new Error(`no answer: ${world.waiting.join("; ")}`)),
      END_MILLISECONDS,
    )
    await Promise.race([Promise.all(lives), late.promise]).finally(() => clearTimeout(timer))
    if (world.failure !== null) throw world.failure
  }
  return { world, end }
}

/** Whatever was acknowledged, and not taken back, is there; whatever was acknowledged to be over is over. */
export async function checkAll(world: World): Promise<void> {
  const life = new Life("the check at the end")
  const checks = [
    ...[...world.held].map((held) => async () => {
      if (await held.rotate(1)) await held.check()
    }),
    ...world.registered.map((clientId) => () => isKnown(world, life, clientId)),
    ...world.ended.map(
      ({ accessToken, what }) =>
        () =>
          isDead(world, life, accessToken, what),
    ),
  ]
  const next = checks.values()
  await Promise.all(
    Array.from({ length: CHECKED_AT_ONCE }, async () => {
      for (const check of next) await check()
    }),
  )
}

async function isDead(world: World, life: Life, accessToken: string, what: string): Promise<void> {
  const { status } = await world.surely(life, "api", async (at) => {
    const response = await fetch(`${at.url}/api/account`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    await response.arrayBuffer()
    return { status: response.status }
  })
  if (status !== 401) throw life.broken(`${what}; its access token works again: ${status}`)
}
