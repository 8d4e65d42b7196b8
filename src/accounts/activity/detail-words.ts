/** What sentences about events take from the details that events store. */
import { type Html, html } from "../../kernel/html.ts"
import type { TextKey, Texts } from "../../platform/languages/texts.ts"
import { factorName } from "../factors/factor-name.ts"
import type { Factor } from "../../model/factor.rules.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

export type Sentence = {
  readonly text: Html
  readonly more?: Html
  /** Whether the list marks the event as important. */
  readonly isSerious?: boolean
}

/** A text with the value that its detail has. */
export type Phrase = { readonly text: TextKey; readonly values?: Readonly<Record<string, Html | string>> }

/** Reads event details such as `totp`, and `through google, then passkey`. */
export function signedInBy(texts: Texts, detail: string | null, labels?: Labels): Phrase {
  const [, through, second] = /^through ([^,]*)(?:, then (.*))?$/s.exec(detail ?? "") ?? []
  return through === undefined
    ? { text: "activity.signed-in", values: { step: detail ?? "" } }
    : {
        text: "activity.signed-in.through",
        values: { provider: provider(texts, through, labels), step: second ?? "none" },
      }
}

/** Reads event details such as `google by e-mail address: alice@example.org`. Returns the name of the provider. */
export function linkedByAddress(detail: string | null): string | null {
  return /^([a-z0-9-]+) by e-mail address: /.exec(detail ?? "")?.[1] ?? null
}

/** The providers of the configuration by their names. One that left it is named as the event names it. */
export type Labels = ReadonlyMap<string, { readonly label: string }>

/** Reads event details such as `google: alice@example.org`. */
export function provider(texts: Texts, detail: string | null, labels?: Labels): Html {
  const name = before(detail)
  return html`<bdi>${shownName(labels?.get(name)?.label ?? name, texts.plain("activity.a-provider"))}</bdi>`
}

/** Reads event details such as `through shop`. */
export function throughOf(detail: string | null): string | null {
  return /^through ([^,]*)$/s.exec(detail ?? "")?.[1] ?? null
}

/** Returns the part before the colon of details such as `passkey: its count went back`. */
export function before(detail: string | null): string {
  return (detail ?? "").replace(/:.*/s, "")
}

/** Reads event details such as `code: 7 in a row` and `code from a known browser: 7 in a row`. */
export function refusedCodes(
  detail: string | null,
): { readonly isKnown: boolean; readonly count: number } | null {
  const [, known, count] = /^code( from a known browser)?: (\d+) in a row$/.exec(detail ?? "") ?? []
  return count === undefined ? null : { isKnown: known !== undefined, count: Number(count) }
}

/** Reads event details such as `first from 192.0.2.7`. */
export function firstFrom(detail: string | null): Html | null {
  const [, address] = /^first from ([0-9a-f.:]+)$/.exec(detail ?? "") ?? []
  return address === undefined ? null : html`<bdi>${address}</bdi>`
}

/** Reads event details such as `sales support, by the rule of corp`. */
export function groupNames(detail: string | null): readonly string[] {
  return (detail ?? "").replace(/,.*/s, "").split(" ")
}

/** Reads event details such as `totp: My phone`. */
export function factorOf(texts: Texts, detail: string | null): Html | null {
  const [, kind, name = ""] = /^(totp|passkey|recovery): (.*)$/s.exec(detail ?? "") ?? []
  return kind === undefined
    ? null
    : html`<bdi>${factorName(texts, { kind: kind as Factor["kind"], name })}</bdi>`
}
