/** Renders the form of an app and the preview of changed permissions. SVC-7, SVC-8, CLIENT-1…CLIENT-4, PERM-5. */
import { isAdmin } from "../../model/permissions/permission.rules.ts"
import type { ClientType } from "../../model/clients/client.rules.ts"
import type { AppField, AppProblem, TypedApp } from "../app-problems.rules.ts"
import { anonymizedCount } from "../preview/anonymized-count.rules.ts"
import { lines, options, type PermissionChoice, permissionOptions } from "../../platform/ui/fields.ts"
import { alert, field, hidden } from "../../platform/ui/form.ts"
import { type Consequences, consequenceList } from "../../platform/ui/consequences.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { type AppPageInput, pathOf } from "./app-page.ts"
import { keyFields } from "./keys.view.ts"
import { hiddenSwitches, switchFields } from "./switches.view.ts"

export type Offered = { readonly group: string; readonly permissions: readonly PermissionChoice[] }

export type AppFormInput = AppPageInput & {
  /** The app to change. For a new app, a ticket makes the form work only once. */
  readonly of: { readonly clientId: string; readonly name: string } | { readonly ticket: string }
  readonly typed: TypedApp
  readonly offered: readonly Offered[]
  /** Whether the app acts for a service account, so that its owner adds no permission. */
  readonly onlyTakesAway?: boolean
  readonly problems: readonly AppProblem[]
  /** A problem that concerns no single field. */
  readonly problem: string | null
}

export function renderAppForm(input: AppFormInput): string {
  const { basePath, csrf, paths, isAdministrators, of, typed, problems, problem } = input
  const isNew = "ticket" in of
  const problemOf = (name: AppField) => problems.find((one) => one.field === name)?.message ?? null
  const summary = problem ?? (problems.length > 0 ? marked(problems.length) : null)
  const cancel = isNew ? paths.list : pathOf(paths.app, of.clientId)
  const main = html`${summary !== null && alert(summary)}
    <form class="stack" method="post" action="${basePath}${isNew ? paths.new : paths.edit}" novalidate>
      ${hidden("csrf", csrf)}${isNew ? hidden("ticket", of.ticket) : hidden("id", of.clientId)}
      ${field({
        name: "name",
        label: "Name",
        type: "text",
        autocomplete: "off",
        value: typed.name,
        maxlength: 100,
        hint: "People see it when the app asks them for access.",
        problem: problemOf("name"),
      })}
      ${isNew && typeChoice(typed, problemOf("type"))}
      ${lines({
        name: "redirect_uris",
        label: "Redirect URIs",
        hint: html`Where the browser may return to, one a line, such as
          <code>https://app.example/callback</code>. For 127.0.0.1 and localhost any port matches, over http
          and https. Without an address the app can use the device flow only.`,
        value: typed.redirectUris.join("\n"),
        rows: Math.max(4, typed.redirectUris.length + 1),
        problem: problemOf("redirect_uris"),
      })}
      ${permissionFields(input, problemOf("permission"))}
      ${switchFields(typed, isAdministrators, !isNew && typed.type !== "confidential", problemOf("resource_server"))}
      ${isAdministrators && ownerField(typed, problemOf("owner"))}
      ${(isNew || typed.type === "confidential") && rareFields(input, problemOf)}
      <div class="buttons">
        <button class="primary">${isNew ? "Register the app" : "Save"}</button>
        <a class="button" href="${basePath}${cancel}">Cancel</a>
      </div>
    </form>`
  return input.frame({
    title: isNew ? "Register an app" : "Change an app",
    heading: isNew
      ? "Register an app"
      : html`Change <bdi class="name">${shownName(of.name, "the app")}</bdi>`,
    main,
    isNarrow: true,
  })
}

function ownerField({ owner }: TypedApp, problem: string | null): Html {
  return field({
    name: "owner",
    label: "Owner (an account’s name)",
    type: "text",
    autocomplete: "off",
    isOptional: true,
    value: owner,
    hint: "May change the app, but cannot verify it. Leave empty for no owner.",
    problem,
  })
}

/** Renders what only some confidential apps need. It is folded until it has a value or a problem. */
function rareFields(
  { of, typed, isAdministrators }: AppFormInput,
  problemOf: (name: AppField) => string | null,
): Html {
  const [ofKeys, ofAccount] = [problemOf("keys"), problemOf("service_account")]
  const isFilled = typed.jwks !== "" || typed.jwksUri !== "" || typed.serviceAccount !== ""
  return html`<details
    class="more confidential"
    ${(isFilled || ofKeys !== null || ofAccount !== null) && html`open`}
  >
    <summary>${isAdministrators ? "Keys and service account" : "Keys in place of a secret"}</summary>
    ${keyFields(typed, { isNew: "ticket" in of, mayName: isAdministrators, problem: ofKeys })}
    ${
      isAdministrators &&
      field({
        name: "service_account",
        label: "Service account (its name)",
        type: "text",
        autocomplete: "off",
        isOptional: true,
        value: typed.serviceAccount,
        hint: "The app gets access tokens of this account by itself, without a person. Leave empty for none.",
        problem: ofAccount,
      })
    }
  </details>`
}

function marked(fields: number): string {
  return `The app was not saved. Check the marked ${fields === 1 ? "field" : "fields"}.`
}

const typeNames: { readonly [K in ClientType]: string } = { public: "Public", confidential: "Confidential" }

export function typeInWords(type: ClientType): string {
  return typeNames[type]
}

const explanations: { readonly [K in ClientType]: string } = {
  public:
    "A command line, a desktop or phone app, or a page that runs in the browser. Everyone who has the app can read all of it, so it cannot keep a secret.",
  confidential: "A program on a server that you run. It gets a secret, which is shown once, or holds a key.",
}

function typeChoice({ type }: TypedApp, problem: string | null): Html {
  return options(
    "radio",
    { legend: "Type, which cannot be changed later", problem },
    (["public", "confidential"] as const).map((value) => ({
      name: "type",
      value,
      title: typeInWords(value),
      explanation: explanations[value],
      isChecked: type === value,
    })),
  )
}

function permissionFields(
  { texts, offered, onlyTakesAway = false, typed }: AppFormInput,
  problem: string | null,
): Html {
  const ticked = new Set(typed.permissions)
  return html`<div class="ceiling" role="group" aria-labelledby="ceiling">
    <h2 id="ceiling">What it may ask for</h2>
    <p class="hint">
      People see this list and decide each time, so keep it short. A permission that you remove later stops
      working at once, also for those who allowed it.
    </p>
    ${
      onlyTakesAway &&
      html`<p class="hint">
        The app acts for a service account, so you can take permissions away. Only an administrator can add
        one.
      </p>`
    }
    ${problem !== null && html`<p class="problem">${problem}</p>`}
    ${offered.map((group) => offeredGroup(texts, group, ticked))}
  </div>`
}

/** Administration is folded until it is selected, because few apps need it. */
function offeredGroup(texts: Texts, { group, permissions }: Offered, ticked: ReadonlySet<string>): Html {
  const choices = permissionOptions(texts, group, permissions, ticked)
  if (!permissions.every(({ name }) => isAdmin(name))) return choices
  return html`<details class="more" ${permissions.some(({ name }) => ticked.has(name)) && html`open`}>
    <summary>${group === "" ? "Administration" : group}</summary>
    ${choices}
  </details>`
}

export type AppPreviewInput = AppPageInput & {
  readonly clientId: string
  readonly name: string
  readonly typed: TypedApp
  readonly effects: Consequences
  /** Identifies the change that the person confirms. The form sends this text back. */
  readonly confirmed: string
  readonly changesPermissions: boolean
}

/** Renders the preview of a change: lost and gained access, and the end of a secret. */
export function renderAppPreview(input: AppPreviewInput): string {
  const { basePath, csrf, paths, clientId, name, typed, effects, confirmed, changesPermissions } = input
  const main = html`<p class="lead">
      Nothing is saved yet. The change also applies to access that people have allowed:
    </p>
    ${consequenceList(input.texts, effects, "losses")}
    <p class="note">
      It applies from the next request on.
      ${changesPermissions && "A permission that you add again later works again for everyone who allowed it."}
    </p>
    <form class="decision" method="post" action="${basePath}${paths.edit}">
      ${hidden("csrf", csrf)}${hidden("id", clientId)}${hidden("confirmed", confirmed)}${typedFields(typed)}
      <div class="buttons">
        <button class="primary">Save</button>
        <a class="button" href="${basePath}${pathOf(paths.app, clientId)}">Cancel</a>
      </div>
    </form>`
  return input.frame({
    title: "Before it is saved",
    heading: html`Save this change of <bdi class="name">${shownName(name, "the app")}</bdi>?`,
    main,
    isNarrow: true,
  })
}

function typedFields(typed: TypedApp): Html {
  const { name, redirectUris, permissions, jwks, jwksUri, owner, serviceAccount } = typed
  return html`${hidden("name", name)}${hidden("redirect_uris", redirectUris.join("\n"))}${permissions.map(
    (permission) => hidden("permission", permission),
  )}${hiddenSwitches(typed)}${hidden("jwks", jwks)}${hidden("jwks_uri", jwksUri)}${hidden("owner", owner)}${serviceAccount !== "" && hidden("service_account", serviceAccount)}`
}

/** Renders the lost access with rounded numbers, because owners must not learn who uses their app. PERM-5. */
export function ownersLosses(
  taken: readonly { readonly title: string; readonly accounts: number }[],
  emptied: number,
): Consequences {
  const rows = taken.map(
    ({ title, accounts }) =>
      html`<strong>${title}</strong>
        <span class="note"
          >${accounts === 0 ? "No account uses this now." : `Out of reach for ${anonymizedCount(accounts, "account")}.`}</span
        >`,
  )
  const none = html`For ${anonymizedCount(emptied, "account")}, the app can do nothing at all afterwards.`
  return emptied > 0 ? { total: [none], rest: rows } : { total: rows, rest: [] }
}
