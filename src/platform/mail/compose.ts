/** Makes the mail of an outbox row: reads the app, opens the sealed link, and renders the texts. */
import { sealedThings } from "../../model/sealed.rules.ts"
import type { ClaimedMail } from "../../model/mail/mail.rules.ts"
import { hostOf } from "../../kernel/https-url.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { Texts } from "../languages/texts.ts"
import type { Services } from "../services/services.ts"
import { shownName } from "../ui/shown-text.ts"
import { exactInstant } from "../ui/instant.ts"
import { type MailApp, type Message, messageOf } from "./messages/message.ts"
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
  texts: Texts,
): Promise<OutgoingMail | null> {
  const secret = mail.sealedLink === null ? null : keys.openStored(SEALED_FOR, mail.sealedLink)
  if (mail.sealedLink !== null && secret === null) return null
  const { client } = await store.read({ client: mail.clientId })
  const message = messageOf(texts, mail.kind, {
    operator,
    baseUrl: issuer,
    when: exactInstant(texts, mail.at),
    networkAddress: mail.networkAddress,
    app: appOf(client, mail.redirectHost),
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
    sender: operator,
    subject: message.subject,
    text: textOf(message, operator),
    html: htmlOf(message, operator),
  }
}

/** Names an app only if an administrator verified it. Any other app chose its name itself. MAIL-8. */
function appOf(client: Client | null, redirectHost: string | null): MailApp {
  const name = client?.verified === true ? shownName(client.name, "") : ""
  if (name !== "") return { known: "name", app: name }
  const hosts = new Set((client?.redirectUris ?? []).map(hostOf).filter((one) => one !== ""))
  const [only = ""] = hosts
  const host = redirectHost ?? (hosts.size === 1 ? only : "")
  return { known: host === "" ? "nothing" : "host", app: host }
}
