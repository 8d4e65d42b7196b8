/**
 * Sends the mails of the outbox. Every node may run a sender, because a claim gives each mail to one node for a time. A
 * node that stops in the middle loses its claim, and another node sends the mail, possibly a second time. MAIL-4, MAIL-6.
 */
import { setTimeout as pause } from "node:timers/promises"
import type { ClaimedMail } from "../../model/mail/mail.rules.ts"
import { readAppearance } from "../../model/appearance.rules.ts"
import { decided } from "../../model/change.rules.ts"
import type { Services } from "../services/services.ts"
import { settings } from "../../model/setting.rules.ts"
import { composeMail } from "./compose.ts"
import { decideOutcome, isTooOld } from "./outbox.rules.ts"
import { type MailConfig, mailerOf, type SendMail, SEND_SECONDS_AT_MOST } from "../outgoing/smtp/send-mail.ts"
import type { Sent } from "../outgoing/smtp/sent.rules.ts"

/** When the service stops, mails that are being sent get this long. */
const STOP_MILLISECONDS = 5000
const EVERY_MILLISECONDS = 1000
/** The mails that one node sends at a time. */
const TOGETHER_AT_MOST = 4
const LEASE_SECONDS = 2 * SEND_SECONDS_AT_MOST

type Needs = Pick<Services, "store" | "clock" | "keys" | "log" | "issuer" | "languages">

export class MailSender {
  readonly #services: Needs
  /** The name of the configuration file, which wins over the one of the appearance. */
  readonly #operator: string | null
  readonly #send: SendMail
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #running: Promise<number> | null = null
  /** Whether a mail was queued since the current round began. */
  #isAsked = false

  constructor(services: Needs, config: MailConfig, send: SendMail = mailerOf(config)) {
    this.#services = services
    this.#operator = config.name
    this.#send = send
  }

  /** Starts to look for due mails once a second. Returns the function that stops it. */
  start(): () => void {
    this.#schedule()
    return () => {
      this.#isOver = true
      clearTimeout(this.#timer)
    }
  }

  /** Resolves when no mail is being sent, so that none of them is sent a second time. Waits a few seconds at most. */
  async idle(): Promise<void> {
    const running = this.#running
    if (running === null) return
    await Promise.race([running.catch(() => 0), pause(STOP_MILLISECONDS, undefined, { ref: false })])
  }

  /** Sends newly queued mails at once. Does nothing before `start`. */
  wake(): void {
    this.#isAsked = true
    if (this.#timer === undefined || this.#isOver || this.#running !== null) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#round(), 0).unref()
  }

  /** Sends every mail that is due. Returns the number of attempts. */
  deliver(isOver: () => boolean = () => false): Promise<number> {
    this.#running ??= this.#deliverAll(isOver).finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #round(): Promise<void> {
    try {
      await this.deliver(() => this.#isOver)
    } catch (err) {
      if (!this.#isOver) this.#services.log.error({ err }, "the outbox failed; it will be retried")
    }
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isOver) return
    const wait = this.#isAsked ? 0 : EVERY_MILLISECONDS
    this.#isAsked = false
    this.#timer = setTimeout(() => void this.#round(), wait).unref()
  }

  async #deliverAll(isOver: () => boolean): Promise<number> {
    const { store, clock } = this.#services
    let attempts = 0
    while (!isOver()) {
      const now = clock.now()
      const mails = await store.claimMails(now, now + LEASE_SECONDS, TOGETHER_AT_MOST)
      await Promise.all(mails.map((mail) => this.#deliverOne(mail)))
      attempts += mails.length
      if (mails.length < TOGETHER_AT_MOST) break
    }
    return attempts
  }

  async #deliverOne(mail: ClaimedMail): Promise<void> {
    const { store, clock, log } = this.#services
    const { mailId, kind, tries } = mail
    const sent = await this.#attempt(mail)
    const outcome = decideOutcome(mail, sent, clock.now())
    // The recipient's address and the text of the server stay out of the log.
    if (outcome.outcome === "sent") log.debug({ mailId, kind, tries }, "a mail was sent")
    else {
      const { problem } = outcome
      const text =
        outcome.outcome === "dropped" ? "a mail was given up" : "a mail was not sent; it will be retried"
      log.warn({ mailId, kind, tries, problem }, text)
    }
    await store.change({}, () => decided(null, { change: "mailSettled", mailId, tries, outcome }))
  }

  async #attempt(mail: ClaimedMail): Promise<Sent> {
    if (isTooOld(mail, this.#services.clock.now()))
      return { outcome: "refused", problem: "expired", detail: "the mail expired before it could be sent" }
    const { store, languages } = this.#services
    const [stored, { account }] = await Promise.all([store.settings(), store.read({ account: mail.userId })])
    const texts = languages.choose([
      mail.language ?? account?.language ?? "",
      stored.get(settings.defaultLanguage.key) ?? "",
    ])
    const operator = this.#operator ?? readAppearance(stored).name
    const composed = await composeMail(this.#services, mail, operator, texts)
    if (composed === null)
      return { outcome: "refused", problem: "unreadable link", detail: "the service has another secret" }
    return this.#send(composed)
  }
}
