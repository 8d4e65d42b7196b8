/** Plays one history. Operations are drawn and sent to the service, and each response is compared with the model. */
import { choose } from "./choose.ts"
import type { Step } from "../../test/support/history.ts"
import type { Drawn } from "./draw.ts"
import { inWords, type Operation } from "./operation.ts"
import { type Answered, worldsAfter } from "./order.ts"
import type { Player } from "./player.ts"
import { tell } from "./rules.ts"
import { sceneOn } from "./scene.ts"
import type { Stage } from "./stage.ts"
import { type Bound, describeSeen, describeExpected } from "./expected.ts"
import { Watch } from "./watch.ts"
import { accessOf, copyOf, type World } from "./world.ts"

export type Counts = {
  histories: number
  operations: number
  answers: number
  batches: number
  /** The number of batches after which more than one world is possible. */
  ambiguous: number
}

export const noCounts = (): Counts => ({ histories: 0, operations: 0, answers: 0, batches: 0, ambiguous: 0 })

/** Everything is checked after this many drawn operations. */
const LOOK_EVERY = 40
/** The history fails if more worlds than this are possible, because the model then checks too little. */
const WORLDS_AT_MOST = 60

export async function playHistory(stage: Stage, drawn: readonly Drawn[], counts: Counts): Promise<void> {
  const { world, player, people } = await sceneOn(stage)
  const history = new History(stage, player, world, counts)
  try {
    for (const [n, next] of drawn.entries()) {
      await history.take(next, String(n + 1))
      if (n % LOOK_EVERY === LOOK_EVERY - 1) await history.lookAtEverything()
    }
    await history.lookAtEverything()
    await history.end()
  } finally {
    for (const [name, person] of people)
      person.usedStep = Math.max(...history.worlds.map((one) => one.accounts.get(name)?.usedStep ?? 0))
  }
  counts.histories++
}

class History {
  worlds: readonly World[]
  readonly #player: Player
  readonly #counts: Counts
  readonly #watch: Watch
  readonly #done: string[] = []

  constructor(stage: Stage, player: Player, world: World, counts: Counts) {
    this.worlds = [world]
    this.#player = player
    this.#counts = counts
    this.#watch = new Watch(stage)
  }

  get #world(): World {
    const [world] = this.worlds
    if (world === undefined) throw new Error("there is no world")
    return world
  }

  async take(next: Drawn, name: string): Promise<void> {
    if ("series" in next) {
      for (const [n, step] of next.series.entries()) await this.#take(step, `${name}-${n + 1}`)
      await this.lookAtEverything()
    } else if ("atOnce" in next) await this.#takeAtOnce(next.atOnce, name)
    else await this.#take(next, name)
  }

  async #take(step: Step, name: string): Promise<void> {
    for (const one of choose(this.#world, step, name)) await this.#one(one)
  }

  async #takeAtOnce(steps: readonly Step[], name: string): Promise<void> {
    const chosen = steps.map((step, n) => choose(this.#world, step, `${name}.${n + 1}`))
    // Two operations may use the same browser, which then signs in once.
    const before = chosen.flatMap((operations) => operations.slice(0, -1))
    const entering = new Map(before.map((one) => [inWords(one), one]))
    for (const one of entering.values()) await this.#one(one)
    const last = chosen
      .map((operations) => operations.at(-1))
      .filter((one) => one !== undefined)
      .filter((one, n) => n === 0 || !this.#isStepUp(one))
    if (last.length > 1) await this.#atOnce(last)
    else for (const one of last) await this.#one(one)
  }

  /**
   * Whether the operation proves a factor. A factor is checked before it is used up, so the second of two concurrent
   * operations may learn that its code was used.
   */
  #isStepUp(one: Operation): boolean {
    const about = one.do === "answer" ? this.#world.forms.get(one.form)?.about : undefined
    return about?.what === "device" && this.#world.devices.get(about.device)?.stepUp !== null
  }

  async #one(one: Operation): Promise<void> {
    const seen = await this.#player.play(one, this.#world)
    this.#step([{ one, seen }])
  }

  async #atOnce(all: readonly Operation[]): Promise<void> {
    const world = this.#world
    const seen = await Promise.all(all.map((one) => this.#player.play(one, world)))
    this.#counts.batches++
    const answered = all.map((one, n) => ({ one, seen: seen[n] ?? {} }))
    this.#step(answered)
    if (this.worlds.length > 1) this.#counts.ambiguous++
  }

  #step(answered: readonly Answered[]): void {
    const before = this.worlds
    this.#counts.operations += answered.length
    this.#counts.answers += answered.length
    this.worlds = worldsAfter(before, answered)
    const { bound } = this.worlds[0] ?? before[0] ?? this.#world
    const lines = answered.map(({ one, seen }) => `${inWords(one)} → ${describeSeen(bound, seen)}`)
    this.#done.push(lines.length === 1 ? (lines[0] ?? "") : `at once: ${lines.join(" ‖ ")}`)
    if (this.worlds.length === 0) throw this.#broken(explained(before, answered))
    if (this.worlds.length > WORLDS_AT_MOST) throw this.#broken("the model cannot tell any more what is so")
    this.#watched(answered, bound)
  }

  #watched(answered: readonly Answered[], bound: Bound): void {
    const broken = this.#watch.see(answered, bound)
    if (broken !== null) throw this.#broken(broken)
  }

  /** Checks every access token that was ever issued, one after the other. */
  async lookAtEverything(): Promise<void> {
    for (const credential of [...this.#world.credentials.values()]) {
      const { name, generations } = credential
      for (
        let generation = Math.max(1, generations.length - 9);
        generation <= generations.length;
        generation++
      )
        for (const access of accessOf(credential, generation))
          await this.#one({ do: "introspect", credential: name, ...access, isAltered: false })
    }
  }

  async end(): Promise<void> {
    const broken = await this.#watch.end(this.#world.bound)
    if (broken !== null) throw this.#broken(broken)
  }

  #broken(what: string): Error {
    const lines = this.#done.map((line, n) => `${String(n + 1).padStart(4)}. ${line}`)
    return new Error(`${lines.join("\n")}\n  ${what}`)
  }
}

function explained(before: readonly World[], answered: readonly Answered[]): string {
  const [world] = before
  if (world === undefined) return "there was no world"
  const lines = answered.map(({ one, seen }) => {
    const expected = describeExpected(tell(copyOf(world), one))
    return `${inWords(one)}\n    the model says   ${expected}\n    the service said ${describeSeen(world.bound, seen)}`
  })
  const what = answered.length > 1 ? "no order of these gives such answers; each alone:" : "another answer:"
  return [what, ...lines].join("\n  ")
}
