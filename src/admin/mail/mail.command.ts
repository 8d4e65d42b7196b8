/** The command that tries the configuration of e-mail. */
import { type Config, readConfig } from "../../platform/config/config.ts"
import { type Answer, command, done, refused, usageError } from "../../platform/cli/command.ts"
import { baseUrlFlag, baseUrlForLinks } from "../../platform/cli/base-url-flag.ts"
import { withStore } from "../../platform/cli/open.ts"
import { isAbsent } from "../../platform/config/open-store.ts"
import type { Store } from "../../store/store.ts"
import { systemClock } from "../../kernel/clock.ts"
import type { MailId } from "../../kernel/ids.ts"
import { newId } from "../../kernel/random.ts"
import { parseEmailAddress } from "../../model/mail/email-address.rules.ts"
import { exactInstant } from "../../platform/ui/instant.ts"
import { ENGLISH } from "../../platform/languages/languages.ts"
import { outgoing } from "../../platform/mail/compose.ts"
import { readAppearance } from "../../model/appearance.rules.ts"
import { testMessage } from "../../platform/mail/messages/message.ts"
import { type MailConfig, mailerOf } from "../../platform/outgoing/smtp/send-mail.ts"

const test = command({
  name: "mail test",
  summary: "Send a test mail with the configured server",
  operands: ["ADDRESS"],
  flags: { "base-url": baseUrlFlag },
  notes: ["Sends at once, beside the outbox. If the server refuses, its own words are shown."],
  example: "latchkey mail test alice@example.org",
  run: async ({ flags, operands: [text], globals }): Promise<Answer> => {
    const address = parseEmailAddress(text)
    if (!address.ok) return usageError(address.error)
    const config = await readConfig(globals)
    if (!config.ok) return refused(...config.error)
    const { mail } = config.value
    if (mail === null)
      return refused("E-mail is not configured. Add mail: {smtp_url: …, from: …} to the configuration file.")
    const send = async (store: Store | null): Promise<Answer> => {
      const baseUrl = await baseUrlForLinks({ flags, globals }, store)
      return baseUrl.ok
        ? sendTest({ ...config.value, mail }, store, address.value.address, baseUrl.value)
        : usageError(baseUrl.error)
    }
    // E-mail can be tried before the first start.
    if (flags["base-url"] !== null || isAbsent(config.value)) return send(null)
    return withStore(globals, "refuse", ({ store }) => send(store))
  },
})

async function sendTest(
  { mail, languages }: Pick<Config, "languages"> & { readonly mail: MailConfig },
  store: Store | null,
  address: string,
  baseUrl: string,
): Promise<Answer> {
  const now = systemClock.now()
  const name = mail.name ?? readAppearance((await store?.settings()) ?? new Map()).name
  const facts = { operator: name, baseUrl, when: exactInstant(languages.textsOf(ENGLISH), now) }
  const sent = await mailerOf(mail)(
    outgoing(testMessage(facts), name, { id: newId<MailId>(now), to: address }),
  )
  const { host, port } = mail.server
  if (sent.outcome !== "sent")
    return refused(`${host}:${port} did not take the mail: ${sent.problem}: ${sent.detail}`)
  const json = { sent: true, to: address, server: `${host}:${port}` }
  return done(json, `${host}:${port} accepted a test mail for ${address}.`)
}

export const mailCommands = [test]
