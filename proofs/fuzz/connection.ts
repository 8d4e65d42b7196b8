/** One connection to the service. Bytes are sent unchanged, and responses are read in order. */
import { connect, type Socket } from "node:net"
import { type Answer, AnswerReader } from "./answer.ts"

export class Connection {
  readonly socket: Socket
  readonly reader = new AnswerReader()
  isOver = false
  error: string | null = null
  #wake: () => void = () => undefined

  private constructor(socket: Socket) {
    this.socket = socket
    socket.setNoDelay(true)
    socket.on("data", (chunk: Buffer) => {
      this.reader.feed(chunk)
      this.#wake()
    })
    socket.on("error", (error: NodeJS.ErrnoException) => (this.error = error.code ?? error.message))
    // Bytes after the end are not one of its responses.
    socket.on("end", () => this.#over())
    socket.on("close", () => this.#over())
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true }, () => {
        socket.off("error", reject)
        resolve(new Connection(socket))
      })
      socket.once("error", reject)
    })
  }

  write(bytes: string): void {
    if (!this.socket.destroyed) this.socket.write(bytes, "latin1")
  }

  /**
   * Returns the next response. Returns null if the connection ends first, and undefined if nothing arrives for
   * `milliseconds`.
   */
  async answer(method: string, milliseconds: number): Promise<Answer | null | undefined> {
    for (;;) {
      const answer = this.reader.next(method)
      if (answer !== null) return answer
      if (this.isOver) return null
      if (!(await this.#something(milliseconds))) return undefined
    }
  }

  /** Returns whether the other side ended the connection within `milliseconds`. */
  async ended(milliseconds: number): Promise<boolean> {
    const until = performance.now() + milliseconds
    while (!this.isOver) {
      const left = until - performance.now()
      if (left <= 0) return false
      await this.#something(left)
    }
    return true
  }

  close(): void {
    this.socket.destroy()
  }

  #over(): void {
    this.isOver = true
    this.#wake()
  }

  /** Waits for the next event on the connection. Resolves with false if none arrives in time. */
  #something(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), milliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        resolve(true)
      }
    })
  }
}
