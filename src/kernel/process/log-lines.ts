/**
 * Writes the log. Lines are buffered for up to 100 ms, so that requests do not wait for the log. If the disk is full or
 * a pipe has no reader, lines are lost and the service continues. The number of lost lines is logged when writing works
 * again.
 */
import { write, writeSync } from "node:fs"

const BUFFER_LENGTH = 8 * 1024
const BUFFER_MS = 100
const MAX_BUFFER_LENGTH = 8 * 1024 * 1024

/** The number of attempts at exit. Together they wait at most 200 ms for a slow reader. */
const LAST_TRIES = 20
const LAST_PAUSE_MS = 10

/** The error codes of a pipe that is temporarily full. */
const RETRYABLE: ReadonlySet<string | undefined> = new Set(["EAGAIN", "EBUSY", "EINTR"])

export class LogLines {
  readonly #descriptor: number
  #buffer = ""
  /** The bytes that are being written. Bytes that were accepted are removed. */
  #writing: Buffer | null = null
  /** The length of the notice still unwritten at the start of `#writing`, and the number of lost lines in it. */
  #noticeLength = 0
  #noticeCount = 0
  #isTimerSet = false
  /** The number of lost lines that no notice has reported yet. */
  #lost = 0
  #isWithinLine = false
  /** Whether the last line of the output is incomplete, because its end was lost. */
  #isTorn = false

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  write(line: string): void {
    if (this.#buffer.length + line.length > MAX_BUFFER_LENGTH) {
      this.#lost++
      return
    }
    this.#buffer += line
    if (this.#buffer.length >= BUFFER_LENGTH) this.#startWriting()
    else this.#startTimer()
  }

  flush(): void {
    this.#startWriting()
  }

  /** Writes everything synchronously. Gives up after 200 ms if the destination accepts nothing. Never throws. */
  flushSync(): void {
    this.#writing = Buffer.concat([this.#writing ?? Buffer.alloc(0), this.#takeBuffer()])
    for (let tries = 0; this.#writing.length > 0 && tries < LAST_TRIES;) {
      try {
        this.#written(writeSync(this.#descriptor, this.#writing))
      } catch (error) {
        if (!isRetryable(error)) break
        tries++
        Atomics.wait(pause, 0, 0, LAST_PAUSE_MS)
      }
    }
    if (this.#writing.length > 0) this.#dropRest(this.#writing)
    this.#writing = null
  }

  #startTimer(): void {
    if (this.#isTimerSet) return
    this.#isTimerSet = true
    setTimeout(() => {
      this.#isTimerSet = false
      this.#startWriting()
    }, BUFFER_MS).unref()
  }

  #startWriting(): void {
    if (this.#writing !== null || this.#buffer === "") return
    this.#writing = this.#takeBuffer()
    this.#writeRest(this.#writing)
  }

  #writeRest(rest: Buffer): void {
    write(this.#descriptor, rest, (error, count) => {
      // `flushSync` has written this buffer in the meantime.
      if (this.#writing !== rest) return
      if (error === null) this.#written(count)
      else if (!isRetryable(error)) this.#dropRest(rest)
      else return void setTimeout(() => this.#writeRest(rest), BUFFER_MS).unref()
      if (this.#writing.length > 0) return this.#writeRest(this.#writing)
      this.#writing = null
      if (this.#buffer !== "") this.#startTimer()
    })
  }

  #written(count: number): void {
    if (this.#writing === null) return
    if (count > 0) this.#isWithinLine = this.#writing[count - 1] !== NEWLINE
    this.#writing = this.#writing.subarray(count)
    this.#noticeLength = Math.max(0, this.#noticeLength - count)
  }

  #dropRest(rest: Buffer): void {
    for (const byte of rest.subarray(this.#noticeLength)) if (byte === NEWLINE) this.#lost++
    if (this.#noticeLength > 0) this.#lost += this.#noticeCount
    this.#noticeLength = 0
    this.#isTorn = this.#isWithinLine
    this.#writing = Buffer.alloc(0)
  }

  /** Returns the buffer, with a notice of lost lines before it. */
  #takeBuffer(): Buffer {
    const notice = (this.#isTorn ? "\n" : "") + this.#notice()
    const lines = Buffer.from(notice + this.#buffer)
    this.#noticeLength = notice.length
    this.#noticeCount = this.#lost
    this.#lost = 0
    this.#buffer = ""
    this.#isTorn = false
    return lines
  }

  #notice(): string {
    if (this.#lost === 0) return ""
    const line = {
      level: 40,
      time: new Date().toISOString(),
      lost: this.#lost,
      msg: "log lines were lost",
    }
    return `${JSON.stringify(line)}\n`
  }
}

const NEWLINE = 10
const pause = new Int32Array(new SharedArrayBuffer(4))

function isRetryable(error: unknown): boolean {
  return RETRYABLE.has((error as NodeJS.ErrnoException).code)
}
