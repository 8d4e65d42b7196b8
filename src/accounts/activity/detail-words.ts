/** Parts of the sentences about events, from the names and details that events store. */
import { type Html, html, type Insertable } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

export type Sentence = {
  readonly text: Insertable
  readonly more?: Insertable
  /** Whether the list marks the event as important. */
  readonly isSerious?: boolean
}

export const NOT_YOU = "If that was not you, change your password."

/** Ends a sentence with a name, which may end with a period. */
export function closing(name: Html | false): Html {
  const ended = html`${name}`
  return String(ended).endsWith(".</bdi>") ? ended : html`${ended}.`
}

const secondSteps: ReadonlyMap<string, string> = new Map([
  ["passkey", "a passkey"],
  ["totp", "a code"],
  ["recovery", "a recovery code"],
])

/** Reads event details such as `totp`, and `through google, then passkey`. */
export function signedInBy(detail: string | null): Insertable {
  const [, through, second] = /^through ([^,]*)(?:, then (.*))?$/s.exec(detail ?? "") ?? []
  const step = secondSteps.get(second ?? detail ?? "")
  if (through !== undefined) {
    const more = second !== undefined && ` and ${step === undefined ? "a second step" : `with ${step}`}`
    return html`through ${provider(through)}${more}`
  }
  if (detail === "passkey") return "with a passkey"
  return step === undefined ? "with your password" : `with your password and ${step}`
}

export function connected(detail: string | null, who: string): Html {
  const [, name] = /^([a-z0-9-]+) by e-mail address: /.exec(detail ?? "") ?? []
  return name === undefined
    ? html`${who} connected your account to ${closing(provider(detail))}`
    : html`Your account was connected to ${provider(name)} by its e-mail address.`
}

/** Reads event details such as `google: alice@example.org`. */
export function provider(detail: string | null): Html {
  return html`<bdi>${shownName((detail ?? "").replace(/:.*/s, ""), "a sign-in provider")}</bdi>`
}

const wrongProofs: ReadonlyMap<string, string> = new Map([
  ["password", "The password, asked for again while you were signed in,"],
  ["code", "A code for your account"],
  ["passkey", "A passkey for your account"],
])

/** Reads event details such as `passkey: its count went back`. */
export function wrongProof(detail: string | null): string {
  return wrongProofs.get(detail?.replace(/:.*/s, "") ?? "") ?? "A proof that it was you"
}

/** Reads event details such as `code: 7 in a row` and `code from a known browser: 7 in a row`. */
export function refusedCodes(detail: string | null): Sentence | null {
  const [, isKnown, count] = /^code( from a known browser)?: (\d+) in a row$/.exec(detail ?? "") ?? []
  if (count === undefined) return null
  const from = isKnown === undefined ? "" : ", from a browser that had signed in before,"
  return count === "1"
    ? { text: `A code for your account${from} was not right.`, more: NOT_YOU }
    : {
        text: `${count} codes in a row for your account${from} were not right.`,
        more: `Time and network address are those of the first. ${NOT_YOU}`,
      }
}

const signOuts: ReadonlyMap<string, string> = new Map([
  ["from another browser", "You signed another browser out."],
  ["every other browser", "You signed every other browser out."],
  ["by an app", "An app of yours signed a browser out."],
])

export function signedOut(detail: string | null): string {
  return signOuts.get(detail ?? "") ?? "You signed out."
}

/** Reads event details such as `first from 192.0.2.7`. */
export function firstFrom(detail: string | null): Html | false {
  const [, address] = /^first from ([0-9a-f.:]+)$/.exec(detail ?? "") ?? []
  return address !== undefined && html`The first was <bdi>${address}</bdi>. `
}

/** Reads event details such as `totp: My phone`. */
export function factor(detail: string | null): Html | false {
  const name = shownName((detail ?? "").replace(/^[a-z]+: /, ""), "")
  return name !== "" && html`: <bdi>${name}</bdi>`
}
