/**
 * Apps, people and administrators act at once and on several nodes. A seed creates the script, and the machine chooses
 * the order. Each response is checked against what must be true in every order.
 */
import assert from "node:assert/strict"
import type { Session } from "../../src/model/account.rules.ts"
import type { MatchedRedirectUri, Permission, UserId } from "../../src/kernel/ids.ts"
import type { Client } from "../../src/model/clients/client.rules.ts"
import { type Result, ok } from "../../src/kernel/result.ts"
import type { Refusal } from "../../src/model/refusals/refusal.rules.ts"
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { updateAccount } from "../../src/accounts/account-by-id.ts"
import { removeApp, setAppEnabled } from "../../src/apps/app.ts"
import { checkBearer } from "../../src/oauth/credential/bearer.ts"
import { callerOf } from "../../src/oauth/clients/authenticate-client.ts"
import { answerConsent, askConsent } from "../../src/oauth/authorize/answer-consent.ts"
import { openTicket } from "../../src/oauth/authorize/ticket.ts"
import { answerDevice } from "../../src/oauth/device/answer-device.ts"
import { deviceAuthorize } from "../../src/oauth/device/authorize-device.ts"
import { devicePoll } from "../../src/oauth/device/poll-device.ts"
import { exchangeCode } from "../../src/oauth/token/grants/exchange-code.ts"
import type { Services } from "../../src/platform/services/services.ts"
import { refresh } from "../../src/oauth/token/grants/refresh.ts"
import { revoke } from "../../src/oauth/credential/revoke.ts"
import { findSession } from "../../src/accounts/sessions/session.ts"
import { startSession } from "../../src/accounts/sessions/start-session.ts"
import { StoreUnavailable } from "../../src/store/unavailable.ts"
import { digest } from "../../src/kernel/hash.ts"
import { readDeviceCode } from "../../src/oauth/credential/token.ts"
import { pick, pickLate, type Step } from "../support/history.ts"
import type { TestServers } from "./test-servers.ts"
import { newId } from "../../src/kernel/random.ts"
import { OPERATOR } from "../support/test-server.ts"

const ADDRESS = "192.0.2.7"
const REDIRECT = "http://127.0.0.1/callback" as MatchedRedirectUri
const VERIFIER = "v".repeat(43)
const SCOPE = ["account:read"] as Permission[]

/** Something that is open or shut. The times between which it was certainly shut are recorded. */
class Door {
  #shutSince: number | null = null
  #isBusy = false

  /**
   * Opens or shuts the door. A concurrent call returns at once. `shut` returns whether the door is shut now, or
   * undefined if this is unknown.
   */
  async move(clock: () => number, isShut: boolean, act: () => Promise<boolean | undefined>): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    if (!isShut) this.#shutSince = null
    const isDone = await act()
    if (isShut && isDone === true) this.#shutSince = clock()
    else if (isDone === undefined) this.#shutSince = null
    this.#isBusy = false
  }

  wasShutAt(moment: number): boolean {
    return this.#shutSince !== null && this.#shutSince < moment
  }
}

type Person = { readonly userId: string; readonly door: Door; secret: string | null }
type App = { client: Client; readonly door: Door; isRemoved: boolean }

/** A credential, as its app knows it. */
type Held = {
  readonly person: Person
  readonly app: App
  readonly code: string | null
  exchanged: number
  /** Every refresh token that was issued, oldest first, and the pair that each gave. */
  readonly refreshTokens: string[]
  readonly successors: Map<string, string>
  readonly access: string[]
  /** After this time, every node must report that the credential has ended. */
  overSince: number | null
}

type Grant = {
  readonly app: App
  readonly deviceCode: string
  readonly ticketOf: (session: Session) => Parameters<typeof answerDevice>[1]
  /** The person who approved the grant. Disabling this person's account ends the approval. */
  approvedBy: Person | null
  fetched: number
}

export class RandomLife {
  readonly servers: TestServers
  readonly people: readonly Person[]
  readonly apps: readonly App[]
  readonly held: Held[] = []
  readonly grants: Grant[] = []
  /** The number of responses that reported an unavailable database. */
  unavailable = 0
  #moment = 0
  #turn = 0

  constructor(servers: TestServers, userIds: readonly string[], clients: readonly Client[]) {
    this.servers = servers
    this.people = userIds.map((userId) => ({ userId, door: new Door(), secret: null }))
    this.apps = clients.map((client) => ({ client, door: new Door(), isRemoved: false }))
  }

  readonly moment = (): number => ++this.#moment

  get node(): Services {
    const { latchkeys } = this.servers
    return latchkeys[this.#turn++ % latchkeys.length] as Services
  }

  async live(script: readonly Step<keyof typeof steps>[]): Promise<void> {
    for (const step of script) await steps[step.kind](this, step)
  }

  /** Returns undefined if the database was unavailable. The outcome is then unknown. */
  async ask<T>(asking: Promise<T>): Promise<T | undefined> {
    try {
      return await asking
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      this.unavailable++
      return undefined
    }
  }

  /** Checks that tokens may be issued to an app that asked at `asked`. */
  mustBeOpen(
    { person, app, overSince }: Pick<Held, "person" | "app" | "overSince">,
    asked: number,
    what: string,
  ): void {
    assert.ok(!person.door.wasShutAt(asked), `${what}: the account was disabled before`)
    assert.ok(!app.door.wasShutAt(asked), `${what}: the app was disabled or removed before`)
    assert.ok(overSince === null || overSince > asked, `${what}: the credential was over before`)
  }

  keep(held: Held, tokens: TokenResponse, from: string | null): void {
    const { refresh_token: refreshToken, access_token: access } = tokens
    if (from !== null) {
      const before = held.successors.get(from)
      assert.ok(before === undefined || before === `${refreshToken} ${access}`, "a token has one successor")
      held.successors.set(from, `${refreshToken} ${access}`)
    }
    if (!held.refreshTokens.includes(refreshToken)) held.refreshTokens.push(refreshToken)
    held.access.push(access)
  }
}

async function sessionOf(life: RandomLife, person: Person): Promise<Session | null> {
  const node = life.node
  const found = person.secret === null ? null : await life.ask(findSession(node, person.secret))
  if (found?.signedIn) return found.signedIn.session
  const read = await life.ask(node.store.read({ account: person.userId as UserId }))
  if (!read?.account?.enabled) return null
  const visitor = {
    address: ADDRESS,
    addressKey: ADDRESS,
    userAgent: "",
    browserSecret: "b",
    formerSecret: null,
  }
  person.secret = (await life.ask(startSession(node, read.account, "password", visitor))) ?? null
  return null
}

function isOver(answer: Result<unknown, Refusal>): boolean {
  return (
    !answer.ok && ["credentialRevoked", "refreshTokenReused", "codeReplayed"].includes(answer.error.reason)
  )
}

const asApp = ({ client }: App) =>
  callerOf({ clientId: client.clientId, secret: null, assertion: null, method: "none" })

const steps = {
  async authorize(life: RandomLife, { of, which }: Step): Promise<void> {
    const [person, app] = [pick(life.people, of), pick(life.apps, which)]
    const session = person === undefined ? null : await sessionOf(life, person)
    const { account } = (await life.ask(life.node.store.read({ account: session?.userId ?? null }))) ?? {}
    if (!person || !app || !session || !account) return
    const request = {
      clientId: app.client.clientId,
      redirectUri: REDIRECT,
      state: "s",
      codeChallenge: digest(VERIFIER) as string,
      asked: SCOPE,
      resources: [],
      installationName: null,
    }
    const { ticket: sealed } = askConsent(life.node, request, app.client, session, account)
    const ticket = openTicket(life.node.keys, sealed) ?? assert.fail("the ticket opens")
    const asked = life.moment()
    const answers = await Promise.all(
      [["authorize"], which % 5 === 0 ? ["refuse"] : ["authorize"]].map((decision) =>
        life.ask(answerConsent(life.node, ticket, decision, session, ADDRESS)),
      ),
    )
    const decided = answers.filter((answer) => answer?.outcome === "granted" || answer?.outcome === "refused")
    assert.ok(decided.length <= 1, "a form decides once")
    const [granted] = decided
    if (granted?.outcome !== "granted") return
    const held = {
      person,
      app,
      code: granted.code,
      exchanged: 0,
      refreshTokens: [],
      access: [],
      overSince: null,
    }
    life.mustBeOpen(held, asked, "a consent")
    life.held.push({ ...held, successors: new Map() })
  },

  async exchange(life: RandomLife, { of, which }: Step): Promise<void> {
    const isReplay = which % 15 === 0
    const held = pickLate(isReplay ? life.held : life.held.filter(({ exchanged }) => exchanged === 0), of)
    if (!held || held.code === null) return
    const request = {
      grant: "authorization_code",
      code: held.code,
      proof: ok({ codeVerifier: VERIFIER, redirectUri: REDIRECT }),
    } as const
    await Promise.all(
      Array.from({ length: which % 7 === 0 ? 2 : 1 }, async () => {
        const asked = life.moment()
        const answer = await life.ask(exchangeCode(life.node, asApp(held.app), request, ADDRESS))
        if (answer === undefined) return
        if (isOver(answer)) held.overSince ??= life.moment()
        if (!answer.ok) return
        assert.equal(++held.exchanged, 1, "a code works once")
        life.mustBeOpen(held, asked, "an exchange")
        life.keep(held, answer.value, null)
      }),
    )
  },

  async refresh(life: RandomLife, { of, which }: Step): Promise<void> {
    const held = pickLate(life.held, of)
    const refreshToken = which % 12 === 0 ? pick(held?.refreshTokens ?? [], of) : held?.refreshTokens.at(-1)
    if (!held || refreshToken === undefined) return
    await Promise.all(
      Array.from({ length: 1 + (which % 3) }, async () => {
        const asked = life.moment()
        const request = { grant: "refresh_token", refreshToken, scope: ok(null) } as const
        const answer = await life.ask(refresh(life.node, asApp(held.app), request, ADDRESS))
        if (answer === undefined) return
        if (isOver(answer)) held.overSince ??= life.moment()
        if (!answer.ok) return
        life.mustBeOpen(held, asked, "a refresh")
        life.keep(held, answer.value, refreshToken)
      }),
    )
  },

  async introspect(life: RandomLife, { of, which }: Step): Promise<void> {
    const held = pickLate(life.held, of)
    const token = pickLate(held?.access ?? [], which)
    if (!held || token === undefined) return
    const asked = life.moment()
    const answer = await life.ask(checkBearer(life.node, token))
    if (answer?.ok) life.mustBeOpen(held, asked, "a check")
  },

  async revoke(life: RandomLife, { of }: Step): Promise<void> {
    const held = pickLate(life.held, of)
    const token = held?.refreshTokens.at(-1)
    if (!held || token === undefined) return
    const answer = await life.ask(revoke(life.node, asApp(held.app), token, ADDRESS))
    if (answer?.ok) held.overSince ??= life.moment()
  },

  async "ask for a device"(life: RandomLife, { of }: Step): Promise<void> {
    const app = pick(life.apps, of)
    if (!app) return
    const request = { installationName: null, scope: null, resources: [] }
    const opened = await life.ask(deviceAuthorize(life.node, asApp(app), request, ADDRESS))
    const code = opened?.ok ? readDeviceCode(opened.value.device_code) : null
    if (!opened?.ok || code === null) return
    life.grants.push({
      app,
      deviceCode: opened.value.device_code,
      approvedBy: null,
      fetched: 0,
      ticketOf: ({ sessionHash, userId }) => ({
        id: newId(life.node.clock.now()),
        grantId: code.grantId,
        purpose: "access",
        userCode: opened.value.user_code,
        granted: SCOPE,
        sessionHash,
        userId,
        shownAt: life.node.clock.now(),
        isConfirmation: false,
      }),
    })
  },

  async answer(life: RandomLife, { of, which }: Step): Promise<void> {
    const [grant, person] = [pickLate(life.grants, which), pick(life.people, of)]
    const session = person === undefined ? null : await sessionOf(life, person)
    if (!grant || !person || !session) return
    const decisions = which % 5 === 0 ? ["refuse"] : ["authorize"]
    const answers = await Promise.all(
      [decisions, decisions].map((decision) =>
        life.ask(answerDevice(life.node, grant.ticketOf(session), decision, session, ADDRESS)),
      ),
    )
    const decided = answers.filter((answer) => answer?.outcome === "approved" || answer?.outcome === "denied")
    assert.ok(decided.length <= 1, "a device grant is answered once")
    if (decided[0]?.outcome !== "approved") return
    assert.equal(grant.approvedBy, null, "a device grant is approved once")
    grant.approvedBy = person
  },

  async poll(life: RandomLife, { of }: Step): Promise<void> {
    const grant = pickLate(life.grants, of)
    if (!grant) return
    const { app, deviceCode } = grant
    const request = { grant: "urn:ietf:params:oauth:grant-type:device_code", deviceCode } as const
    await Promise.all(
      [0, 1].map(async () => {
        const asked = life.moment()
        const answer = await life.ask(devicePoll(life.node, asApp(app), request, ADDRESS))
        if (!answer?.ok || !("access_token" in answer.value)) return
        assert.equal(++grant.fetched, 1, "a device grant is fetched once")
        const person = life.people.find(({ userId }) => userId === (answer.value as TokenResponse).user_id)
        assert.ok(person)
        const held: Held = {
          person,
          app,
          code: null,
          exchanged: 0,
          refreshTokens: [],
          successors: new Map(),
          access: [],
          overSince: null,
        }
        life.mustBeOpen(held, asked, "a device poll")
        life.keep(held, answer.value, null)
        life.held.push(held)
      }),
    )
  },

  async "change account"(life: RandomLife, { of, which, how }: Step): Promise<void> {
    const person = pick(life.people, of)
    if (!person) return
    const update = (change: { enabled?: boolean; admin?: boolean }) =>
      life.ask(updateAccount(life.node, person.userId, change, OPERATOR))
    const admin = which % 2 === 0
    if (how % 2 === 0) {
      await update({ admin })
      return
    }
    const isShut = which % 4 === 0
    await person.door.move(life.moment, isShut, async () => {
      const answer = await update({ enabled: !isShut, ...(which % 7 === 0 && { admin }) })
      return answer?.ok
    })
  },

  async "change app"(life: RandomLife, { of, which }: Step): Promise<void> {
    const app = pick(life.apps, of)
    if (!app || app.isRemoved) return
    // The first app is never removed, so that some actions still succeed.
    const isRemoval = of % life.apps.length !== 0 && which % 17 === 0
    const isShut = isRemoval || which % 4 === 0
    await app.door.move(life.moment, isShut, async () => {
      const { clientId } = app.client
      const acted = isRemoval
        ? removeApp(life.node, clientId, OPERATOR)
        : setAppEnabled(life.node, clientId, !isShut, OPERATOR)
      const answer = await life.ask(acted)
      app.isRemoved ||= isRemoval && answer?.ok !== false
      return answer?.ok
    })
  },

  /** Waits long enough for grace periods to end. */
  async wait(life: RandomLife, { of }: Step): Promise<void> {
    if (of % 4 === 0) life.servers.testServer.clock.advance(of % 16 === 0 ? 61 : 5)
    await Promise.resolve()
  },
}
