/** All parts of the proof, in the order in which they run. */
import { PASSWORD } from "../../test/support/test-server.ts"
import { until } from "../../test/support/until.ts"
import { poll } from "../../test/oauth/device/device.ts"
import { pause } from "../mixed/world.ts"
import type { AttackReport } from "./attack.ts"
import { type Bystanders, quantile } from "./bystanders.ts"
import type { Found, PressurePart } from "./part.ts"
import type { Service } from "./service.ts"

const GROWTH_MIB = 60
/** Node parses everything from one read before it can stop reading. */
const PIPELINED_GROWTH_MIB = 200
const KNOWN_BROWSER_MILLISECONDS = 500
/** A grant waits ten minutes for its answer and is kept for an hour. A minute is added. */
const GRANT_IS_GONE_SECONDS = 600 + 3600 + 60
const SWEEP_MILLISECONDS = 60_000
/** When a lock is released, the service must notice this within this time. */
const FREE_MILLISECONDS = 1000

export const parts: readonly PressurePart[] = [
  {
    name: "one byte a chunk",
    kind: "one-byte-chunks",
    engines: ["sqlite", "postgres"],
    count: 64,
    warmUpCount: 16,
    seconds: 10,
    warmUpSeconds: 3,
    growthMiB: GROWTH_MIB,
    mayBeUnavailable: false,
  },
  {
    name: "answers not read",
    kind: "unread-answers",
    engines: ["sqlite", "postgres"],
    count: 50,
    warmUpCount: 10,
    seconds: 10,
    warmUpSeconds: 2,
    growthMiB: PIPELINED_GROWTH_MIB,
    mayBeUnavailable: false,
  },
  {
    name: "strangers signing in",
    kind: "strangers",
    engines: ["sqlite", "postgres"],
    count: 200,
    // The warm-up uses as many connections as the attack. With fewer, the first growth of the heap would count as
    // growth under attack.
    warmUpCount: 200,
    seconds: 15,
    warmUpSeconds: 3,
    growthMiB: GROWTH_MIB,
    mayBeUnavailable: false,
    beside: signInFromKnownBrowser,
    afterwards: tellsWhenToComeAgain,
  },
  {
    name: "device grants",
    kind: "device-grants",
    engines: ["sqlite", "postgres"],
    count: 20_000,
    warmUpCount: 4_000,
    seconds: 0,
    warmUpSeconds: 0,
    growthMiB: GROWTH_MIB,
    mayBeUnavailable: false,
    afterwards: grantsAreThereAndGo,
  },
  {
    name: "database locked",
    kind: "foreign-lock",
    engines: ["sqlite", "postgres"],
    count: 1,
    warmUpCount: 1,
    seconds: 12,
    warmUpSeconds: 2,
    // A change may wait for a second before it is refused.
    leastSeconds: 3,
    growthMiB: GROWTH_MIB,
    mayBeUnavailable: true,
    afterwards: saysThatItIsLocked,
  },
]

async function signInFromKnownBrowser(
  { browser }: Service,
  bystanders: Bystanders,
  isOver: () => boolean,
): Promise<Found> {
  const times: number[] = []
  const refused = new Map<number, number>()
  while (!isOver()) {
    await browser.submit(await browser.get("/account"), "/sign-out", {})
    const page = await browser.get("/sign-in")
    const elapsed = bystanders.stopwatch()
    const { status } = await browser.submit(page, "/sign-in", { username: "alice", password: PASSWORD })
    times.push(elapsed())
    if (status !== 303) refused.set(status, (refused.get(status) ?? 0) + 1)
    await pause(100)
  }
  const p99 = Math.round(quantile(times, 0.99))
  const broken = [...refused].map(
    ([status, count]) => `a known browser was answered ${status}, ${count} times`,
  )
  return {
    figures: { "sign-ins of a known browser": times.length, "p99 of these, ms": p99 },
    broken,
    exceeded: p99 < KNOWN_BROWSER_MILLISECONDS ? [] : [`a known browser's sign-in took ${p99} ms`],
  }
}

async function tellsWhenToComeAgain(_: Service, { counts }: AttackReport): Promise<Found> {
  const wrong = Object.keys(counts).filter(
    (answer) => answer.includes("without") || !/answered (403|429|503)/.test(answer),
  )
  return { figures: {}, broken: wrong.map((answer) => `a stranger was ${answer}`) }
}

/** Checks that the acknowledged grants are pending, and that all of them are deleted an hour after their end. */
async function grantsAreThereAndGo(
  service: Service,
  { deviceCodes = [], counts }: AttackReport,
): Promise<Found> {
  const broken = Object.keys(counts)
    .filter((answer) => answer !== "answered 200")
    .map((answer) => `a device authorization was ${answer}`)
  for (const deviceCode of deviceCodes) {
    const { body } = await poll(service, service.app, { deviceCode })
    if (body["error"] !== "authorization_pending")
      broken.push(`an acknowledged grant was answered ${JSON.stringify(body)}`)
  }
  const rows = "SELECT count(*) AS count FROM device_grant"
  const count = async () => Number((await service.database.rows(rows))[0]?.["count"])
  const before = await count()
  // The times are moved back, as if this much time had passed.
  const moved = ["asked_at", "expires_at", "gone_at"].map(
    (column) => `${column} = ${column} - ${GRANT_IS_GONE_SECONDS}`,
  )
  await service.database.rows(`UPDATE device_grant SET ${moved.join(", ")}`)
  const swept = await until(
    async () => (await count()) === 0,
    "the grants are gone",
    SWEEP_MILLISECONDS,
  ).catch(() => null)
  if (swept === null) broken.push(`${await count()} grants are not gone`)
  return {
    figures: {
      "grants stored": before,
      "gone an hour after their end in, s": Math.round((swept ?? 0) / 1000),
    },
    broken,
  }
}

async function saysThatItIsLocked(
  { url }: Service,
  __: AttackReport,
  { stores, heard }: Bystanders,
): Promise<Found> {
  const unavailable = heard.filter(({ status }) => status === 503)
  const broken: string[] = []
  if (!stores.has("locked")) broken.push("/health did not say that the store is locked")
  if (unavailable.length === 0) broken.push("the lock kept nothing from being written")
  const isFree = async () => !("store" in ((await (await fetch(`${url}/health`)).json()) as object))
  const free = Math.round(await until(isFree, "the lock is known to have gone"))
  return {
    figures: { "answers 503": unavailable.length, "served again after, ms": free },
    broken,
    exceeded: free < FREE_MILLISECONDS ? [] : [`what writes was served again only after ${free} ms`],
  }
}
