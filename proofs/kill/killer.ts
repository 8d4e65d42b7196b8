/** Kills servers at moments and in numbers that a seed chooses, and starts them again. */
import type { Choice } from "../choice.ts"
import type { Member } from "../mixed/fleet.ts"
import { pause, type World } from "../mixed/world.ts"

type Moment = "any" | "storm" | "start"

const PAUSE_MILLISECONDS = { least: 300, most: 4000 }
/** The longest pause before the next kill, as a fraction of the whole time. */
const PAUSE_PART = 0.2
/** A storm ends after this many responses or after this time. */
const STORM = { answers: 120, milliseconds: 1500 }
/** A server that starts may be killed within this time, which covers its first file access and its first requests. */
const START_MILLISECONDS = 1500
const LOOK_MILLISECONDS = 2

export class Killer {
  kills = 0
  rounds = 0
  atStart = 0
  inStorm = 0
  several = 0
  slowestStart = 0
  readonly #world: World
  readonly #choice: Choice
  readonly #pauseAtMost: number

  /** `seconds` is the length of the whole run. */
  constructor(world: World, choice: Choice, seconds: number) {
    this.#world = world
    this.#choice = choice
    this.#pauseAtMost = Math.min(PAUSE_MILLISECONDS.most, seconds * 1000 * PAUSE_PART)
  }

  /** Waits, kills one or several servers, and starts them again. `between` runs while they are stopped. */
  async strike(between: () => Promise<void>): Promise<void> {
    const { least } = PAUSE_MILLISECONDS
    await pause(least + this.#choice.below(Math.max(1, this.#pauseAtMost - least)))
    if (this.#world.isEnough) return
    const moment = this.#choice.one<Moment>(["any", "any", "storm", "storm", "start"])
    const victims = this.#victims()
    this.rounds++
    if (victims.length > 1) this.several++
    const over = this.#world.disturb(`kill of ${victims.length}, moment: ${moment}`)
    if (moment === "storm") await this.#storm()
    await this.#kill(victims)
    await between()
    if (moment === "start") await this.#killAtStart(victims)
    await Promise.all(victims.map((member) => this.#start(member)))
    this.#world.isStorm = false
    over()
  }

  /** Chooses the servers to kill. If there are several servers, usually one is killed, and sometimes several or all. */
  #victims(): readonly Member[] {
    const { members } = this.#world.fleet
    const first = this.#choice.below(members.length)
    const count = this.#choice.chance(0.6) ? 1 : 1 + this.#choice.below(members.length)
    return [...members.slice(first), ...members.slice(0, first)].slice(0, count)
  }

  async #storm(): Promise<void> {
    this.inStorm++
    const { record } = this.#world
    const enough = record.answered + 1 + this.#choice.below(STORM.answers)
    const end = performance.now() + STORM.milliseconds
    this.#world.isStorm = true
    while (record.answered < enough && performance.now() < end) await pause(LOOK_MILLISECONDS)
  }

  async #kill(victims: readonly Member[]): Promise<void> {
    await Promise.all(victims.map((member) => member.kill()))
    this.kills += victims.length
  }

  async #killAtStart(victims: readonly Member[]): Promise<void> {
    this.atStart++
    await Promise.all(victims.map((member) => member.begin()))
    await pause(this.#choice.below(START_MILLISECONDS))
    await this.#kill(victims)
  }

  async #start(member: Member): Promise<void> {
    await member.begin()
    this.slowestStart = Math.max(this.slowestStart, await member.firstAnswer())
    await member.serving()
  }
}
