/**
 * One keep-alive connection of the generator. It sends one request after the other. It implements only the necessary
 * part of HTTP/1.1, so that the generator does not limit the result.
 */
import { connect, type Socket } from "node:net"
import type { Pace } from "./pace.ts"

export type Answer = { readonly status: number; readonly head: string; readonly body: string }

/** The next request, and a function that checks its response. */
export type Step = { readonly request: string; readonly judge: (answer: Answer) => Verdict }

/** A step may lead to another step, such as the page that a redirect names. Both count as one request. */
export type Verdict =
  | { readonly verdict: "good" }
  | { readonly verdict: "then"; readonly step: Step }
  | { readonly verdict: "wrong" }

export const good: Verdict = { verdict: "good" }
export const wrong: Verdict = { verdict: "wrong" }

export type Measured = {
  /** The milliseconds of each correct response. */
  readonly latencies: number[]
  /** The problems of wrong responses. The first failure ends the connection. */
  readonly failures: string[]
  sample: Answer | null
}

const HEAD_END = "\r\n\r\n"
const LENGTH = /\r\ncontent-length: *(\d+)/i

export class WireConnection {
  readonly #socket: Socket
  readonly #measured: Measured
  readonly #next: () => Step | null
  /** Says when requests are due. Without it, each response is followed by the next request. */
  readonly #pace: Pace | null
  #isFree = false
  #judge: Step["judge"] = () => wrong
  #begunAt = 0
  #received = ""
  #isAsked = true
  readonly ended: Promise<void>

  /** Sends the requests that `next` returns, until it returns null. */
  constructor(port: number, next: () => Step | null, measured: Measured, pace: Pace | null = null) {
    this.#next = next
    this.#pace = pace
    this.#measured = measured
    this.#socket = connect({ host: "127.0.0.1", port, noDelay: true })
    this.#socket.setEncoding("latin1")
    this.#socket.on("connect", () => this.#begin())
    this.#socket.on("data", (text: string) => this.#receive(text))
    this.#socket.on("error", (error) => measured.failures.push(error.message))
    this.ended = new Promise((resolve) => this.#socket.on("close", () => resolve()))
  }

  /** Sends no further request. `ended` resolves after the response to the last request. */
  finish(): void {
    this.#isAsked = false
    if (this.#isFree) this.#socket.end()
  }

  /** Closes the connection without waiting for a response. */
  cutOff(): void {
    this.#socket.destroy()
  }

  #begin(): void {
    const due =
      this.#isAsked && this.#pace !== null ? this.#pace.take(() => this.#begin()) : performance.now()
    this.#isFree = due === null
    if (due === null) return
    const step = this.#isAsked ? this.#next() : null
    if (step === null) return void this.#socket.end()
    this.#begunAt = due
    this.#send(step)
  }

  #send({ request, judge }: Step): void {
    this.#judge = judge
    this.#socket.write(request, "latin1")
  }

  #receive(text: string): void {
    this.#received += text
    const headEnd = this.#received.indexOf(HEAD_END)
    if (headEnd < 0) return
    const bodyAt = headEnd + HEAD_END.length
    const length = Number(LENGTH.exec(this.#received)?.[1] ?? NaN)
    if (Number.isNaN(length)) return this.#fail(this.#received)
    if (this.#received.length < bodyAt + length) return
    const whole = this.#received
    this.#received = ""
    const answer = {
      status: Number(whole.slice(9, 12)),
      head: whole.slice(0, bodyAt),
      body: whole.slice(bodyAt),
    }
    const verdict = this.#judge(answer)
    if (verdict.verdict === "wrong") return this.#fail(whole)
    if (verdict.verdict === "then") return this.#send(verdict.step)
    this.#measured.latencies.push(performance.now() - this.#begunAt)
    this.#measured.sample ??= answer
    this.#begin()
  }

  #fail(received: string): void {
    this.#measured.failures.push(received.slice(0, 600))
    this.#socket.end()
  }
}
