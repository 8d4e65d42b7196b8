/**
 * Records what was sent and what happened. A broken promise is reported at once with its case, and the run continues.
 */
import type { Answer } from "./answer.ts"
import type { Attempt, Figures } from "../proof.ts"
import type { Case } from "./cases.ts"

export class BrokenPromise extends Error {}

/** This many characters of a long request or response are shown. */
const SHOWN = 4000

export class Ledger {
  readonly seed: number
  answers = 0
  connections = 0
  unsound = 0
  heldBack = 0
  /** The number of responses that say that the database is unavailable. */
  away = 0
  broken = 0
  /** The number of grants that succeeded after all spoiled requests. */
  grants = 0
  slowest = 0
  readonly classes = new Map<string, number>()
  readonly #say: (line: string) => void

  constructor({ seed, say }: Pick<Attempt, "seed" | "say">) {
    this.seed = seed
    this.#say = say
  }

  get figures(): Figures {
    const classes = [...this.classes].sort(([one], [other]) => one.localeCompare(other))
    return {
      answers: this.answers,
      connections: this.connections,
      ...Object.fromEntries(classes.map(([name, count]) => [`answers ${name}`, count])),
      "answers 429": this.heldBack,
      "answers 503": this.away,
      "requests that HTTP forbids or leaves in doubt": this.unsound,
      "grants that outlived what was tried on them": this.grants,
      "slowest answer, ms": Math.round(this.slowest),
    }
  }

  note({ status }: Answer, milliseconds: number): void {
    this.answers++
    if (status === 429) this.heldBack++
    if (status === 503) this.away++
    const name = `${Math.floor(status / 100)}xx`
    this.classes.set(name, (this.classes.get(name) ?? 0) + 1)
    if (milliseconds > this.slowest) this.slowest = milliseconds
  }

  /** The different problems, by their first line without numbers. */
  readonly problems = new Map<string, string>()

  /** Reports `problem` once for each kind and keeps it for the end. Other errors are thrown again. */
  keep(problem: unknown): void {
    if (!(problem instanceof BrokenPromise)) throw problem
    const [kind = ""] = problem.message.split("\n", 1)
    this.broken++
    const key = kind.replaceAll(/\d+/g, "0").slice(0, 60)
    if (this.problems.has(key)) return
    this.problems.set(key, problem.message)
    this.#say(`BROKEN: ${problem.message}`)
  }

  fail(one: Case | undefined, problem: string, answer: Answer | null): never {
    const lines = [
      problem,
      `  seed ${this.seed}, case ${one?.number} (${one?.name}); again alone: LATCHKEY_FUZZ_CASE=${one?.number}`,
      `  sent: ${JSON.stringify(one?.bytes ?? "").slice(0, SHOWN)}`,
    ]
    if (answer !== null)
      lines.push(
        `  answer: ${JSON.stringify(`${answer.head}\r\n\r\n${answer.body.replaceAll(/<style>.*?<\/style>/gs, "")}`).slice(0, SHOWN)}`,
      )
    throw new BrokenPromise(lines.join("\n"))
  }
}
