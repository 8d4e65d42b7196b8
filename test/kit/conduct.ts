/** Plays a sequence of conduct.json against the Node kit. */
import assert from "node:assert/strict"
import {
  type Checked,
  createResourceServer,
  requireElevation,
  requirePermission,
  type ResourceServer,
  type ResourceServerOptions,
} from "../../packages/resource-server/src/resource-server.ts"
import { type TestClock, testClock } from "../support/clock.ts"
import { until } from "../support/until.ts"
import { ScriptedService } from "./scripted-service.ts"
import {
  type Body,
  type Case,
  type OptionsVector,
  optionsOf,
  reasonOf,
  type RequirementVector,
} from "./vector-files.ts"

export type Conduct = {
  readonly issuer: string
  readonly resource: string
  readonly client_id: string
  readonly client_secret: string
  readonly now: number
  readonly tokens: Readonly<Record<string, string>>
  readonly answers: Readonly<Record<string, Body>>
  readonly sequences: readonly Sequence[]
}

export type Sequence = Case & { readonly options?: OptionsVector; readonly steps: readonly Step[] }

type CheckVector = RequirementVector & { readonly token?: string | null; readonly raw?: string }

/** One of these members names the action. */
type Action = {
  readonly check: CheckVector
  readonly begin: RequirementVector & { readonly name: string; readonly tokens: readonly string[] }
  readonly finish: string
  readonly advance: number
  readonly wall: number
  readonly answer: { readonly token: string; readonly with: Body }
  readonly service: {
    readonly introspection?: "up" | "unreachable" | { readonly status: number; readonly retry_after?: string }
    readonly stream?: "up" | { readonly status: number }
    readonly lost?: number
  }
  readonly hold: boolean
  readonly release: true
  readonly opens: { readonly last_event_id: string | null }
  readonly refused: true
  readonly send: string | { readonly text: string; readonly times: number }
  readonly breaks: true
  readonly ends: true
  readonly live: boolean
  readonly streams: number
  readonly close: true
}

export type Step = Partial<Action> & {
  readonly expect?: string
  readonly asks?: number
  readonly retry_after?: number
}

/** What a sequence needs of a kit. */
export type PlayedKit = Pick<ResourceServer, "verify" | "isLive" | "close">
export type MakeKit = (options: ResourceServerOptions) => PlayedKit

/** `make` creates another kit, or what embeds one. */
export async function play(
  conduct: Conduct,
  sequence: Sequence,
  make: MakeKit = createResourceServer,
): Promise<void> {
  const player = new Player(conduct, sequence, make)
  try {
    for (const [at, step] of sequence.steps.entries()) {
      try {
        await player.take(step)
      } catch (error) {
        throw new Error(`step ${at}: ${JSON.stringify(step).slice(0, 300)}`, { cause: error })
      }
    }
  } finally {
    player.close()
  }
}

class Player {
  readonly #conduct: Conduct
  readonly #service: ScriptedService
  readonly #clock: TestClock
  readonly #kit: PlayedKit
  readonly #answers: Map<string, Body>
  readonly #begun = new Map<string, Promise<readonly Checked[]>>()
  #failure: { readonly status: number; readonly retry_after?: string } | null = null
  #asked = 0
  #opened = 0

  constructor(conduct: Conduct, { options }: Sequence, make: MakeKit) {
    const { issuer, resource, client_id, client_secret } = conduct
    this.#conduct = conduct
    this.#clock = testClock(conduct.now)
    this.#service = new ScriptedService((token) => this.#respond(token))
    this.#kit = make({
      ...optionsOf({ issuer, resource, client_id, client_secret, ...options }),
      fetch: this.#service.fetch,
      clock: this.#clock,
    })
    this.#answers = new Map(
      Object.entries(conduct.answers).map(([name, body]) => [this.#token(name), body] as const),
    )
  }

  close(): void {
    this.#service.isHolding = false
    this.#service.release()
    this.#kit.close()
  }

  async take(step: Step): Promise<void> {
    const [name] = Object.keys(step)
    const action = this.#actions[name as keyof Action] as ((step: Step) => unknown) | undefined
    assert.ok(action !== undefined, `no such step: ${name}`)
    await action(step)
    await this.#expectAsks(step)
  }

  readonly #actions: { readonly [Name in keyof Action]: (step: Step & Pick<Action, Name>) => unknown } = {
    check: async ({ check, ...expected }) => {
      expectResult(await this.#verify(this.#presented(check), check), expected)
    },
    begin: ({ begin }) => {
      const checks = begin.tokens.map((token) => this.#verify(this.#token(token), begin))
      this.#begun.set(begin.name, Promise.all(checks))
    },
    finish: async ({ finish, ...expected }) => {
      const results = await this.#begun.get(finish)
      assert.ok(results !== undefined)
      for (const result of results) expectResult(result, expected)
    },
    advance: ({ advance }) => this.#clock.advance(advance),
    wall: ({ wall }) => this.#clock.setWall(this.#clock.now() + wall),
    answer: ({ answer }) => this.#answers.set(this.#token(answer.token), answer.with),
    service: ({ service }) => this.#change(service),
    hold: ({ hold }) => {
      this.#service.isHolding = hold
      if (!hold) this.#service.release()
    },
    release: () => this.#service.release(),
    opens: async ({ opens }) => {
      const index = this.#opened++
      await until(() => this.#service.streams.length > index, "a stream is opened")
      assert.equal(this.#service.streams[index]?.lastEventId, opens.last_event_id)
    },
    refused: () => until(() => this.#service.refusedStreams > 0, "a stream is refused"),
    send: ({ send }) => this.#service.send(typeof send === "string" ? send : send.text.repeat(send.times)),
    breaks: () => this.#service.breakStream(),
    ends: () => this.#service.endStream(),
    live: ({ live }) => until(() => this.#kit.isLive() === live, `live is ${live}`),
    streams: ({ streams }) => assert.equal(this.#service.streams.length, streams),
    close: () => this.#kit.close(),
  }

  /** Waits for the introspections of the step. Fails if there are more. */
  async #expectAsks({ check, asks }: Step): Promise<void> {
    const sinceLast = () => this.#service.introspections.length - this.#asked
    // A check without `asks` may ask any number of times.
    if (asks === undefined) return void (this.#asked += check === undefined ? 0 : sinceLast())
    await until(() => sinceLast() >= asks, `${asks} introspections`)
    assert.equal(sinceLast(), asks, "introspections since the step before")
    this.#asked += asks
  }

  #change({ introspection, stream, lost }: Action["service"]): void {
    if (introspection !== undefined) {
      this.#service.isUnreachable = introspection === "unreachable"
      this.#failure = typeof introspection === "string" ? null : introspection
    }
    if (stream !== undefined) this.#service.streamStatus = stream === "up" ? null : stream.status
    if (lost !== undefined) this.#service.lost = lost
  }

  #respond(token: string) {
    if (this.#failure === null) return { status: 200, body: this.#answers.get(token) ?? { active: false } }
    const { status, retry_after: retryAfter } = this.#failure
    return { status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter }, text: "" }
  }

  #presented({ token, raw }: CheckVector): string | null {
    return raw ?? (typeof token === "string" ? this.#token(token) : null)
  }

  #token(name: string): string {
    const token = this.#conduct.tokens[name]
    assert.ok(token !== undefined, `no token ${name}`)
    return token
  }

  #verify(
    token: string | null,
    { permissions = [], elevation = false }: RequirementVector,
  ): Promise<Checked> {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` }
    const requirements = [requirePermission(...permissions), ...(elevation ? [requireElevation()] : [])]
    return this.#kit.verify({ headers }, ...requirements)
  }
}

function expectResult(result: Checked, { expect, retry_after: retryAfter }: Partial<Step>): void {
  assert.ok(expect !== undefined, "a check expects something")
  assert.equal(result.ok ? "ok" : result.refusal.reason, expect === "ok" ? "ok" : reasonOf(expect))
  if (retryAfter === undefined) return
  assert.ok(!result.ok)
  assert.equal(result.refusal.headers["retry-after"], String(retryAfter))
}
