/** A service under pressure, with its own core and its own database. */
import { readFileSync, writeFileSync } from "node:fs"
import { type AppIdentity, signedInBrowser } from "../../test/support/connect.ts"
import type { Browser } from "../../test/support/browser.ts"
import { databaseIn, type Engine, type TestDatabase } from "../../test/support/database.ts"
import {
  addAccount,
  addApp,
  addResourceServer,
  openRegistration,
  switchBudgetOff,
} from "../../test/support/seed.ts"
import { newDirectory, type Span, SpawnedServer } from "../../test/support/spawn.ts"
import { serviceCommand } from "./processors.ts"

export type Service = {
  readonly engine: Engine
  readonly dir: string
  readonly database: TestDatabase
  readonly url: string
  readonly pid: number
  readonly app: AppIdentity
  readonly resourceServer: AppIdentity
  /** The browser of "alice", who signed in before. */
  readonly browser: Browser
}

/**
 * Starts the service. The rate limit for anonymous requests is off, because all requests come from one address. The
 * attacks must fail without it.
 */
export async function openService(span: Span, engine: Engine): Promise<Service> {
  const dir = newDirectory(span)
  const database = await databaseIn(dir, engine)
  await addAccount(dir, "alice")
  await switchBudgetOff(dir)
  await openRegistration(dir)
  const app = await addApp(dir, { type: "public" })
  const resourceServer = await addResourceServer(dir)
  const environment = { LATCHKEY_TRUSTED_PROXIES: "127.0.0.0/8" }
  const server = await SpawnedServer.start(span, dir, environment, { through: serviceCommand })
  const { url, pid } = server
  const browser = await signedInBrowser({ url }, "alice")
  return { engine, dir, database, url, pid, app, resourceServer, browser }
}

const MEBIBYTE_OF_KIB = 1024

/** Starts a new measurement of the peak. Returns the resident memory in MiB. */
export function beginPeak(pid: number): number {
  writeFileSync(`/proc/${pid}/clear_refs`, "5")
  return kibOf(pid, "VmRSS") / MEBIBYTE_OF_KIB
}

/** Returns the largest resident memory since `beginPeak`, in MiB. */
export function peakOf(pid: number): number {
  return kibOf(pid, "VmHWM") / MEBIBYTE_OF_KIB
}

function kibOf(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? Number.NaN)
}
