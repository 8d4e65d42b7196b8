/**
 * The actions of administrators. They change settings, accounts and apps, one after the other, and check each change.
 */
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { Browser } from "../../test/support/browser.ts"
import { type AppIdentity, send } from "../../test/support/connect.ts"
import { PASSWORD } from "../../test/support/test-server.ts"
import type { Choice } from "../choice.ts"
import { elevate } from "./elevation.ts"
import { Held } from "./held.ts"
import { consent, redeem } from "./installation.ts"
import { Life } from "./record.ts"
import { type Answered, pause, type Person, type World } from "./world.ts"

export type Office = {
  readonly world: World
  readonly root: Person
  readonly console: AppIdentity
  /** The tokens that the console issued to root. */
  readonly tokens: TokenResponse
  /** The account that is disabled and enabled again. */
  readonly pupil: { readonly username: string; readonly userId: string }
}

type Json = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> }

export const ADMINISTRATION = "admin:accounts admin:apps admin:settings"
const REST_MILLISECONDS = 300
const REFRESHED_AFTER = 50
const KEY = "/api/admin/settings/events.retention_days"

export async function administrators(office: Office, name: string): Promise<void> {
  const { world, root, console, tokens } = office
  const choice = world.choice()
  const life = new Life(name)
  const held = new Held(world, life, console, { ...tokens })
  if (!(await elevate(held, root))) return
  const desk = new Desk(held)
  world.atEnd.push(() => lookAtAll(desk))
  for (let n = 1; !world.isEnough; n++) {
    await choice.one([setting, account, app, gate])(desk, choice, office, `${name}-${n}`)
    if (n % REFRESHED_AFTER === 0 && !(await held.rotate(1)))
      throw life.broken("an administrator's window closed")
    await pause(REST_MILLISECONDS)
  }
}

/** An app of an administrator that uses the API. */
class Desk {
  readonly held: Held
  readonly world: World
  readonly life: Life
  /**
   * Every value that the setting may have: the last acknowledged value, and values that were sent since then without a
   * response.
   */
  retention = new Set(["400"])
  /** The paths of accounts whose creation was acknowledged, and of those whose removal was acknowledged. */
  readonly accounts: string[] = []
  readonly removed: string[] = []

  constructor(held: Held) {
    this.held = held
    this.world = held.world
    this.life = held.life
  }

  ask(deed: string, method: string, path: string, body?: object): Promise<Json | null> {
    return this.world.ask(this.life, deed, (at) => this.#send(at.url, method, path, body))
  }

  surely(deed: string, method: string, path: string, body?: object): Promise<Json> {
    return this.world.surely(this.life, deed, (at) => this.#send(at.url, method, path, body))
  }

  must(answer: Answered | null, status: number, what: string): void {
    if (answer !== null && answer.status !== status)
      throw this.life.broken(
        `${what} was answered ${answer.status}, not ${status} ${JSON.stringify(answer.body)}`,
      )
  }

  async #send(url: string, method: string, path: string, body?: object): Promise<Json> {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.held.accessToken}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const { status, headers } = response
    return { status, headers, body: text === "" ? {} : JSON.parse(text) }
  }
}

async function setting(desk: Desk, choice: Choice): Promise<void> {
  const value = String(300 + choice.below(100))
  desk.retention.add(value)
  const answer = await desk.ask("setting", "PUT", KEY, { value })
  desk.must(answer, 200, "a setting")
  if (answer !== null) desk.retention = new Set([value])
  await lookAtSetting(desk)
}

async function lookAtSetting(desk: Desk): Promise<void> {
  const { body } = await desk.surely("setting, read", "GET", KEY)
  if (!desk.retention.has(String(body["value"])))
    throw desk.life.broken(`an acknowledged setting became ${JSON.stringify(body)}`)
}

/** At the end, checks the setting, the accounts that must exist, and those that must not. */
async function lookAtAll(desk: Desk): Promise<void> {
  await lookAtSetting(desk)
  for (const path of desk.accounts)
    desk.must(await desk.surely("account, read", "GET", path), 200, "an acknowledged account")
  for (const path of desk.removed)
    desk.must(await desk.surely("account, read", "GET", path), 404, "a removed account")
}

async function account(desk: Desk, choice: Choice, _: Office, username: string): Promise<void> {
  const answer = await desk.ask("account", "POST", "/api/admin/accounts", { username, password: PASSWORD })
  desk.must(answer, 201, "a new account")
  if (answer === null) return
  const path = `/api/admin/accounts/${String(answer.body["user_id"])}`
  desk.must(await desk.surely("account, read", "GET", path), 200, "an acknowledged account")
  if (choice.chance(0.5)) return void desk.accounts.push(path)
  const removed = await desk.ask("account, removal", "DELETE", path)
  desk.must(removed, 204, "a removal")
  if (removed === null) return
  desk.removed.push(path)
  desk.must(await desk.surely("account, read", "GET", path), 404, "a removed account")
}

async function app(desk: Desk, choice: Choice, { world }: Office, name: string): Promise<void> {
  const asked = {
    client_type: "public",
    client_name: name,
    redirect_uris: ["https://app.example/callback"],
    scope: "account:read",
  }
  const answer = await desk.ask("app", "POST", "/api/admin/apps", asked)
  desk.must(answer, 201, "a new app")
  if (answer === null) return
  const clientId = String(answer.body["client_id"])
  const path = `/api/admin/apps/${clientId}`
  const changed = await desk.ask("app, change", "PATCH", path, { client_name: `${name}, renamed` })
  desk.must(changed, 200, "a change of an app")
  const { body } = await desk.surely("app, read", "GET", path)
  if (changed !== null && body["client_name"] !== `${name}, renamed`)
    throw desk.life.broken("an acknowledged change of an app is lost")
  if (choice.chance(0.5)) return void world.registered.push(clientId)
  const removed = await desk.ask("app, removal", "DELETE", path)
  desk.must(removed, 204, "a removal")
  if (removed === null) return
  const { status } = await desk.world.surely(desk.life, "device authorization", (at) =>
    send(at, "/oauth/device-authorization", { client_id: clientId }),
  )
  if (status !== 401) throw desk.life.broken(`a removed app was answered ${status}`)
}

/** Disables an account and enables it again. Meanwhile, nothing of the account works. */
async function gate(desk: Desk, choice: Choice, { world, pupil }: Office, name: string): Promise<void> {
  const life = new Life(`${name}, pupil`)
  const person = await signedIn(world, life, pupil.username)
  const bought = await consent(world, life, choice, choice.one(world.furniture.apps), person)
  const held = bought === null ? null : await redeem(world, life, choice, bought)
  if (held === null) return
  const path = `/api/admin/accounts/${pupil.userId}`
  const set = (enabled: boolean) => desk.surely("account, switch", "PATCH", path, { enabled })
  desk.must(await set(false), 200, "a disabling")
  await held.isShut()
  desk.must(await set(true), 200, "an enabling")
  if (!(await held.rotate(1))) return
  await held.check()
  await held.revoke("refreshToken")
}

/** Signs in again, because disabling the account signed out every browser. */
async function signedIn(world: World, life: Life, username: string): Promise<Person> {
  const browser = new Browser(world.fleet.url)
  const fields = { username, password: PASSWORD }
  // Each step is repeated by itself, because a page that did not load has no form.
  const page = await world.surely(life, "sign-in page", () => browser.get("/sign-in"))
  const { status } = await world.surely(life, "sign-in", () => browser.submit(page, "/sign-in", fields))
  if (status !== 303) throw life.broken(`a right password was answered ${status}`)
  return { username, browser }
}
