/** Registering an app of one's own, and changing it. SVC-8, CLIENT-1…CLIENT-4. */
import type { OwnAppField, OwnAppProblem } from "../own-app-problems.rules.ts"
import type { ClientType } from "../../records/client.rules.ts"
import { lines, options, type PermissionChoice, permissionOptions } from "../../ui/fields.ts"
import { alert, field, hidden } from "../../ui/form.ts"
import { renderAccountPage, type SignedInInput } from "../../ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import { shownName } from "../../ui/shown-text.ts"

/** Whatever was typed, as it was typed. */
export type TypedText = {
  readonly type: ClientType | null
  readonly name: string
  readonly redirectUris: string
  readonly permissions: readonly string[]
  readonly stepUp: boolean
}

/** A permission that may be ticked. */
export type OfferedPermission = PermissionChoice & { readonly group: string }

export type OwnAppFormInput = SignedInInput & {
  /** The app that is changed; null for a new one, whose form `ticket` lets through once. */
  readonly of: { readonly clientId: string; readonly name: string } | { readonly ticket: string }
  readonly typed: TypedText
  /** In the catalogue's order. */
  readonly offered: readonly OfferedPermission[]
  readonly problems: readonly OwnAppProblem[]
  /** What is wrong with no field in particular. */
  readonly problem: string | null
}

const kinds = [
  {
    value: "public",
    title: "Public",
    explanation:
      "A command line, a desktop or phone app, or a page that runs in the browser. Whoever has it can read all of it, so it cannot keep a secret.",
  },
  {
    value: "confidential",
    title: "Confidential",
    explanation: "A program on a server that you run. It gets a secret of its own, which it can keep.",
  },
] as const

export function kindInWords(type: ClientType): string {
  return kinds.find(({ value }) => value === type)?.title ?? type
}

export function renderOwnAppForm(input: OwnAppFormInput): string {
  const { basePath, csrf, of, typed, problems, problem } = input
  const isNew = "ticket" in of
  const problemOf = (name: OwnAppField) => problems.find((one) => one.field === name)?.message ?? null
  const summary =
    problems.length === 1
      ? "That did not work yet. Please look at the marked field."
      : "That did not work yet. Please look at the marked fields."
  const main = html`<h1>
      ${isNew ? "Register an app" : html`Change <bdi class="name">${shownName(of.name, "the app")}</bdi>`}
    </h1>
    ${problem !== null ? alert(problem) : problems.length > 0 && alert(summary)}
    <form class="stack" method="post" action="${basePath}/account/apps/${isNew ? "new" : "edit"}" novalidate>
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
      ${isNew && kindField(typed, problemOf("type"))}
      ${lines({
        name: "redirect_uris",
        label: "Redirect addresses",
        hint: html`Where the browser may return to, one a line, such as
          <code>https://app.example/callback</code>. For 127.0.0.1 and localhost any port matches, over http
          and https. Without any, only the device flow is left.`,
        value: typed.redirectUris,
        rows: 4,
        problem: problemOf("redirect_uris"),
      })}
      ${permissionFields(input, problemOf("permission"))}
      ${options("checkbox", { legend: "Step-up" }, [
        {
          name: "step_up",
          value: "on",
          title: "May ask for a step-up",
          explanation: "Before something serious, the app may ask its people to prove that it is them.",
          isChecked: typed.stepUp,
        },
      ])}
      <div class="buttons">
        <button class="primary">${isNew ? "Register the app" : "Save"}</button>
        <a class="button" href="${basePath}/account/apps${!isNew && `/app?id=${of.clientId}`}">Cancel</a>
      </div>
    </form>`
  return renderAccountPage(input, {
    here: "/account/apps",
    title: isNew ? "Register an app" : "Change an app",
    main,
  })
}

function kindField({ type }: TypedText, problem: string | null): Html {
  return options(
    "radio",
    { legend: "Kind, fixed for life", problem },
    kinds.map((kind) => ({ name: "type", ...kind, isChecked: type === kind.value })),
  )
}

function permissionFields({ offered, typed }: OwnAppFormInput, problem: string | null): Html {
  const ticked = new Set(typed.permissions)
  return html`<div class="ceiling" role="group" aria-labelledby="ceiling">
    <h2 id="ceiling">What it may ask for</h2>
    <p class="hint">
      People still decide each time. Fewer is better: they see the whole list. What you take away later is out
      of reach at once.
    </p>
    ${problem !== null && html`<p class="problem">${problem}</p>`}
    ${Array.from(
      Map.groupBy(offered, ({ group }) => group),
      ([group, permissions]) => permissionOptions(group, permissions, ticked),
    )}
  </div>`
}
