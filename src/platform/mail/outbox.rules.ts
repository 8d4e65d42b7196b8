import type { ClaimedMail, MailOutcome } from "../../model/mail/mail.rules.ts"
import { isPast, MINUTE } from "../../kernel/time.ts"
import type { Sent } from "../outgoing/smtp/sent.rules.ts"

const FIRST_PAUSE_SECONDS = 30
const PAUSE_SECONDS_AT_MOST = 15 * MINUTE

/** The pause doubles after each attempt, up to a quarter of an hour. A greylisting server accepts the mail later. */
function pauseAfter(tries: number): number {
  return Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(tries - 1, 10), PAUSE_SECONDS_AT_MOST)
}

export function decideOutcome(mail: ClaimedMail, sent: Sent, now: number): MailOutcome {
  if (sent.outcome === "sent") return { outcome: "sent", at: now }
  const { problem } = sent
  const nextTryAt = now + pauseAfter(mail.tries)
  return sent.outcome === "refused" || isPast(mail.expiresAt, nextTryAt)
    ? { outcome: "dropped", at: now, problem }
    : { outcome: "deferred", nextTryAt, problem }
}

/** Whether a mail is too old to be sent. Its link may not work any more. */
export function isTooOld(mail: Pick<ClaimedMail, "expiresAt">, now: number): boolean {
  return isPast(mail.expiresAt, now)
}
