/** Renders the keys of an app: the fields of its form, and the facts on its page. KEY-2, KEY-8. */
import type { TypedApp } from "../app-problems.rules.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { lines } from "../../platform/ui/fields.ts"
import { field } from "../../platform/ui/form.ts"
import { secondOf } from "../../platform/ui/instant.ts"
import { type Html, html, type Insertable } from "../../kernel/html.ts"

export type ShownKeys = {
  /** The URL of the keys. It is null if the registration itself contains the keys. */
  readonly address: string | null
  /** The time of the last successful fetch from the URL. */
  readonly fetchedAt: number | null
  readonly problem: string | null
  readonly keys: readonly { readonly name: string; readonly thumbprint: string }[]
}

export function keyFields(
  texts: Texts,
  typed: Pick<TypedApp, "jwks" | "jwksUri">,
  {
    isNew,
    mayName,
    problem,
  }: { readonly isNew: boolean; readonly mayName: boolean; readonly problem: string | null },
): Html {
  return html`${lines({
    name: "jwks",
    label: texts.plain("app-keys.field"),
    hint: isNew
      ? texts.html("app-keys.hint.new", { method: html`<code>private_key_jwt</code>` })
      : texts.html("app-keys.hint.change"),
    value: typed.jwks,
    rows: 4,
    problem,
  })}
  ${
    mayName &&
    field({
      name: "jwks_uri",
      label: texts.plain("app-keys.address.field"),
      isOptional: true,
      value: typed.jwksUri,
      hint: texts.plain("app-keys.address.hint"),
    })
  }`
}

/** Renders the keys as rows of a list of facts. */
export function keyFacts(
  texts: Texts,
  { address, fetchedAt, problem, keys }: ShownKeys,
): readonly (readonly [string, Insertable])[] {
  const listed = html`<ul class="addresses">
    ${keys.map(({ name, thumbprint }) => html`<li><bdi>${name}</bdi> <code>${thumbprint}</code></li>`)}
  </ul>`
  const fetched = fetchedAt === null ? texts.html("app-keys.not-fetched") : secondOf(texts, fetchedAt)
  return [
    [texts.plain("app-keys.authenticates-with"), texts.html("app-keys.key")],
    ...(address === null
      ? []
      : ([
          [texts.plain("app-keys.address"), html`<code><bdi>${address}</bdi></code>`],
          [
            texts.plain("app-keys.fetched"),
            problem === null ? fetched : texts.html("app-keys.problem", { fetched, problem }),
          ],
        ] as const)),
    [texts.plain("app-keys.keys"), keys.length === 0 ? texts.html("app-keys.none") : listed],
  ]
}
