/** Renders the page of the set-up link, which creates the first administrator. */
import { alert, field, hidden, newPasswordField } from "../../platform/ui/form.ts"
import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { buttonLink } from "../../platform/ui/parts.ts"

export type SetupProblem = {
  readonly field: "username" | "password" | "service"
  /** Tells the person how to fix the field. */
  readonly message: string
}

export type SetupInput = PageInput & {
  readonly csrf: string
  /** The secret of the set-up link, sent as `link`. */
  readonly link: string
  readonly username: string
  /** The name of the service, as typed. */
  readonly service: string
  readonly problems: readonly SetupProblem[]
}

export function renderSetup(input: SetupInput): string {
  const { basePath, csrf, link, username, service, problems, texts } = input
  const problem = (name: SetupProblem["field"]) => problems.find((p) => p.field === name)?.message ?? null
  const command = html`<code>bin/latchkey app add</code>`
  const focused =
    (["username", "password", "service"] as const).find((name) => problem(name) !== null) ?? "username"
  const main = html`<h1>${texts.html("set-up.heading", { service: input.look.name })}</h1>
    <p class="lead">${texts.html("set-up.lead")}</p>
    ${problems.length > 0 && alert(texts.html("set-up.not-created"))}
    <form class="stack" method="post" action="${basePath}/setup">
      ${hidden("csrf", csrf)}${hidden("link", link)}
      ${field({
        name: "username",
        label: texts.plain("common.username"),
        autocomplete: "username",
        value: username,
        problem: problem("username"),
        autofocus: focused === "username",
      })}
      ${newPasswordField(texts, { label: "common.password", problem: problem("password"), autofocus: focused === "password" })}
      ${field({
        name: "service",
        label: texts.plain("set-up.service"),
        isOptional: true,
        value: service,
        hint: texts.plain("set-up.service-hint"),
        problem: problem("service"),
        autofocus: focused === "service",
      })}
      <button class="primary">${texts.html("set-up.create")}</button>
    </form>
    <section class="next">
      <h2>${texts.html("set-up.next")}</h2>
      <ol class="steps">
        <li><span>${texts.html("set-up.next-signed-in")}</span></li>
        <li><span>${texts.html("set-up.next-app", { command })}</span></li>
        <li><span>${texts.html("set-up.next-decide")}</span></li>
      </ol>
    </section>`
  return renderDocument(input, { title: texts.plain("set-up.title"), main })
}

/** Renders the page for a set-up link that was used or replaced, or is unknown. */
export function renderSetupGone(input: PageInput): string {
  const { basePath, texts } = input
  const main = html`<h1>${texts.html("set-up.gone-heading")}</h1>
    <p class="lead">${texts.html("set-up.gone-lead")}</p>
    <p>${texts.html("set-up.gone-way-out")}</p>
    ${buttonLink(`${basePath}/sign-in`, texts.html("set-up.gone-sign-in"))}`
  return renderDocument(input, { title: texts.plain("set-up.gone-title"), main })
}
