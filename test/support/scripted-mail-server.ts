/** A mail server that answers each command as a test says, and counts its connections. */
import { once } from "node:events"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import type { MailConfig } from "../../src/platform/outgoing/smtp/send-mail.ts"
import type { SmtpServer } from "../../src/platform/outgoing/smtp/smtp-url.rules.ts"

/** Returns the response to a command. The first command is empty: the greeting. Null leaves the client waiting. */
export type Script = (command: string) => string | null

const ACCEPTS: Readonly<Record<string, string>> = {
  "": "220 test",
  EHLO: "250 AUTH PLAIN",
  MAIL: "250 ok",
  RCPT: "250 ok",
  DATA: "354 go on",
  ".": "250 queued",
  QUIT: "221 bye",
}

/** Accepts every mail, except for the verbs that a test names. */
export function accepting(differing: Readonly<Record<string, string | null>>): Script {
  return (command) => {
    const verb = command.split(" ")[0]?.toUpperCase() ?? ""
    const known: string | null | undefined = verb in differing ? differing[verb] : ACCEPTS[verb]
    return known === undefined ? "502 not known" : known
  }
}

export class ScriptedMailServer {
  readonly commands: string[] = []
  /** The most connections that were open at the same time. */
  mostOpen = 0
  readonly #server: Server
  readonly #open = new Set<Socket>()
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = []

  private constructor(script: Script) {
    this.#server = createServer((socket) => this.#serve(socket, script))
  }

  static async open(script: Script): Promise<ScriptedMailServer> {
    const opened = new ScriptedMailServer(script)
    opened.#server.listen(0, "127.0.0.1")
    await once(opened.#server, "listening")
    return opened
  }

  config(server: Partial<SmtpServer> = {}): MailConfig {
    const { port } = this.#server.address() as AddressInfo
    return {
      from: "id@example.org",
      name: "Example Club",
      certificates: null,
      server: { host: "127.0.0.1", port, tls: "off", login: null, ...server },
    }
  }

  /** Resolves when `count` connections are open. */
  connected(count: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ count, resolve })
      this.#wake()
    })
  }

  /** Sends a line to every client. */
  say(line: string): void {
    for (const socket of this.#open) socket.write(`${line}\r\n`)
  }

  cutOff(): void {
    for (const socket of this.#open) socket.destroy()
  }

  async close(): Promise<void> {
    this.#server.close()
    this.cutOff()
    await once(this.#server, "close")
  }

  #wake(): void {
    for (const { count, resolve } of this.#waiting) if (this.#open.size >= count) resolve()
  }

  #serve(socket: Socket, script: Script): void {
    this.#open.add(socket)
    this.mostOpen = Math.max(this.mostOpen, this.#open.size)
    this.#wake()
    socket.on("close", () => this.#open.delete(socket)).on("error", () => undefined)
    const answer = (command: string) => {
      this.commands.push(command)
      const text = script(command)
      if (text !== null) socket.write(`${text}\r\n`)
    }
    let isData = false
    let rest = ""
    socket.on("data", (chunk) => {
      const lines = (rest + chunk.toString()).split("\r\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        if (isData && line !== ".") continue
        isData = /^data$/i.test(line) && script(line)?.startsWith("354") === true
        answer(line)
      }
    })
    answer("")
  }
}
