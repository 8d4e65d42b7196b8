/**
 * One keep-alive connection that refreshes credentials of its own, one after the other, each with the token of its last
 * answer. It speaks just enough HTTP/1.1 for that, so that the generator never is what is measured.
 */
import { connect, type Socket } from "node:net"

export type Load = {
  readonly host: string
  readonly port: number
  readonly clientId: string
  /** Whether every answer must hold a token that was not sent. The bare server answers the same one again. */
  readonly rotates: boolean
}

export type Measured = {
  /** Milliseconds of each good answer. */
  readonly latencies: number[]
  /** What was wrong with an answer; the first one ends the connection. */
  readonly failures: string[]
}

const HEAD_END = "\r\n\r\n"
const LENGTH = /\r\ncontent-length: *(\d+)/i
const TOKEN = '"refresh_token":"'

export class RefreshingConnection {
  readonly #load: Load
  readonly #tokens: string[]
  readonly #measured: Measured
  readonly #socket: Socket
  readonly #before: string
  #next = 0
  #sentAt = 0
  #received = ""
  #isAsked = true
  readonly ended: Promise<void>

  /** Refreshes `tokens` in turn, writing each successor in place, and notes what it measures in `measured`. */
  constructor(load: Load, tokens: string[], measured: Measured) {
    this.#load = load
    this.#tokens = tokens
    this.#measured = measured
    this.#before = `grant_type=refresh_token&client_id=${load.clientId}&refresh_token=`
    this.#socket = connect({ host: load.host, port: load.port, noDelay: true })
    this.#socket.setEncoding("latin1")
    this.#socket.on("connect", () => this.#send())
    this.#socket.on("data", (text: string) => this.#receive(text))
    this.#socket.on("error", (error) => measured.failures.push(error.message))
    this.ended = new Promise((resolve) => this.#socket.on("close", () => resolve()))
  }

  /** Sends nothing more; `ended` follows the answer that is still out. */
  finish(): void {
    this.#isAsked = false
  }

  #send(): void {
    const body = this.#before + this.#tokens[this.#next]
    this.#sentAt = performance.now()
    this.#socket.write(
      `POST /oauth/token HTTP/1.1\r\nhost: localhost:${this.#load.port}\r\n` +
        `content-type: application/x-www-form-urlencoded\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      "latin1",
    )
  }

  #receive(text: string): void {
    this.#received += text
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const length = Number(LENGTH.exec(this.#received)?.[1])
    if (this.#received.length < headEnd + HEAD_END.length + length) return
    const answer = this.#received
    this.#received = ""
    this.#measured.latencies.push(performance.now() - this.#sentAt)
    if (!this.#keepSuccessor(answer) || !this.#isAsked) return void this.#socket.end()
    this.#send()
  }

  /** Only a 200 with a new refresh token is an answer. */
  #keepSuccessor(answer: string): boolean {
    const from = answer.indexOf(TOKEN) + TOKEN.length
    const successor = answer.slice(from, answer.indexOf('"', from))
    const isGood =
      answer.startsWith("HTTP/1.1 200 ") &&
      from >= TOKEN.length &&
      (!this.#load.rotates || successor !== this.#tokens[this.#next])
    if (!isGood) {
      this.#measured.failures.push(answer.slice(0, 400))
      return false
    }
    if (this.#load.rotates) this.#tokens[this.#next] = successor
    this.#next = (this.#next + 1) % this.#tokens.length
    return true
  }
}
