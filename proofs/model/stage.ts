/**
 * The real service on which histories run, one after the other. Starting it and hashing passwords takes time, so it
 * serves many histories. Each history has its own apps and accounts.
 */
import pino from "pino"
import { updateAccount } from "../../src/accounts/account-by-id.ts"
import { startSession } from "../../src/accounts/sessions/start-session.ts"
import { addTotp, codesAt } from "../../src/accounts/factors/totp.ts"
import type { Engine } from "../../test/support/database.ts"
import { TestServer, type TestApp } from "../../test/support/test-server.ts"
import { setGroups } from "../../test/support/groups.ts"
import { BASE_URL, resourceServers } from "./resources.ts"
import { Wire } from "./wire.ts"
import { findAccount } from "../../src/accounts/find-account.ts"

/** An account that histories use in turn. */
export type Person = {
  readonly username: string
  readonly userId: string
  readonly otpSecret: string
  usedStep: number
}

/** Permissions that are for groups. */
const PERMISSIONS = {
  "notes:read": { title: "Read notes", for_groups: ["crew", "ops"] },
  "notes:write": { title: "Write notes", implies: ["notes:read"], for_groups: ["crew"] },
  "admin:crew": { title: "Administer the crew", hub_administration: true, for_groups: ["crew"] },
}

export class Stage {
  readonly testServer: TestServer
  readonly resourceServer: TestApp
  /** Finds the name of a permission by the title that people see. */
  readonly permissionOf: ReadonlyMap<string, string>
  /** Everything that was logged since the last check. */
  readonly logged: string[]
  wire: Wire
  restarts = 0
  #people: Person[] = []
  #made = 0

  private constructor(testServer: TestServer, resourceServer: TestApp, logged: string[]) {
    this.testServer = testServer
    this.resourceServer = resourceServer
    this.logged = logged
    this.wire = new Wire(testServer.url)
    const { catalog } = testServer.latchkey
    this.permissionOf = new Map([...catalog.values()].map(({ name, title }) => [String(title), name]))
  }

  static async open(engine: Engine): Promise<Stage> {
    const logged: string[] = []
    const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) })
    const testServer = await TestServer.open({
      engine,
      log,
      permissions: PERMISSIONS,
      resourceServers,
      // JWTs are valid after a restart too, so the issuer stays.
      baseUrl: BASE_URL,
    })
    await testServer.addAccount("root", true)
    await testServer.set("rate_limit.oauth_anonymous", "off")
    await testServer.set("openid.enabled", "on")
    await testServer.latchkey.settings.current()
    const resourceServer = await testServer.addApp({
      name: "Files API",
      type: "confidential",
      resourceServer: true,
      redirectUris: [],
      permissions: [],
    })
    return new Stage(testServer, resourceServer, logged)
  }

  async restart(): Promise<void> {
    this.wire.close()
    await this.testServer.restart()
    this.wire = new Wire(this.testServer.url)
    this.restarts++
  }

  async close(): Promise<void> {
    this.wire.close()
    await this.testServer.close()
  }

  /** Returns `count` ordinary accounts and enables them. */
  async people(count: number): Promise<readonly Person[]> {
    const usable: Person[] = []
    for (const person of this.#people) {
      const change = { enabled: true, admin: false }
      const outcome = await updateAccount(this.testServer.latchkey, person.userId, change, { address: null })
      await setGroups(this.testServer, person.userId)
      if (outcome.ok) usable.push(person)
    }
    while (usable.length < count) usable.push(await this.#newPerson())
    this.#people = usable
    return usable.slice(0, count)
  }

  async #newPerson(): Promise<Person> {
    const username = `person-${++this.#made}`
    const userId = await this.testServer.addAccount(username)
    const enrolled = await addTotp(this.testServer.latchkey, username, { address: null })
    if (!enrolled.ok) throw new Error(enrolled.error)
    return { username, userId, otpSecret: enrolled.value.secret, usedStep: 0 }
  }

  /** Returns the cookie of a browser that has just signed in. This is faster than checking a password. */
  async signIn({ username }: Person): Promise<string> {
    const { latchkey: services } = this.testServer
    const found = await findAccount(services, username)
    if (!found.ok) throw new Error(found.error)
    const secret = await startSession(services, found.value, "totp", {
      address: "127.0.0.1",
      addressKey: "127.0.0.1",
      userAgent: "",
      browserSecret: "b".repeat(43),
      formerSecret: null,
    })
    if (secret === null) throw new Error(`${username} cannot sign in`)
    return `latchkey_session=${secret}`
  }

  /** Returns the one-time password of a step. */
  otpOf({ otpSecret }: Person, step: number): string {
    return codesAt(otpSecret, [step])[0]?.code ?? ""
  }
}
