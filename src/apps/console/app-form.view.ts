/** The registration of an app as a form: a new one, or one that is changed. */
import type { ClientType } from "../../records/client.rules.ts"
import type { RegistrationField, RegistrationProblem } from "../registration-problems.rules.ts"
import { lines, option, options, type PermissionChoice, permissionOptions } from "../../ui/fields.ts"
import { field, hidden } from "../../ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { shownName } from "../../ui/shown-text.ts"
import { taken } from "../../ui/console/confirm.ts"
import { type ConsoleInput, heading, problemAlert, renderConsole, upTo } from "../../ui/console/frame.ts"

/** What was typed and ticked, whether it makes sense or not. */
export type TypedApp = {
  /** Null where neither was chosen. */
  readonly type: ClientType | null
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly permissions: readonly string[]
  readonly verified: boolean
  readonly stepUp: boolean
  readonly resourceServer: boolean
  /** The owner's name; empty for nobody. */
  readonly owner: string
}

export type Offered = { readonly group: string; readonly permissions: readonly PermissionChoice[] }

export type AppFormInput = ConsoleInput & {
  /** Null for a new app. */
  readonly clientId: string | null
  /** Of a new app: a form that works once. */
  readonly ticket: string
  readonly typed: TypedApp
  /** Grouped as the catalogue is. */
  readonly offered: readonly Offered[]
  readonly problems: readonly RegistrationProblem[]
  /** What is wrong with no field in particular. */
  readonly problem: string | null
}

export function renderAppForm(input: AppFormInput): string {
  const { basePath, clientId, typed, problems, problem } = input
  const problemOf = (name: RegistrationField) => problems.find((one) => one.field === name)?.message ?? null
  const isNew = clientId === null
  const title = isNew ? "Register an app" : "Change the registration"
  const above = isNew
    ? upTo(basePath, "/apps", "Apps")
    : upTo(basePath, `/app?id=${clientId}`, shownName(typed.name, "The app"))
  const main = html`${heading(title, false, above)} ${problemAlert(problem ?? marked(problems.length))}
    <form class="stack" method="post" action="${basePath}/console/app/${isNew ? "new" : "edit"}" novalidate>
      ${hidden("csrf", input.csrf)}${isNew ? hidden("ticket", input.ticket) : hidden("id", clientId)}
      ${field({
        name: "name",
        label: "Name",
        type: "text",
        autocomplete: "off",
        value: typed.name,
        hint: "People see it when the app asks them for access.",
        problem: problemOf("name"),
      })}
      ${isNew && typeChoice(typed, problemOf("type"))}
      ${lines({
        name: "redirect_uris",
        label: "Redirect addresses",
        value: typed.redirectUris.join("\n"),
        rows: Math.max(3, typed.redirectUris.length + 1),
        hint: "Where the browser may return to, one a line. For 127.0.0.1 and localhost any port matches, over http and https.",
        problem: problemOf("redirect_uris"),
      })}
      ${ceiling(input, problemOf("permission"))} ${switches(input, problemOf("resource_server"))}
      ${field({
        name: "owner",
        label: "Owner (an account’s name)",
        type: "text",
        autocomplete: "off",
        isOptional: true,
        value: typed.owner,
        hint: "May change the app, without making it verified. Leave it empty for nobody.",
        problem: problemOf("owner"),
      })}
      <div class="deeds"><button class="primary">${isNew ? "Register the app" : "Save"}</button></div>
    </form>`
  return renderConsole(input, { title, place: "apps", main, narrow: true })
}

/** Null where there are none. */
function marked(fields: number): string | null {
  if (fields === 0) return null
  return `That did not work yet. Please look at the marked ${fields === 1 ? "field" : "fields"}.`
}

function typeChoice({ type }: TypedApp, problem: string | null): Html {
  return options("radio", { legend: "Kind, fixed for life", problem }, [
    {
      name: "type",
      value: "public",
      title: "Public",
      explanation: "A command line, desktop, phone or browser app: it cannot keep a secret.",
      isChecked: type === "public",
    },
    {
      name: "type",
      value: "confidential",
      title: "Confidential",
      explanation: "A server that its operator runs. It gets a secret, shown once.",
      isChecked: type === "confidential",
    },
  ])
}

function ceiling({ offered, typed }: AppFormInput, problem: string | null): Html {
  const ticked = new Set(typed.permissions)
  return html`<div class="ceiling" role="group" aria-labelledby="ceiling">
    <h2 id="ceiling">What it may ask for</h2>
    <p class="note">
      What is taken away is out of reach at once, also for those who let the app in; given back, it is back.
    </p>
    ${problem !== null && html`<p class="problem">${problem}</p>`}
    ${offered.map(({ group, permissions }) => permissionOptions(group, permissions, ticked))}
  </div>`
}

function switches({ typed, clientId }: AppFormInput, problem: string | null): Html {
  const one = (name: string, title: string, explanation: string, isChecked: boolean) =>
    html`<div class="options">
      ${option("checkbox", { name, value: "on", title, explanation, isChecked })}
    </div>`
  const mayIntrospect = clientId === null || typed.type === "confidential"
  return html`<div class="ceiling" role="group" aria-labelledby="trust">
    <h2 id="trust">What the service grants it</h2>
    ${one("verified", "Verified", "You vouch for it: people see its icon when it asks for access.", typed.verified)}
    ${one("step_up", "Step-up", "It may ask its people to prove a second factor again.", typed.stepUp)}
    ${problem !== null && html`<p class="problem">${problem}</p>`}
    ${
      mayIntrospect &&
      one(
        "resource_server",
        "Resource server",
        "An API: it may ask this service about every token. Confidential apps only.",
        typed.resourceServer,
      )
    }
  </div>`
}

export type AppPreviewInput = ConsoleInput & {
  readonly clientId: string
  readonly name: string
  readonly typed: TypedApp
  readonly sentences: readonly string[]
  /** Says which change was shown, so that no other one is made. */
  readonly confirmed: string
}

/** Before a ceiling is saved: what the change takes and gives. */
export function renderAppPreview(input: AppPreviewInput): string {
  const { basePath, csrf, clientId, name, typed, sentences, confirmed } = input
  const main = html`${heading(html`Save this for <bdi class="name">${shownName(name, "the app")}</bdi>?`)}
    <p class="lead">Nothing is saved yet. What it may ask for changes, and with it what is held already:</p>
    ${taken(sentences)}
    <form class="stack" method="post" action="${basePath}/console/app/edit">
      ${hidden("csrf", csrf)}${hidden("id", clientId)}${hidden("confirmed", confirmed)}${typedAgain(typed)}
      <div class="deeds">
        <button class="primary">Save the change</button>
        <a class="button" href="${basePath}/console/app?id=${clientId}">Leave it as it is</a>
      </div>
    </form>`
  return renderConsole(input, { title: "Save the change?", place: "apps", main, narrow: true })
}

function typedAgain({
  name,
  redirectUris,
  permissions,
  verified,
  stepUp,
  resourceServer,
  owner,
}: TypedApp): Html {
  return html`${hidden("name", name)}${hidden("redirect_uris", redirectUris.join(" "))}${permissions.map(
    (permission) => hidden("permission", permission),
  )}${verified && hidden("verified", "on")}${stepUp && hidden("step_up", "on")}${resourceServer && hidden("resource_server", "on")}${hidden("owner", owner)}`
}
