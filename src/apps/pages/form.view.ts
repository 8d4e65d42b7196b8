/** Renders the form of an app and the preview of changed permissions. SVC-7, SVC-8, CLIENT-1…CLIENT-4, PERM-5. */
import { workloadMembers } from "../../model/clients/workload.rules.ts"
import { isAdmin } from "../../model/permissions/permission.rules.ts"
import type { AppField, AppProblem, TypedApp } from "../app-problems.rules.ts"
import { anonymizedValues } from "../preview/anonymized-count.rules.ts"
import { lines, options, type PermissionChoice, permissionOptions } from "../../platform/ui/fields.ts"
import { alert, field, hidden } from "../../platform/ui/form.ts"
import { type Consequences, consequenceList } from "../../platform/ui/consequences.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { type AppPageInput, pathOf } from "./app-page.ts"
import { keyFields } from "./keys.view.ts"
import { hiddenOpenid, openidFields } from "./openid.view.ts"
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
  const { basePath, texts, csrf, paths, isAdministrators, of, typed, problems, problem } = input
  const isNew = "ticket" in of
  const problemOf = (name: AppField) => problems.find((one) => one.field === name)?.message ?? null
  const summary =
    problem ?? (problems.length > 0 ? texts.html("app-form.wrong", { fields: problems.length }) : null)
  const cancel = isNew ? paths.list : pathOf(paths.app, of.clientId)
  const main = html`${summary !== null && alert(summary)}
    <form class="stack" method="post" action="${basePath}${isNew ? paths.new : paths.edit}" novalidate>
      ${hidden("csrf", csrf)}${isNew ? hidden("ticket", of.ticket) : hidden("id", of.clientId)}
      ${field({
        name: "name",
        label: texts.plain("app-form.name"),
        value: typed.name,
        maxlength: 100,
        hint: texts.plain("app-form.name.hint"),
        problem: problemOf("name"),
      })}
      ${isNew && typeChoice(texts, typed, problemOf("type"))}
      ${lines({
        name: "redirect_uris",
        label: texts.plain("app-form.redirect-uris"),
        hint: texts.html("app-form.redirect-uris.hint", {
          example: html`<code>https://app.example/callback</code>`,
        }),
        value: typed.redirectUris.join("\n"),
        rows: Math.max(4, typed.redirectUris.length + 1),
        problem: problemOf("redirect_uris"),
      })}
      ${permissionFields(input, problemOf("permission"))}
      ${isAdministrators && groupsField(typed, problemOf("groups"))}
      ${switchFields(texts, typed, isAdministrators, !isNew && typed.type !== "confidential", problemOf("resource_server"))}
      ${isAdministrators && openidFields(typed, problemOf("post_logout_redirect_uris"))}
      ${isAdministrators && ownerField(texts, typed, problemOf("owner"))}
      ${(isNew || typed.type === "confidential") && rareFields(input, problemOf)}
      <div class="buttons">
        <button class="primary">${texts.html(isNew ? "app-form.register" : "app-form.save")}</button>
        <a class="button" href="${basePath}${cancel}">${texts.html("common.cancel")}</a>
      </div>
    </form>`
  return input.frame({
    title: texts.plain(isNew ? "app-form.title.new" : "app-form.title.change"),
    heading: isNew
      ? texts.html("app-form.title.new")
      : texts.html("app-form.heading.change", { app: named(texts, of.name) }),
    main,
    isNarrow: true,
  })
}

function named(texts: Texts, name: string): Html {
  return html`<bdi class="name">${shownName(name, texts.plain("common.nameless-app"))}</bdi>`
}

/** Only administrators have this field, and the console is in English. */
function groupsField({ groups }: TypedApp, problem: string | null): Html {
  return field({
    name: "groups",
    label: "Only for groups",
    isOptional: true,
    value: groups.join(" "),
    hint: "Names of groups, with spaces between. Only their members can use the app. Leave empty for everyone.",
    problem,
  })
}

function ownerField(texts: Texts, { owner }: TypedApp, problem: string | null): Html {
  return field({
    name: "owner",
    label: texts.plain("app-form.owner"),
    isOptional: true,
    value: owner,
    hint: texts.plain("app-form.owner.hint"),
    problem,
  })
}

/** Renders what only some confidential apps need. It is folded until it has a value or a problem. */
function rareFields(
  { texts, of, typed, isAdministrators }: AppFormInput,
  problemOf: (name: AppField) => string | null,
): Html {
  const [ofKeys, ofAccount] = [problemOf("keys"), problemOf("service_account")]
  const isFilled =
    typed.jwks !== "" ||
    typed.jwksUri !== "" ||
    Object.values(typed.workload).join("") !== "" ||
    typed.serviceAccount !== ""
  return html`<details
    class="more confidential"
    ${(isFilled || ofKeys !== null || ofAccount !== null) && html`open`}
  >
    <summary>${texts.html(isAdministrators ? "app-form.rare.administrator" : "app-form.rare")}</summary>
    ${keyFields(texts, typed, { isNew: "ticket" in of, mayName: isAdministrators, problem: ofKeys })}
    ${
      isAdministrators &&
      field({
        name: "service_account",
        label: texts.plain("app-form.service-account"),
        isOptional: true,
        value: typed.serviceAccount,
        hint: texts.plain("app-form.service-account.hint"),
        problem: ofAccount,
      })
    }
  </details>`
}

function typeChoice(texts: Texts, { type }: TypedApp, problem: string | null): Html {
  return options(
    "radio",
    { legend: texts.plain("app-form.type"), problem },
    (["public", "confidential"] as const).map((value) => ({
      name: "type",
      value,
      title: texts.plain(`app-form.type.${value}`),
      explanation: texts.html(`app-form.type.${value}.explanation`),
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
    <h2 id="ceiling">${texts.html("app-form.permissions")}</h2>
    <p class="hint">${texts.html("app-form.permissions.hint")}</p>
    ${onlyTakesAway && html`<p class="hint">${texts.html("app-form.permissions.service-account")}</p>`}
    ${problem !== null && html`<p class="problem">${problem}</p>`}
    ${offered.map((group) => offeredGroup(texts, group, ticked))}
  </div>`
}

/** Administration is folded until it is selected, because few apps need it. */
function offeredGroup(texts: Texts, { group, permissions }: Offered, ticked: ReadonlySet<string>): Html {
  const choices = permissionOptions(texts, group, permissions, ticked)
  if (!permissions.every(({ name }) => isAdmin(name))) return choices
  return html`<details class="more" ${permissions.some(({ name }) => ticked.has(name)) && html`open`}>
    <summary>${group === "" ? texts.html("app-form.permissions.administration") : group}</summary>
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
  const { basePath, texts, csrf, paths, clientId, name, typed, effects, confirmed, changesPermissions } =
    input
  const both = { first: texts.html("app-preview.when"), second: texts.html("app-preview.permissions") }
  const main = html`<p class="lead">${texts.html("app-preview.lead")}</p>
    ${consequenceList(texts, effects, "losses")}
    <p class="note">${changesPermissions ? texts.html("common.two-sentences", both) : both.first}</p>
    <form class="decision" method="post" action="${basePath}${paths.edit}">
      ${hidden("csrf", csrf)}${hidden("id", clientId)}${hidden("confirmed", confirmed)}${typedFields(typed)}
      <div class="buttons">
        <button class="primary">${texts.html("app-form.save")}</button>
        <a class="button" href="${basePath}${pathOf(paths.app, clientId)}">${texts.html("common.cancel")}</a>
      </div>
    </form>`
  return input.frame({
    title: texts.plain("app-preview.title"),
    heading: texts.html("app-preview.heading", { app: named(texts, name) }),
    main,
    isNarrow: true,
  })
}

function typedFields(typed: TypedApp): Html {
  const { name, redirectUris, permissions, groups, jwks, jwksUri, workload, owner, serviceAccount } = typed
  return html`${hidden("name", name)}${hidden("redirect_uris", redirectUris.join("\n"))}${permissions.map(
    (permission) => hidden("permission", permission),
  )}${hiddenSwitches(typed)}${hiddenOpenid(typed)}${hidden("jwks", jwks)}${hidden("jwks_uri", jwksUri)}${workloadMembers.map(({ member }) => hidden(`workload_${member}`, workload[member]))}${hidden("owner", owner)}${groups.length > 0 && hidden("groups", groups.join(" "))}${serviceAccount !== "" && hidden("service_account", serviceAccount)}`
}

/** Renders the lost access with rounded numbers, because owners must not learn who uses their app. PERM-5. */
export function ownersLosses(
  texts: Texts,
  taken: readonly { readonly title: string; readonly accounts: number }[],
  emptied: number,
): Consequences {
  const rows = taken.map(
    ({ title, accounts }) =>
      html`<strong><bdi>${title}</bdi></strong>
        <span class="note"
          >${accounts === 0 ? texts.html("app-preview.unused") : texts.html("app-preview.lost", anonymizedValues(accounts))}</span
        >`,
  )
  const none = texts.html("app-preview.emptied", anonymizedValues(emptied))
  return emptied > 0 ? { total: [none], rest: rows } : { total: rows, rest: [] }
}
