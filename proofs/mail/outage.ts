/** A mail server that hangs, dies and comes back while people sign in, and nodes that die while they send. */
import { setTimeout as pause } from "node:timers/promises"
import { Browser } from "../../test/support/browser.ts"
import { PASSWORD } from "../../test/support/test-server.ts"
import type { Receiver, Taken } from "./receiver.ts"

/** The people sign in this many at a time. */
const AT_ONCE = 4
/** A claim of a dead node lasts two minutes. */
const SECONDS_AT_MOST = 240

export type Outage = {
  readonly slowest: number
  /** The seconds until every mail had come. */
  readonly seconds: number
  /** The mails that came more than once, each with the same id. */
  readonly twice: number
}

export type Outages = {
  readonly receiver: Receiver
  readonly people: readonly string[]
  /** The URL of the n-th node. */
  readonly urlOf: (n: number) => string
}

/** Each person signs in from a new browser while no mail server answers. `meanwhile` runs while the mails then come. */
export async function outage(
  { receiver, people, urlOf }: Outages,
  meanwhile: () => Promise<void>,
): Promise<Outage> {
  const before = receiver.taken.length
  receiver.signal("SIGSTOP")
  const half = people.length >> 1
  const hanging = await signInAll(people.slice(0, half), urlOf)
  await receiver.stop()
  const dead = await signInAll(people.slice(half), urlOf)
  await receiver.start()
  const begun = performance.now()
  const came = () => receiver.taken.slice(before)
  await until(() => came().length >= people.length / 4, "a quarter of the mails")
  await meanwhile()
  await until(() => new Set(came().map(({ to }) => to)).size === people.length, "every mail")
  const seconds = Math.round((performance.now() - begun) / 1000)
  return { slowest: Math.max(hanging, dead), seconds, twice: repeatedIn(came()) }
}

async function signInAll(people: readonly string[], urlOf: Outages["urlOf"]): Promise<number> {
  let slowest = 0
  const left = [...people.entries()]
  const signIn = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [n, name] = next
      const begun = performance.now()
      const { status } = await new Browser(urlOf(n)).signIn(name, PASSWORD)
      if (status !== 303) throw new Error(`${name} got ${status} while no mail server answered`)
      slowest = Math.max(slowest, performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, signIn))
  return Math.round(slowest)
}

/** Returns how many mails came again. Throws if a person got two different ones. */
function repeatedIn(mails: readonly Taken[]): number {
  const ids = Map.groupBy(mails, ({ to }) => to)
  for (const [to, all] of ids)
    if (new Set(all.map(({ id }) => id)).size > 1) throw new Error(`${to} got more than one mail`)
  return mails.length - ids.size
}

export async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + SECONDS_AT_MOST * 1000
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`waited ${SECONDS_AT_MOST} s for ${what}`)
    await pause(50)
  }
}
