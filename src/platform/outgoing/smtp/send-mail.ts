/**
 * Sends one mail over SMTP. The addresses were parsed before (`email-address.rules.ts`), so nodemailer gets objects and
 * parses no text. Files and URLs are never read. One deadline covers the whole attempt.
 */
import type { Sent } from "./sent.rules.ts"
import type { SmtpServer } from "./smtp-url.rules.ts"

export type MailConfig = {
  readonly server: SmtpServer
  readonly from: string
  /** The sender's name. If it is null, the name of the appearance is used. */
  readonly name: string | null
  /** Certificates of an additional authority, as PEM. */
  readonly certificates: string | null
}

export type OutgoingMail = {
  /** The same mail has the same id in every attempt, so that mail programs can drop a duplicate. */
  readonly id: string
  readonly to: string
  /** The sender's name. */
  readonly sender: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export type SendMail = (mail: OutgoingMail) => Promise<Sent>

/** The deadline of an attempt. A claim of the outbox lasts longer. */
export const SEND_SECONDS_AT_MOST = 60

type SendLimits = { readonly connectMs: number; readonly silenceMs: number; readonly wholeMs: number }

const LIMITS: SendLimits = { connectMs: 10_000, silenceMs: 20_000, wholeMs: SEND_SECONDS_AT_MOST * 1000 }

/** Loads the library at the first mail. */
export function mailerOf(config: MailConfig, limits: SendLimits = LIMITS): SendMail {
  return async (mail) => {
    const { createTransport } = await import("nodemailer")
    const transport = createTransport(await transportOptions(config, limits))
    // Without this deadline, a server that answers one byte at a time would never time out.
    const signal = AbortSignal.timeout(limits.wholeMs)
    try {
      await transport.sendMail({ ...messageOf(config, mail), signal })
      return { outcome: "sent" }
    } catch (error) {
      return failureOf(error as SmtpError, config.server.login)
    } finally {
      transport.close()
    }
  }
}

async function transportOptions({ server, certificates }: MailConfig, { connectMs, silenceMs }: SendLimits) {
  const { host, port, tls, login } = server
  const { getCACertificates } = await import("node:tls")
  return {
    host,
    port,
    secure: tls === "from-the-start",
    requireTLS: tls === "required",
    ignoreTLS: tls === "off",
    ...(login !== null && { auth: { user: login.user, pass: login.password } }),
    tls: {
      minVersion: "TLSv1.2" as const,
      ...(certificates !== null && { ca: [...getCACertificates("default"), certificates] }),
    },
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    dnsTimeout: connectMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function messageOf({ from }: MailConfig, { id, to, sender, subject, text, html }: OutgoingMail) {
  return {
    from: { name: sender, address: from },
    to: { name: "", address: to },
    envelope: { from, to: [to] },
    messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    subject,
    text,
    html,
    headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

type SmtpError = Error & {
  readonly code?: string
  /** The code of the network or of TLS, such as ECONNREFUSED. */
  readonly originalCode?: string
  readonly responseCode?: number
  readonly command?: string
}

/**
 * Describes a failure by its codes alone. The text of the server may repeat the recipient's address, so only `detail` has
 * it, which is never logged. A refused sender or login is a mistake of the configuration, so the mail is tried again.
 */
function failureOf(
  { code = "unknown", originalCode, responseCode, command = "API", message }: SmtpError,
  login: SmtpServer["login"],
): Sent {
  const at = command === "API" ? "" : ` at ${command}`
  const answer = responseCode === undefined ? "" : ` (${responseCode})`
  const problem = `${originalCode ?? code}${at}${answer}`
  const isOfMail = command === "RCPT TO" || command === "DATA"
  const isPermanent = isOfMail && responseCode !== undefined && responseCode >= 500
  return {
    outcome: isPermanent ? "refused" : "failed",
    problem,
    detail: withoutLogin(isNoTls(message) ? NO_TLS : message, login),
  }
}

/** OpenSSL met plain text where TLS should begin. */
function isNoTls(message: string): boolean {
  return /wrong version number|packet length too long|unknown protocol/i.test(message)
}

const NO_TLS =
  "the server speaks no TLS at the start of a connection. Use smtp:// for STARTTLS, usually on port 587; smtps:// is for port 465"

/** A server may repeat a line that it does not know, and the line may have the password. */
function withoutLogin(text: string, login: SmtpServer["login"]): string {
  if (login === null) return text
  const { user, password } = login
  const base64 = (secret: string) => Buffer.from(secret).toString("base64")
  const forms = [base64(`\0${user}\0${password}`), base64(password), password]
  return forms.reduce((rest, form) => (form === "" ? rest : rest.replaceAll(form, "…")), text)
}
