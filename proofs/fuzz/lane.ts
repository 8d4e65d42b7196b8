/**
 * Sends cases on one connection after the other, several at a time. At most one case per connection has an unclear end,
 * and it comes last. Reads the responses and checks them.
 */
import type { Answer } from "./answer.ts"
import { SMUGGLED } from "./broken.ts"
import type { Case } from "./cases.ts"
import { Connection } from "./connection.ts"
import type { Ledger } from "./ledger.ts"
import { always, rules } from "./oracle.ts"
import type { World } from "./world.ts"

/** The service's own limit for a request, which is checked every five seconds. Anything longer is a hang. */
const HANG_MILLISECONDS = 40_000
/** If the service may wait for more bytes, this side ends its half of the connection after this time. */
const PATIENCE_MILLISECONDS = 150
/** After the other side has ended the connection, the service must end it within this time. */
const END_MILLISECONDS = 15_000

export class Lane {
  readonly #port: number
  readonly #ledger: Ledger
  #connection: Connection | null = null

  constructor(port: number, ledger: Ledger) {
    this.#port = port
    this.#ledger = ledger
  }

  /** Returns the cases without a response because the connection ended before them. */
  async send(cases: readonly Case[], world: World): Promise<readonly Case[]> {
    const doubtful = cases.findIndex(({ isSound }) => !isSound)
    const together = doubtful < 0 ? cases : cases.slice(0, doubtful + 1)
    const rest = cases.slice(together.length)
    const connection = (this.#connection ??= await this.#open())
    connection.write(together.map(({ bytes }) => bytes).join(""))
    for (const [at, one] of together.entries()) {
      if (!one.isSound) {
        await this.#settleDoubtful(connection, one, world)
        this.#drop()
        return rest
      }
      const begun = performance.now()
      const answer = await this.#read(connection, one, HANG_MILLISECONDS)
      if (answer === undefined)
        this.#ledger.fail(one, "no answer within the time that the service gives itself", null)
      if (answer === null)
        this.#ledger.fail(
          { ...one, bytes: together.map(({ bytes }) => bytes).join("~~~~") },
          `the connection ended without an answer (${connection.error ?? "no error"})\n  ` +
            `${at} of ${together.length} sent together were answered; the connection had ` +
            `${connection.socket.bytesRead} bytes from the service and ${connection.socket.bytesWritten} to it; ` +
            `${Math.round(performance.now() - begun)} ms after the answer before, the rest: ` +
            together
              .slice(Math.max(0, at - 2))
              .map(({ name, bytes, isSound }) => `${name} (${bytes.length}${isSound ? "" : ", doubtful"})`)
              .join("; "),
          null,
        )
      else this.#judge(one, answer, world)
      this.#ledger.note(answer, performance.now() - begun)
      if (answer.isEndless || answer.headers.get("connection") === "close") {
        this.#drop()
        // The connection may end only in three cases: the request asked for it, was not read completely, or had a
        // chunked body that nothing reads.
        if (!answer.isEndless && answer.status !== 413 && !isChunked(one))
          this.#ledger.fail(one, "the connection was ended", answer)
        return [...together.slice(at + 1), ...rest]
      }
    }
    if (!connection.reader.isAtStart)
      this.#ledger.fail(
        together.at(-1),
        `more than was asked for: ${connection.reader.rest.slice(0, 300)}`,
        null,
      )
    return rest
  }

  close(): void {
    this.#drop()
  }

  /**
   * Handles a case whose end is unclear. It may get a response or not, but the service must end the connection when no
   * more bytes arrive.
   */
  async #settleDoubtful(connection: Connection, one: Case, world: World): Promise<void> {
    let isAnswered = false
    for (let answers = 0; ;) {
      const answer = await this.#read(connection, one, isAnswered ? END_MILLISECONDS : PATIENCE_MILLISECONDS)
      if (answer === null) break
      if (answer === undefined) {
        if (isAnswered)
          this.#ledger.fail(one, "the connection was ended by the client, and not by the service", null)
        isAnswered = true
        connection.socket.end()
        continue
      }
      this.#ledger.note(answer, 0)
      if (++answers > one.answersAtMost) this.#ledger.fail(one, `${answers} answers`, answer)
      this.#judgeDoubtful(one, answer, world, answers)
      if (answer.isEndless) break
    }
    const { rest } = connection.reader
    // A client that has ended its side may miss all or part of a response.
    if (rest !== "" && !isAnswered && one.method !== "HEAD")
      this.#ledger.fail(one, `half an answer: ${rest.slice(0, 300)}`, null)
    this.#ledger.unsound++
  }

  async #read(connection: Connection, one: Case, milliseconds: number): Promise<Answer | null | undefined> {
    try {
      return await connection.answer(one.method, milliseconds)
    } catch (problem) {
      return this.#ledger.fail(one, `an answer that is no HTTP: ${(problem as Error).message}`, null)
    }
  }

  #judge(one: Case, answer: Answer, world: World): void {
    const id = answer.headers.get("x-request-id")
    if (one.requestId !== null && id !== one.requestId) this.#ledger.fail(one, `the answer to ${id}`, answer)
    for (const rule of rules) {
      const problem = rule(answer, one.asked, world)
      if (problem !== null) this.#ledger.fail(one, problem, answer)
    }
  }

  #judgeDoubtful(one: Case, answer: Answer, world: World, answers: number): void {
    if (answer.headers.get("x-request-id") === SMUGGLED)
      this.#ledger.fail(one, "an answer to what was smuggled", answer)
    const asked = answers === 1 ? one.asked : { ...one.asked, method: undefined, target: "" }
    for (const rule of always) {
      const problem = rule(answer, asked, world)
      if (problem !== null) this.#ledger.fail(one, problem, answer)
    }
  }

  async #open(): Promise<Connection> {
    this.#ledger.connections++
    return Connection.open(this.#port)
  }

  #drop(): void {
    this.#connection?.close()
    this.#connection = null
  }
}

/** Whether the body is chunked. A response may come before the end of such a body, even if both arrive in one piece. */
function isChunked({ bytes }: Case): boolean {
  return /\r\ntransfer-encoding:/i.test(bytes)
}
