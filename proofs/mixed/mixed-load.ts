/** Everything that apps, devices, people and administrators do, at once, for the whole length of a proof. */
import { type AppIdentity, connect, connectIn, signedInBrowser } from "../../test/support/connect.ts"
import {
  addAccount,
  addApp,
  addResourceServer,
  allowLongStepUps,
  openRegistration,
  switchBudgetOff,
} from "../../test/support/seed.ts"
import { ADMINISTRATION, administrators, type Office } from "./administrator.ts"
import { elevations } from "./elevation.ts"
import type { Fleet } from "./fleet.ts"
import { installations } from "./installation.ts"
import { machines } from "./machine.ts"
import { isKnown, newcomers } from "./newcomer.ts"
import { Life } from "./record.ts"
import { pause, type Person, World } from "./world.ts"

/** The number of lives that run at the same time. */
export type LoadSize = { readonly installations: number; readonly machines: number }

export type LoadOptions = {
  readonly seed: number
  /** The number of requests per second. */
  readonly rate: number
  readonly size: LoadSize
  readonly people?: number
}

/** A request without a response for this long after the end counts as stuck. */
const END_MILLISECONDS = 100_000
const CHECKED_AT_ONCE = 12
const REPORTED_LINES = 30
const TRIES = 4
const AGAIN_MILLISECONDS = 1000

export type Load = {
  readonly world: World
  /** Waits until all lives have finished. Rejects with what did not hold. */
  readonly end: () => Promise<void>
}

/** Fills the database before the first server starts. */
export async function seedFleet(fleet: Fleet): Promise<readonly AppIdentity[]> {
  const { dir } = fleet
  await addAccount(dir, "root", true)
  await addAccount(dir, "pupil")
  await switchBudgetOff(dir)
  await openRegistration(dir)
  await allowLongStepUps(dir)
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

/** Fills an empty fleet, starts it and starts the load. */
export async function startLoad(fleet: Fleet, { people = 3, size, ...options }: LoadOptions): Promise<Load> {
  const [open, closed, careful, resourceServer, console] = await seedFleet(fleet)
  if (!open || !closed || !careful || !resourceServer || !console) throw new Error("an app is missing")
  const names = Array.from({ length: people }, (_, n) => `person${n}`)
  for (const name of names) await addAccount(fleet.dir, name)
  await fleet.start()
  const signedIn: Person[] = []
  for (const username of names)
    signedIn.push({ username, browser: await again(() => signedInBrowser(fleet, username)) })
  const world = new World(fleet, { people: signedIn, apps: [open, closed], careful, resourceServer }, options)
  const root = { username: "root", browser: await again(() => signedInBrowser(fleet, "root")) }
  const { user_id: userId } = await again(() => connect(fleet, open, "pupil"))
  const pupil = { username: "pupil", userId }
  const tokens = await again(() => connectIn(root.browser, fleet, console, { scope: ADMINISTRATION }))
  return begin(world, { world, root, console, tokens, pupil }, size)
}

/** This request may get a 503 like any other. `unavailable.ts` checks every 503 at the end. */
async function again<T>(deed: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await deed()
    } catch (error) {
      if (tries === TRIES || !(error instanceof Error && error.message.includes("answered 503"))) throw error
      await pause(AGAIN_MILLISECONDS)
    }
  }
}

function begin(world: World, office: Office, size: LoadSize): Load {
  const several = (count: number, live: (name: string) => Promise<void>, name: string) =>
    Array.from({ length: count }, (_, n) => live(`${name} ${n}`))
  const lives = [
    ...several(size.installations, (name) => installations(world, name), "installation"),
    ...several(size.machines, (name) => machines(world, name), "machine"),
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
    if (world.failure !== null) throw withDone(world, world.failure)
  }
  return { world, end }
}

/**
 * Returns the failure together with the last actions on the servers. Times are in milliseconds since the proof began.
 */
function withDone({ done }: World, failure: Error): Error {
  const lines = done.slice(-REPORTED_LINES).join("\n  ")
  return new Error(`${failure.message}\nWhat was done to the servers:\n  ${lines}`, { cause: failure })
}

/**
 * Checks that everything acknowledged still holds, unless it was taken back. What was acknowledged as ended must stay
 * ended.
 */
export async function checkAll(world: World): Promise<void> {
  const { lost } = await countLost(world)
  if (lost.length > 0) throw new Error(`${lost.length} answers did not hold:\n${lost.join("\n")}`)
}

export type Checked = { readonly checked: number; readonly lost: readonly string[] }

/** Makes the same checks for a proof that reports how many did not hold. */
export async function countLost(world: World): Promise<Checked> {
  const life = new Life("the check at the end")
  const lost: string[] = []
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
  const look = (check: () => Promise<void>) =>
    check().catch((error: unknown) => void lost.push(withDone(world, error as Error).message))
  // The introspections at the end use credentials that the later checks also use.
  for (const check of world.atEnd) await look(check)
  const next = checks.values()
  await Promise.all(
    Array.from({ length: CHECKED_AT_ONCE }, async () => {
      for (const check of next) await look(check)
    }),
  )
  return { checked: checks.length + world.atEnd.length, lost }
}

async function isDead(world: World, life: Life, accessToken: string, what: string): Promise<void> {
  const { status } = await world.surely(life, "api", async (at) => {
    const response = await fetch(`${at.url}/api/account`, {
      headers: { authorization: `Bearer ${accessToken}` },
    })
    await response.arrayBuffer()
    return { status: response.status, headers: response.headers }
  })
  if (status !== 401) throw life.broken(`${what}; its access token works again: ${status}`)
}
