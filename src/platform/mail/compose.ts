/** Makes the mail of an outbox row: reads the app, opens the sealed link, and renders the texts. */
import { sealedThings } from "../../model/sealed.rules.ts"
import type { ClaimedMail } from "../../model/mail/mail.rules.ts"
import { hostOf } from "../../kernel/https-url.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { Services } from "../services/services.ts"
import { shownName } from "../ui/shown-text.ts"
import { instantInWords } from "../ui/words.ts"
import { type Message, messageOf } from "./messages/message.rules.ts"
import { htmlOf, textOf } from "./messages/render.ts"
import type { OutgoingMail } from "../outgoing/smtp/send-mail.ts"

const SEALED_FOR = sealedThings.mailLink.purpose()

export function sealLink({ keys }: Pick<Services, "keys">, secret: string): string {
  return keys.seal(SEALED_FOR, secret)
}

/** Returns null if the link cannot be read, because the service has another secret now. */
export async function composeMail(
  { store, keys, issuer }: Pick<Services, "store" | "keys" | "issuer">,
  mail: ClaimedMail,
  operator: string,
): Promise<OutgoingMail | null> {
  const secret = mail.sealedLink === null ? null : keys.openStored(SEALED_FOR, mail.sealedLink)
  if (mail.sealedLink !== null && secret === null) return null
  const { client } = await store.read({ client: mail.clientId })
  const message = messageOf(mail.kind, {
    operator,
    baseUrl: issuer,
    when: instantInWords(mail.at),
    networkAddress: mail.networkAddress,
    app: appInWords(client, mail.redirectHost),
    secret,
  })
  return outgoing(message, operator, { id: mail.mailId, to: mail.address })
}

export function outgoing(
  message: Message,
  operator: string,
  to: Pick<OutgoingMail, "id" | "to">,
): OutgoingMail {
  return {
    ...to,
    subject: message.subject,
    text: textOf(message, operator),
    html: htmlOf(message, operator),
  }
}

/** Names an app only if an administrator verified it. Any other app chose its name itself. MAIL-8. */
function appInWords(client: Client | null, redirectHost: string | null): string {
  if (client?.verified === true) return shownName(client.name, "an app")
  const hosts = new Set((client?.redirectUris ?? []).map(hostOf).filter((one) => one !== ""))
  const [only = ""] = hosts
  const host = redirectHost ?? (hosts.size === 1 ? only : "")
  return host === "" ? "an app" : `an app at ${host}`
}
