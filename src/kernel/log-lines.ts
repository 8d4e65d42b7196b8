/**
 * Where the lines of the log go. They are gathered for a moment and written behind the requests that they tell of. A
 * destination that takes nothing (a full disk, a reader that is gone or does not read) costs lines and nothing else: the
 * service goes on, and says how many are missing once it can.
 */
import { write, writeSync } from "node:fs"

const GATHERED_LENGTH = 8 * 1024
const GATHERED_MILLISECONDS = 100
const UNREAD_LENGTH_AT_MOST = 8 * 1024 * 1024

/** At the end of the process nobody waits longer than this for a reader. */
const LAST_TRIES = 20
const LAST_PAUSE_MILLISECONDS = 10

/** Nothing is wrong with a pipe that is full for now. */
const NOT_NOW: ReadonlySet<string | undefined> = new Set(["EAGAIN", "EBUSY", "EINTR"])

export class LogLines {
  readonly #descriptor: number
  #gathered = ""
  /** What is being written; its front goes as the destination takes it. */
  #writing: Buffer | null = null
  /** How much of it tells what is missing, and how many lines that says. */
  #tellingLength = 0
  #told = 0
  #isTimed = false
  /** Lines that are missing, and of which nothing tells yet. */
  #lost = 0
  #isWithinLine = false
  /** The destination ends within a line, the rest of which is lost. */
  #isTorn = false

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  write(line: string): void {
    if (this.#gathered.length + line.length > UNREAD_LENGTH_AT_MOST) {
      this.#lost++
      return
    }
    this.#gathered += line
    if (this.#gathered.length >= GATHERED_LENGTH) this.#begin()
    else this.#later()
  }

  /** Begins to write what there is. */
  flush(): void {
    this.#begin()
  }

  /** Writes what there is before it returns, as far as it is taken. Never throws. */
  flushSync(): void {
    this.#writing = Buffer.concat([this.#writing ?? Buffer.alloc(0), this.#take()])
    for (let tries = 0; this.#writing.length > 0 && tries < LAST_TRIES;) {
      try {
        this.#taken(writeSync(this.#descriptor, this.#writing))
      } catch (error) {
        if (!isNotNow(error)) break
        tries++
        Atomics.wait(pause, 0, 0, LAST_PAUSE_MILLISECONDS)
      }
    }
    if (this.#writing.length > 0) this.#lose(this.#writing)
    this.#writing = null
  }

  #later(): void {
    if (this.#isTimed) return
    this.#isTimed = true
    setTimeout(() => {
      this.#isTimed = false
      this.#begin()
    }, GATHERED_MILLISECONDS).unref()
  }

  #begin(): void {
    if (this.#writing !== null || this.#gathered === "") return
    this.#writing = this.#take()
    this.#goOn(this.#writing)
  }

  #goOn(rest: Buffer): void {
    write(this.#descriptor, rest, (error, count) => {
      // Somebody who could not wait came first, and wrote it.
      if (this.#writing !== rest) return
      if (error === null) this.#taken(count)
      else if (!isNotNow(error)) this.#lose(rest)
      else return void setTimeout(() => this.#goOn(rest), GATHERED_MILLISECONDS).unref()
      if (this.#writing.length > 0) return this.#goOn(this.#writing)
      this.#writing = null
      if (this.#gathered !== "") this.#later()
    })
  }

  #taken(count: number): void {
    if (this.#writing === null) return
    if (count > 0) this.#isWithinLine = this.#writing[count - 1] !== NEWLINE
    this.#writing = this.#writing.subarray(count)
    this.#tellingLength = Math.max(0, this.#tellingLength - count)
  }

  #lose(rest: Buffer): void {
    for (const byte of rest.subarray(this.#tellingLength)) if (byte === NEWLINE) this.#lost++
    if (this.#tellingLength > 0) this.#lost += this.#told
    this.#tellingLength = 0
    this.#isTorn = this.#isWithinLine
    this.#writing = Buffer.alloc(0)
  }

  /** All that was gathered; before it, what is missing. */
  #take(): Buffer {
    const telling = (this.#isTorn ? "\n" : "") + this.#missing()
    const lines = Buffer.from(telling + this.#gathered)
    this.#tellingLength = telling.length
    this.#told = this.#lost
    this.#lost = 0
    this.#gathered = ""
    this.#isTorn = false
    return lines
  }

  #missing(): string {
    if (this.#lost === 0) return ""
    const line = {
      level: 40,
      time: new Date().toISOString(),
      lost: this.#lost,
      msg: "lines of the log were lost",
    }
    return `${JSON.stringify(line)}\n`
  }
}

const NEWLINE = 10
const pause = new Int32Array(new SharedArrayBuffer(4))

function isNotNow(error: unknown): boolean {
  return NOT_NOW.has((error as NodeJS.ErrnoException).code)
}
