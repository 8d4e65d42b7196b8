/** The pages of e-mail and recovery, and the mails themselves, with sample data. */
import { english, samplePage } from "../test/support/page-input.ts"
import { renderEmail } from "../src/accounts/email/email.view.ts"
import {
  renderLinkGone,
  renderLinkOfAnother,
  renderLinkQuestion,
  renderLinkUsed,
} from "../src/accounts/email/link.view.ts"
import {
  renderAskForLink,
  renderLinkOnItsWay,
  renderNewPasswordByLink,
  renderProofForLink,
  renderRecoveryWithoutMail,
} from "../src/accounts/recovery/recovery.view.ts"
import type { MailId, UserId } from "../src/kernel/ids.ts"
import { renderMails } from "../src/admin/mail/mail.view.ts"
import { messageOf, testMessage } from "../src/platform/mail/messages/message.ts"
import { htmlOf } from "../src/platform/mail/messages/render.ts"
import { mailKinds } from "../src/model/mail/mail.rules.ts"

const page = samplePage()
const csrf = "csrf"
const link = "Zm9yIHNhbXBsZXMgb25seSwgb2YgMjU2IGJpdHMgaW4gYWxs"
const operator = "Example Club"
const address = "ada.lovelace.of.the.analytical.engine@mathematics.example.org"

const email = { ...page, csrf, username: "ada", admin: false, sendsMail: true, current: null }
const shown = { sentTo: null, typed: "", problem: null, later: null }

const facts = {
  operator,
  baseUrl: "https://id.example.org",
  when: "25 November 2026, 04:25:00 UTC",
  networkAddress: "2001:db8:1234:5678:9abc:def0:1234:5678",
  app: { known: "host", app: "paperclip.example" } as const,
  secret: link,
}

const onTheWay = { ...page, continueTo: null }

const accepts = { totp: true, recovery: true, password: false }

export const mailPages: Readonly<Record<string, string>> = {
  "email-none": renderEmail({ ...email, ...shown }),
  "email-sent": renderEmail({ ...email, ...shown, current: address, sentTo: "new@example.org" }),
  "email-problem": renderEmail({
    ...email,
    ...shown,
    current: address,
    typed: "ada",
    problem: "That is not an e-mail address such as alice@example.org.",
  }),
  "email-off": renderEmail({ ...email, ...shown, sendsMail: false }),
  "email-confirm": renderLinkQuestion({
    ...page,
    action: "/email/confirm",
    csrf,
    purpose: "confirm-address",
    link,
    address,
    username: "ada",
  }),
  "email-restore": renderLinkQuestion({
    ...page,
    action: "/email/restore",
    csrf,
    purpose: "restore-address",
    link,
    address,
    username: "ada",
  }),
  "email-confirmed": renderLinkUsed({ ...page, used: "confirmed" }),
  "email-restored": renderLinkUsed({ ...page, used: "restored" }),
  "email-taken": renderLinkUsed({ ...page, used: "taken" }),
  "email-of-another": renderLinkOfAnother({
    ...page,
    csrf,
    continueTo: "sealed",
    username: "ada",
    signedInAs: "bob",
  }),
  "link-gone": renderLinkGone({ ...page, of: "gone", signIn: "/sign-in" }),
  recover: renderAskForLink({ ...onTheWay, csrf, typed: "", problem: null, later: null }),
  "recover-problem": renderAskForLink({
    ...onTheWay,
    csrf,
    typed: "ada",
    problem: null,
    later: page.texts.html("recover.throttled", { unit: "minutes", count: 40 }),
  }),
  "recover-sent": renderLinkOnItsWay(onTheWay),
  "recover-off": renderRecoveryWithoutMail(onTheWay),
  "recover-code": renderProofForLink({
    ...onTheWay,
    csrf,
    link,
    proof: { accepts, passkey: null, problem: { problem: "wrong" } },
  }),
  "recover-password": renderNewPasswordByLink({
    ...onTheWay,
    csrf,
    link,
    ticket: "",
    username: "ada",
    problem: null,
  }),
  "console-mail": renderMails({
    ...page,
    csrf,
    username: "ada",
    done: null,
    sender: { server: "mail.example.org:587", from: "id@example.org" },
    backlog: { waiting: 2, failing: 1, oldestAt: 1_773_300_000, sent: 41, dropped: 1 },
    mails: mailKinds.slice(0, 3).map((kind, at) => ({
      mailId: `${at}` as MailId,
      userId: "01jnq" as UserId,
      account: { userId: "01jnq", username: "grace" },
      kind,
      at: 1_773_300_000,
      tries: at,
      nextTryAt: at === 2 ? null : 1_773_300_060,
      problem: at === 0 ? null : at === 1 ? "ECONNECTION at CONN" : "EENVELOPE at RCPT TO (550)",
    })),
  }),
  ...Object.fromEntries(
    mailKinds.map((kind) => [`mail-${kind}`, htmlOf(messageOf(english, kind, facts), operator)]),
  ),
  "mail-address-changed-by-operator": htmlOf(
    messageOf(english, "address-changed", { ...facts, secret: null }),
    operator,
  ),
  "mail-test": htmlOf(testMessage(facts), operator),
}
