/** A Go program in its own process. It is talked to in lines. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { environmentWith, type Span } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"

export class GoProgram {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #lines: string[] = []
  #errors = ""

  /** Starts the program. It is killed when `span` ends. */
  constructor(
    span: Span,
    file: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ) {
    this.#child = spawn(file, args, { env: environmentWith(environment) })
    span.after(() => this.#child.kill("SIGKILL"))
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#lines.push(line))
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#errors += text))
  }

  get errors(): string {
    return this.#errors
  }

  say(...lines: readonly string[]): void {
    this.#child.stdin.write(lines.map((line) => `${line}\n`).join(""))
  }

  /** Closes the input. The program then ends by itself. */
  end(): void {
    this.#child.stdin.end()
  }

  /** Returns the next line that the program prints. */
  async line(patience = 30_000): Promise<string> {
    const isOver = () => this.#child.exitCode !== null
    await until(() => this.#lines.length > 0 || isOver(), "the program prints a line", patience)
    const line = this.#lines.shift()
    if (line === undefined) throw new Error(`the program has ended: ${this.#errors}`)
    return line
  }

  /** Returns the next line as JSON. */
  async value<T>(patience?: number): Promise<T> {
    return JSON.parse(await this.line(patience)) as T
  }

  /** Says a line and returns the answer. */
  async asked<T>(line: string): Promise<T> {
    this.say(line)
    return this.value<T>()
  }
}
