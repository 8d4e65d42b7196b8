/** Runs the mail server of aiosmtpd, which is not by the makers of the library that sends. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { selfSigned } from "../../test/support/certificate.ts"

const AIOSMTPD = "aiosmtpd==1.4.6"
const MINUTES = 5 * 60_000

export const SMTP_LOGIN = "id:p%2Fss%20word"

/** A mail as Python's own parser reads it. */
export type Taken = {
  readonly tls: boolean
  readonly login: string | null
  readonly sender: string
  readonly recipients: readonly string[]
  readonly id: string
  /** Each with its name. */
  readonly from: readonly string[]
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: number
  readonly defects: readonly string[]
  readonly longest: number
  readonly is_ascii: boolean
}

/** Returns the interpreter of a new environment with the server. */
export function installReceiver(work: string): string {
  const dir = join(work, "venv")
  const python = join(dir, "bin/python")
  for (const [file = "", ...args] of [
    ["python3", "-m", "venv", dir],
    [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", AIOSMTPD],
  ]) {
    const { status, stderr } = spawnSync(file, args, { encoding: "utf8", timeout: MINUTES })
    if (status !== 0) throw new Error(`${AIOSMTPD} cannot be installed: ${stderr}`)
  }
  return python
}

export type Mode = "starttls" | "implicit"

export class Receiver {
  readonly taken: Taken[] = []
  readonly mode: Mode
  readonly #python: string
  readonly #host: string
  readonly #work: string
  #port = 0
  #child: ChildProcess | null = null
  readonly #begun: (() => void)[] = []

  /** `host` is in the certificate, which is written to `ca.pem` in `work`. */
  constructor(python: string, work: string, host: string, mode: Mode) {
    this.#python = python
    this.#work = work
    this.#host = host
    this.mode = mode
    const { key, cert } = selfSigned(host)
    writeFileSync(this.certificate, cert)
    writeFileSync(join(work, "key.pem"), key)
  }

  get certificate(): string {
    return join(this.#work, "ca.pem")
  }

  get url(): string {
    return `${this.mode === "implicit" ? "smtps" : "smtp"}://${SMTP_LOGIN}@${this.#host}:${this.#port}`
  }

  /** Listens on the same port as before, if there was one. */
  async start(): Promise<void> {
    const script = join(import.meta.dirname, "receiver.py")
    const place = [this.#host, String(this.#port), this.certificate, join(this.#work, "key.pem"), this.mode]
    const child = spawn(this.#python, ["-W", "ignore", script, ...place], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    this.#child = child
    const started = Promise.withResolvers<void>()
    child.once("close", () => started.reject(new Error("the mail server ended")))
    createInterface({ input: child.stdout }).on("line", (line) => {
      const said = JSON.parse(line) as Taken | { readonly port: number } | { readonly begun: true }
      if ("begun" in said) return this.#begun.splice(0).forEach((wake) => wake())
      if (!("port" in said)) return void this.taken.push(said)
      this.#port = said.port
      started.resolve()
    })
    await started.promise
  }

  /** Resolves when the next mail is being sent, but has not come. */
  sending(): Promise<void> {
    return new Promise((resolve) => this.#begun.push(resolve))
  }

  /** With SIGSTOP, connections open and nothing answers. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child?.kill(signal)
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await once(child, "close")
  }
}
