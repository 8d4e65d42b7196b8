/** The page of one credential, which explains its reach. */
import type { Explained } from "../../oauth/explain/explanation-words.ts"
import { type Html, html } from "../../kernel/html.ts"
import { dash, tick } from "../../platform/ui/mark.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import type { CredentialView } from "./credential-with-app.ts"
import type { EventRecord } from "../events/event-record.ts"
import { eventTable } from "../events/events.view.ts"
import { type ConsoleInput, heading, renderConsole, upTo } from "../../platform/ui/console/frame.ts"
import { moment } from "../../platform/ui/console/instant.ts"
import { accountLink, appLink, factList, stateTag } from "../../platform/ui/console/words.ts"
import { wholeList } from "../../platform/ui/console/list.ts"

export type CredentialInput = ConsoleInput & {
  readonly credential: CredentialView
  readonly resources: readonly string[]
  readonly whole: readonly Explained[]
  /** The permissions are in the catalog's order. */
  readonly permissions: readonly (Explained & {
    readonly name: string
    readonly title: string | null
    readonly isReached: boolean
    readonly isConsented: boolean
  })[]
  /** The access tokens are sorted, newest first. */
  readonly accessTokens: readonly string[]
  readonly events: readonly EventRecord[]
}

export function renderCredential(input: CredentialInput): string {
  const { basePath, credential, events, accessTokens } = input
  const { token_id, installation_name, state } = credential
  const name = installation_name === null ? "" : shownName(installation_name, "", 100)
  const title = name === "" ? `Credential …${token_id.slice(-8)}` : name
  const isOver = state === "revoked" || state === "ended"
  const main = html`${heading(
      html`<bdi class="name">${title}</bdi> ${stateTag(state)}`,
      !isOver &&
        html`<a class="button danger" href="${basePath}/console/credential/revoke?id=${token_id}">Revoke</a>`,
      upTo(basePath, "/console/credentials", "Credentials"),
    )}
    ${facts(input)} ${why(input)}
    ${
      accessTokens.length > 0 &&
      html`<section class="block" aria-labelledby="tokens">
        <h2 id="tokens">Access tokens</h2>
        <ul class="sentences">
          ${accessTokens.map((sentence) => html`<li>${sentence}</li>`)}
        </ul>
      </section>`
    }
    <section class="block" aria-labelledby="events">
      <h2 id="events">Events</h2>
      ${eventTable(basePath, events, "No events.", { account: false, app: false, credential: false })}
      ${events.length > 0 && wholeList(basePath, "/console/events", { credential: token_id }, "All events of this credential")}
    </section>`
  return renderConsole(input, { title, place: "credentials", main })
}

function facts({ basePath, credential, resources }: CredentialInput): Html {
  const { client_id, appName, user_id, username, token_id, consented_at, rotated_at, ends_at } = credential
  const { elevated_until, organization } = credential
  return factList([
    ["App", appLink(basePath, { clientId: client_id, name: appName })],
    ["Account", accountLink(basePath, { userId: user_id, username })],
    ["Organization", organization !== undefined && html`<bdi>${organization}</bdi>`],
    [
      organization !== undefined ? "Connected" : ends_at === null ? "Bound" : "Consented",
      moment(consented_at),
    ],
    ["Last refreshed", rotated_at !== null && moment(rotated_at)],
    ["Ends no later than", ends_at !== null && moment(ends_at)],
    ["Ends", ends_at === null && organization === undefined && "By revocation only"],
    ["Elevated until", elevated_until !== null && moment(elevated_until)],
    ["Resources", resources.length > 0 && html`<bdi>${resources.join(" ")}</bdi>`],
    ["Id", html`<code class="id">${token_id}</code>`],
  ])
}

/** Lists the consented permissions first. The other permissions of the catalog are collapsed. */
function why({ whole, permissions, credential: { ends_at, organization } }: CredentialInput): Html {
  const consented = permissions.filter(({ isConsented }) => isConsented)
  const others = permissions.filter(({ isConsented }) => !isConsented)
  return html`<section class="block" aria-labelledby="why">
    <h2 id="why">Why it has this reach</h2>
    <ul class="sentences">
      ${whole.map((one) => html`<li>${renderLine(one)}</li>`)}
    </ul>
    <h3>
      ${
        organization !== undefined
          ? "What the organization may give"
          : ends_at === null
            ? "What the app’s registration allows"
            : "What the account holder consented to"
      }
    </h3>
    ${consented.length === 0 ? html`<p class="note">Nothing.</p>` : lines(consented)}
    ${
      others.length > 0 &&
      html`<details>
        <summary>Other permissions, and why it does not reach them</summary>
        ${lines(others)}
      </details>`
    }
  </section>`
}

function lines(permissions: CredentialInput["permissions"]): Html {
  return html`<ul class="permissions">
    ${permissions.map(
      (line) =>
        html`<li class="${line.isReached ? "reached" : "missed"}">
          ${line.isReached ? tick : dash}
          <div>
            <p class="permission">${line.title ?? line.name} <code>${line.name}</code></p>
            <p class="note">${renderLine(line)}</p>
          </div>
        </li>`,
    )}
  </ul>`
}

function renderLine({ sentence, remedy }: Explained): Html {
  return html`${sentence}${remedy !== null && html` <span class="remedy">${remedy}</span>`}`
}
