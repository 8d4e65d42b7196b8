/** A real SMTP server in this process, and the mails that it accepted. */
import type { AddressInfo } from "node:net"
import { type ParsedMail, simpleParser } from "mailparser"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import type { MailConfig } from "../../src/platform/outgoing/smtp/send-mail.ts"
import type { SmtpServer } from "../../src/platform/outgoing/smtp/smtp-url.rules.ts"

export type Received = ParsedMail & {
  readonly recipients: readonly string[]
  readonly isEncrypted: boolean
  readonly user: string | null
}

/** Returns an error that the server answers with `code`. */
export function smtpError(code: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code })
}

export class MailServer {
  readonly mails: Received[] = []
  /** Called for every recipient. An error refuses the recipient. */
  refuse: (address: string) => Error | null = () => null
  readonly #server: SMTPServer
  #waiting: (() => void)[] = []

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      disabledCommands: options.onAuth === undefined ? ["AUTH"] : [],
      ...(options.key === undefined && { hideSTARTTLS: true }),
      ...options,
      onRcptTo: ({ address }, _, done) => done(this.refuse(address)),
      onData: (stream, session, done) => {
        simpleParser(stream).then(
          (mail) => {
            const recipients = session.envelope.rcptTo.map(({ address }) => address)
            const user = typeof session.user === "string" ? session.user : null
            this.mails.push({ ...mail, recipients, isEncrypted: session.secure, user })
            done()
            for (const wake of this.#waiting.splice(0)) wake()
          },
          (error: Error) => done(error),
        )
      },
    })
    this.#server.on("error", () => undefined)
  }

  static async open(options: SMTPServerOptions = {}): Promise<MailServer> {
    const opened = new MailServer(options)
    await new Promise<void>((resolve) => opened.#server.listen(0, "127.0.0.1", () => resolve()))
    return opened
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port
  }

  config(
    differing: Partial<Omit<MailConfig, "server">> & { readonly server?: Partial<SmtpServer> } = {},
  ): MailConfig {
    return {
      from: "id@example.org",
      name: "Example Club",
      certificates: null,
      ...differing,
      server: { host: "127.0.0.1", port: this.port, tls: "off", login: null, ...differing.server },
    }
  }

  /** Resolves when `count` mails were accepted. */
  async received(count: number): Promise<readonly Received[]> {
    while (this.mails.length < count) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.mails
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}

/** Returns the path and query of the link to `path` in a mail. */
export function linkIn({ text = "" }: Pick<Received, "text">, path: string): string {
  const found = text.split(/\s+/).find((word) => word.includes(`${path}?link=`))
  if (found === undefined) throw new Error(`the mail has no link to ${path}: ${text}`)
  const { pathname, search } = new URL(found)
  return pathname + search
}
