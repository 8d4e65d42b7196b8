/** Renders the keys of an app: the fields of its form, and the facts on its page. KEY-2, KEY-8. */
import type { TypedKeys } from "../app-problems.rules.ts"
import { type Workload, workloadFrom, workloadMembers } from "../../model/clients/workload.rules.ts"
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
  readonly workload: Workload | null
  readonly keys: readonly { readonly name: string; readonly thumbprint: string }[]
}

export function keyFields(
  texts: Texts,
  typed: TypedKeys,
  {
    isNew,
    mayName,
    problem,
  }: { readonly isNew: boolean; readonly mayName: boolean; readonly problem: string | null },
): Html {
  const isOfWorkload = workloadFrom((member) => typed.workload[member]) !== undefined
  return html`${lines({
    name: "jwks",
    label: texts.plain("app-keys.field"),
    hint: isNew
      ? texts.html("app-keys.hint.new", { method: html`<code>private_key_jwt</code>` })
      : texts.html("app-keys.hint.change"),
    value: typed.jwks,
    rows: 4,
    problem: isOfWorkload ? null : problem,
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
  }
  ${mayName && workloadFields(typed.workload, isNew, isOfWorkload, problem)}`
}

/** Only administrators have these fields, and the console is in English. */
function workloadFields(workload: Workload, isNew: boolean, isTyped: boolean, problem: string | null): Html {
  const place =
    workloadMembers.findLast(({ member }) => problem?.includes(member) === true)?.member ?? "issuer"
  return html`<details class="more" ${isTyped && html`open`}>
    <summary>A platform's token in place of a key</summary>
    <p class="hint">
      An app that runs on GitHub Actions or Kubernetes needs no secret: the platform says what runs, and that
      acts as the service account below. The issuer names its keys, unless you enter them above.
      ${!isNew && "What you enter replaces the secret or the keys at once, for good. Leave empty to keep them."}
    </p>
    ${workloadMembers.map(({ member, title, example }) =>
      field({
        name: `workload_${member}`,
        label: title,
        isOptional: true,
        value: workload[member],
        hint: `For example ${example}`,
        problem: isTyped && member === place ? problem : null,
      }),
    )}
  </details>`
}

function workloadFacts(texts: Texts, workload: Workload): Html {
  return html`${texts.html("app-keys.workload")}
    <ul class="addresses">
      ${workloadMembers.map(
        ({ member, claim }) =>
          html`<li>
            <code><bdi>${claim} = ${workload[member]}</bdi></code>
          </li>`,
      )}
    </ul>`
}

/** Renders the keys as rows of a list of facts. */
export function keyFacts(
  texts: Texts,
  { address, fetchedAt, problem, workload, keys }: ShownKeys,
): readonly (readonly [string, Insertable])[] {
  const listed = html`<ul class="addresses">
    ${keys.map(({ name, thumbprint }) => html`<li><bdi>${name}</bdi> <code>${thumbprint}</code></li>`)}
  </ul>`
  const fetched = fetchedAt === null ? texts.html("app-keys.not-fetched") : secondOf(texts, fetchedAt)
  return [
    [
      texts.plain("app-keys.authenticates-with"),
      workload === null ? texts.html("app-keys.key") : workloadFacts(texts, workload),
    ],
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
