/** Parts of an app's page for administrators only: its users, detailed errors and events. */
import type { Client } from "../../model/clients/client.rules.ts"
import type { Finding } from "../../apps/statistics/findings.rules.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { CredentialView } from "../credentials/credential-with-app.ts"
import { credentialTable } from "../credentials/credentials.view.ts"
import type { EventRecord } from "../events/event-record.ts"
import { eventTable } from "../events/events.view.ts"
import type { Health } from "../../apps/statistics/app-health.rules.ts"
import { findingList, healthFacts } from "../statistics/health.view.ts"
import { moment } from "../../platform/ui/console/instant.ts"
import type { DocumentRecord } from "../../oauth/documents/document-record.rules.ts"
import { documentPart } from "../documents/document.view.ts"
import {
  accountLink,
  type AccountRef,
  counted,
  groupLinks,
  registrars,
} from "../../platform/ui/console/words.ts"
import { wholeList } from "../../platform/ui/console/list.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import type { AdministratorsView, AppInput } from "../../apps/pages/app.view.ts"
import { switchFacts } from "../../apps/pages/switches.view.ts"
import { appStanding } from "./console-apps.view.ts"

export type AdministrationInput = {
  readonly basePath: string
  readonly texts: Texts
  readonly client: Client
  readonly ownerName: string | null
  readonly serviceAccount: AccountRef | null
  readonly document: DocumentRecord | null
  readonly usedBy: AppInput["usedBy"]
  readonly health: Health
  readonly findings: readonly Finding[]
  readonly credentials: readonly CredentialView[]
  readonly events: readonly EventRecord[]
}

export function administration(input: AdministrationInput): AdministratorsView {
  const {
    basePath,
    texts,
    client,
    ownerName,
    serviceAccount,
    document,
    usedBy,
    health,
    findings,
    credentials,
    events,
  } = input
  const { clientId, ownerId, registeredBy, deleteAfter } = client
  const owner =
    ownerId === null || ownerName === null
      ? "None"
      : accountLink(basePath, { userId: ownerId, username: ownerName })
  return {
    facts: present([
      ["Status", appStanding(client)],
      ["Registered by", registrars[registeredBy]],
      ["Owner", owner],
      ["Only for groups", client.groups.length > 0 && groupLinks(basePath, client.groups)],
      ["id_tokens", client.idTokenAlgorithm !== "RS256" && `Signed with ${client.idTokenAlgorithm}`],
      ["Consent", client.rememberConsent && "Remembered: people are asked once for the same access"],
      [
        "After a sign-out",
        client.postLogoutRedirectUris.length > 0 && addressList(client.postLogoutRedirectUris),
      ],
      ...(registeredBy === "itself" ? [["Permissions", ceilingSource(client)] as const] : []),
      ...(serviceAccount === null
        ? []
        : [["Service account", accountLink(basePath, serviceAccount)] as const]),
      ...switchFacts(texts, client, "administrator"),
      ...(deleteAfter === null
        ? []
        : [["Removed", html`${moment(deleteAfter)}, if not used before`] as const]),
    ]),
    document: document === null ? null : documentPart(basePath, document, client.keys !== null),
    use: html`<p class="note">${usersInWords(usedBy)}</p>
      ${credentialTable(basePath, credentials, "No account has allowed it yet.", { app: false })}
      ${credentials.length > 0 && wholeList(basePath, "/console/credentials", { app: clientId }, "All its credentials")}`,
    behavior: html`${findingList(findings)} ${healthFacts(health)}`,
    events: html`<section class="block" aria-labelledby="events">
      <h2 id="events">Events</h2>
      ${eventTable(basePath, events, "Nothing is recorded.", { app: false })}
      ${events.length > 0 && wholeList(basePath, "/console/events", { app: clientId }, "All its events")}
    </section>`,
  }
}

/** Leaves out the facts that the app does not have. */
function present(facts: AdministratorsView["facts"]): AdministratorsView["facts"] {
  return facts.filter(([, value]) => value !== false)
}

function addressList(uris: readonly string[]): Html {
  return html`<ul class="addresses">
    ${uris.map(
      (uri) =>
        html`<li>
          <code><bdi>${uri}</bdi></code>
        </li>`,
    )}
  </ul>`
}

function ceilingSource({ ceilingByHand }: Pick<Client, "ceilingByHand">): string {
  return ceilingByHand ? "Set by hand" : "Follow the setting registration.permissions"
}

function usersInWords({ installations, accounts, isWhole }: AppInput["usedBy"]): string {
  if (installations === 0) return "No account uses it at the moment."
  const summary = `${counted(installations, "active installation")} of ${counted(accounts, "account")}`
  return `${isWhole ? summary : `More than ${summary}`}. The newest credentials:`
}
