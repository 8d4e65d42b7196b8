/**
 * Fills a data directory like that of a large service after some years. The lists and plots of the console are measured
 * with this data.
 *
 *   node bench/console-seed.ts --data DIR [--credentials N] [--accounts N] [--apps N] [--events N]
 *
 * The defaults are 1,000,000 credentials, 10,000 accounts, 1,000 apps and 2,000,000 events, with the counts of a month.
 * The first account is an administrator and has the most credentials. The first app is used most. Every password is
 * "correct horse battery staple". The store's own statements write the rows, but without waiting for the disk. If a run
 * is stopped, its data is useless.
 */
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Change } from "../src/model/change.rules.ts"
import type { ClientId } from "../src/kernel/ids.ts"
import type { Consent } from "../src/model/credential.rules.ts"
import { EVENTS_KEPT_DAYS } from "../src/kernel/limits.ts"
import { bucketAt, type Grain, grains, type Tally } from "../src/model/tally.rules.ts"
import {
  gauges,
  type CountedEvent,
  countedEvents,
  refusedNames,
  type TallyName,
} from "../src/model/tally-names.rules.ts"
import { DAY, HOUR } from "../src/kernel/time.ts"
import { applyChange } from "../src/store/sqlite/statements/apply.ts"
import { connect } from "../src/store/sqlite/engine/connection.ts"
import { openSqlite } from "../src/store/sqlite/sqlite-store.ts"
import { systemClock } from "../src/kernel/clock.ts"
import { hashPassword } from "../src/platform/services/password.ts"
import { count, flagsOf, madeDirectory, refuse } from "./command.ts"
import { account, app, credential, happened, pick, random } from "./console-rows.ts"

const PASSWORD = "correct horse battery staple"
const ROWS_TOGETHER = 50_000
const OLDEST_CONSENT = 364 * DAY
const now = systemClock.now()

/** The counters that the health of an app depends on. */
const perApp: readonly TallyName[] = [
  "credential.issued",
  "credential.refreshed",
  "credential.repeated",
  "credential.reused",
  "code.replayed",
  refusedNames.refreshTokenRetired,
  refusedNames.verifierWrong,
]

const asked = flagsOf({
  data: { type: "string" },
  credentials: { type: "string", default: "1000000" },
  accounts: { type: "string", default: "10000" },
  apps: { type: "string", default: "1000" },
  events: { type: "string", default: "2000000" },
})
const dir = asked.data ?? refuse("--data: a directory is needed")
const [credentials, accounts] = [count("credentials", asked.credentials), count("accounts", asked.accounts)]
const [apps, events] = [count("apps", asked.apps), count("events", asked.events)]
madeDirectory("data", dir)
chmodSync(dir, 0o700)
const file = join(dir, "latchkey.db")
await openSqlite(file).close() // this creates the schema
const connection = connect(file)
connection.database.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -2000000")

const began = performance.now()
const passwordHash = await hashPassword(PASSWORD)
const people = Array.from({ length: accounts }, (_, i) => account(i, passwordHash, now))
const registered = Array.from({ length: apps }, (_, i) => app(i, people, now))
write("accounts and apps", accounts + apps, (i) =>
  i < accounts
    ? { change: "accountAdded", account: at(people, i) }
    : { change: "clientAdded", client: at(registered, i - accounts) },
)
const consents: Consent[] = []
write("credentials", credentials, (i) => {
  const consentedAt = now - OLDEST_CONSENT + Math.floor((i / credentials) * (OLDEST_CONSENT - HOUR))
  const holder = at(people, pick(accounts, 1.3))
  const added = credential(at(registered, pick(apps, 3)), holder, consentedAt, now)
  consents.push(added.consent)
  return { change: "credentialAdded", credential: added }
})
write("events", events, (i) => {
  const when =
    now - (EVENTS_KEPT_DAYS.usual - 1) * DAY + Math.floor((i / events) * (EVENTS_KEPT_DAYS.usual - 1) * DAY)
  return { change: "eventRecorded", event: happened(when, at(consents, pick(consents.length))) }
})
const tallies = [...ofService("minute", DAY), ...ofService("hour", 30 * DAY), ...ofApps(30 * DAY)]
write("tallies", Math.ceil(tallies.length / 1000), (i) => ({
  change: "tallied",
  tallies: tallies.slice(i * 1000, (i + 1) * 1000),
}))
connection.database.exec("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE)")
connection.close()
writeFileSync(
  join(dir, "seeded.json"),
  JSON.stringify({
    username: at(people, 0).username,
    password: PASSWORD,
    clientId: at(registered, 0).clientId,
  }),
)
console.error(`filled in ${((performance.now() - began) / 1000).toFixed(1)} s`)

function write(what: string, rows: number, changeAt: (i: number) => Change): void {
  for (let done = 0; done < rows; done += ROWS_TOGETHER) {
    connection.transaction(() => {
      const places = new Map()
      for (let i = done; i < Math.min(rows, done + ROWS_TOGETHER); i++)
        applyChange(connection, changeAt(i), places)
    })
    console.error(`  ${Math.min(rows, done + ROWS_TOGETHER)} of ${rows} ${what}`)
  }
}

/** There are more events by day than by night. */
function* ofService(grain: Grain, seconds: number): Generator<Tally> {
  for (let bucket = bucketAt(grain, now - seconds); bucket <= now; bucket += grains[grain]) {
    const busy = (1.2 + Math.sin((bucket / DAY) * 2 * Math.PI)) * (grains[grain] / 60)
    const tally = (name: TallyName, times: number): Tally => ({
      grain,
      at: bucket,
      name,
      clientId: null,
      count: times,
    })
    for (const name of Object.keys(countedEvents) as CountedEvent[])
      yield tally(name, 1 + Math.floor(busy * (name === "credential.refreshed" ? 300 : 10) * random()))
    for (const name of Object.values(refusedNames).slice(0, 12))
      yield tally(name, 1 + Math.floor(busy * 3 * random()))
    yield tally(gauges.installations, Math.floor(credentials * (0.8 + 0.1 * random())) * 60)
    yield tally(gauges.looks, 60)
  }
}

function* ofApps(seconds: number): Generator<Tally> {
  for (let bucket = bucketAt("day", now - seconds); bucket <= now; bucket += DAY)
    for (const [i, { clientId }] of registered.entries())
      for (const name of perApp) yield ofApp(bucket, name, clientId, i)
}

function ofApp(bucket: number, name: TallyName, clientId: ClientId, place: number): Tally {
  const size = name === "credential.refreshed" ? 100_000 : 200
  return { grain: "day", at: bucket, name, clientId, count: 1 + Math.floor((size / (1 + place)) * random()) }
}

function at<T>(list: readonly T[], i: number): T {
  const found = list[i]
  if (found === undefined) throw new Error(`there is no row ${i} of ${list.length}`)
  return found
}
