/**
 * A large import beside a service under load. It is killed in the middle, then run to its end and repeated. Before that,
 * the libraries of other services make hashes of the same day.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { hashSync } from "bcryptjs"
import { Browser } from "../../test/support/browser.ts"
import { databaseIn } from "../../test/support/database.ts"
import {
  done,
  environmentWith,
  LATCHKEY,
  type Span,
  SpawnedServer,
  within,
} from "../../test/support/spawn.ts"
import { PASSWORD } from "../../test/support/test-server.ts"
import { REDIRECT_URI } from "../../test/support/connect.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { Beside } from "./beside.ts"
import { tryLibraries } from "./libraries.ts"

const ACCOUNTS = 100_000
const SECONDS_AT_MOST = 300
const P99_MILLISECONDS_AT_MOST = 250
const LEFTOVERS_SECONDS_AT_MOST = 90

export const movingIn: Proof = {
  name: "moving-in",
  promise: "100,000 accounts move in whole or not at all, and the service beside the import notices nothing",
  engines: ["sqlite", "postgres"],
  prove: (attempt) => within((span) => prove(span, attempt)),
}

async function prove(span: Span, attempt: Attempt): Promise<Figures> {
  const { work, say, engine } = attempt
  const accounts = part(attempt, ACCOUNTS)
  say("hashes of the real libraries")
  const { hashes, libraries } = await tryLibraries(work)
  const dir = join(work, "data")
  mkdirSync(dir)
  const database = await databaseIn(dir, engine)
  span.after(() => database.drop())
  const file = join(work, "accounts.csv")
  writeFileSync(file, csv(accounts))
  await done(dir, ["account", "add", "root", "--admin", "--password-stdin"], PASSWORD)
  const app = await done<{ client_id: string }>(dir, [
    ...["app", "add", "--name", "Beside", "--type", "public"],
    ...["--redirect", REDIRECT_URI, "--permission", "account:read"],
  ])
  await done(dir, ["setting", "set", "rate_limit.oauth_anonymous", "1000000/60"])
  const server = await SpawnedServer.start(span, dir)
  const beside = await Beside.start(server, { clientId: app.client_id, secret: null }, "root")

  say(`an import of ${accounts} accounts, killed in the middle`)
  const killed = start(dir, await environmentOf(dir), file)
  await until(async () => (await staged(dir)) >= accounts / 2, SECONDS_AT_MOST, "half of the accounts")
  killed.kill("SIGKILL")
  await once(killed, "close")
  const left = await staged(dir)
  const usable = await usableAccounts(dir)
  if (usable !== 1) throw new Error(`${usable - 1} accounts of a killed import can be used`)
  if ((await signIn(server, "person-1")) !== 403) throw new Error("an account of a killed import signs in")
  const killedAt = performance.now()
  await until(async () => (await staged(dir)) === 0, LEFTOVERS_SECONDS_AT_MOST, "the leftovers to be deleted")
  const removed = (performance.now() - killedAt) / 1000

  say("an import to its end")
  const began = performance.now()
  const first = await done<Counts>(dir, ["import", "csv", file])
  const seconds = (performance.now() - began) / 1000
  if (first.accounts !== accounts) throw new Error(`${first.accounts} of ${accounts} accounts moved in`)
  if (seconds > SECONDS_AT_MOST) throw new Error(`the import took ${Math.round(seconds)} s`)
  if ((await signIn(server, `person-${accounts}`)) !== 303)
    throw new Error("an imported account cannot sign in")
  const again = await done<Counts>(dir, ["import", "csv", file])
  if (again.accounts !== 0 || again.skipped.length > 0) throw new Error("the repeated import did something")
  const { refreshes, p99, most } = await beside.end()
  if (p99 > P99_MILLISECONDS_AT_MOST) throw new Error(`the slowest hundredth of refreshes took ${p99} ms`)
  return {
    "accounts that moved in": accounts,
    "the import took, s": Math.round(seconds),
    "accounts staged when an import was killed": left,
    "of these, usable": 0,
    "deleted after, s": Math.round(removed),
    "refreshes beside the imports": refreshes,
    "of these, refused": 0,
    "99th percentile of a refresh, ms": p99,
    "slowest refresh, ms": most,
    "hashes of real libraries that were checked": hashes,
    "made by": libraries,
  }
}

type Counts = { readonly accounts: number; readonly skipped: readonly unknown[] }

function csv(accounts: number): string {
  const hash = hashSync(PASSWORD, 10)
  const rows = Array.from({ length: accounts }, (_, at) => `old|${at + 1},person-${at + 1},${hash}`)
  return ["user_id,username,password_hash", ...rows, ""].join("\n")
}

async function environmentOf(dir: string) {
  return environmentWith((await databaseIn(dir)).environment)
}

function start(dir: string, env: NodeJS.ProcessEnv, file: string) {
  return spawn(LATCHKEY, ["import", "csv", file, "--data", dir], { env, stdio: "ignore" })
}

async function staged(dir: string): Promise<number> {
  const database = await databaseIn(dir)
  const [row] = await database.rows("SELECT count(*) AS rows FROM account WHERE import_id IS NOT NULL")
  return Number(row?.["rows"])
}

async function usableAccounts(dir: string): Promise<number> {
  const [row] = await (await databaseIn(dir)).rows("SELECT count(*) AS rows FROM usable_account")
  return Number(row?.["rows"])
}

async function signIn(server: { readonly url: string }, username: string): Promise<number> {
  return (await new Browser(server.url).signIn(username, PASSWORD)).status
}

async function until(isTrue: () => Promise<boolean>, seconds: number, what: string): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`waited ${seconds} s for ${what}`)
    await pause(200)
  }
}
