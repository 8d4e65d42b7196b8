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
  typed: Pick<TypedApp, "jwks" | "jwksUri">,
  {
    isNew,
    mayName,
    problem,
  }: { readonly isNew: boolean; readonly mayName: boolean; readonly problem: string | null },
): Html {
  return html`${lines({
    name: "jwks",
    label: "Public keys",
    hint: isNew
      ? html`For a confidential app that signs in place of sending a secret (<code>private_key_jwt</code>): a
        JWK set. Leave empty for an app with a secret.`
      : html`A JWK set that replaces the keys or the secret at once, for good. Leave empty to keep them.`,
    value: typed.jwks,
    rows: 4,
    problem,
  })}
  ${
    mayName &&
    field({
      name: "jwks_uri",
      label: "Address of the public keys",
      type: "text",
      autocomplete: "off",
      isOptional: true,
      value: typed.jwksUri,
      hint: "In place of the keys: an https address that the service fetches them from.",
      problem: null,
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
  const fetched = fetchedAt === null ? "Not yet" : secondOf(texts, fetchedAt)
  return [
    ["Authenticates with", "A key (private_key_jwt)"],
    ...(address === null
      ? []
      : ([
          ["Keys are at", html`<code><bdi>${address}</bdi></code>`],
          ["Keys were fetched", problem === null ? fetched : html`${fetched}. Last request: ${problem}`],
        ] as const)),
    ["Keys", keys.length === 0 ? "None known" : listed],
  ]
}
