/** The sentence for each kind of event, addressed to the account holder. */
import { type Html, html } from "../../kernel/html.ts"
import { isOfIcon, isOfPermissions } from "../../model/clients/app-difference.rules.ts"
import type { EventKind } from "../../model/event.rules.ts"
import type { TextKey, Texts } from "../../platform/languages/texts.ts"
import type { Values } from "../../platform/languages/message.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import {
  before,
  factorOf,
  firstFrom,
  groupNames,
  type Labels,
  linkedByAddress,
  provider,
  refusedCodes,
  type Sentence,
  signedInBy,
  throughOf,
} from "./detail-words.ts"
import { revoked } from "./ended-words.ts"

type EventFacts = {
  /** The name of the app. */
  readonly app: Html
  /** Whether an administrator, or the command line, caused the event. */
  readonly isByAdministrator: boolean
  readonly detail: string | null
  readonly providers?: Labels
}

/** The texts of a sentence. Both have the value `app`, and the values here. */
type Parts = {
  readonly text: TextKey
  readonly values?: Values
  readonly more?: TextKey | undefined
  readonly isSerious?: true
}

type Words = (facts: EventFacts & { readonly texts: Texts }) => Parts

/** The texts that have one form for each actor. */
type ByActor = TextKey extends infer K ? (K extends `${infer Base}.by-you` ? Base : never) : never

const serious =
  (text: TextKey, more?: TextKey): Words =>
  () => ({ text, more, isSerious: true })
const actor = (text: ByActor, isByAdministrator: boolean): TextKey =>
  `${text}.${isByAdministrator ? "by-administrator" : "by-you"}`
const byActor =
  (text: ByActor): Words =>
  ({ isByAdministrator }) => ({ text: actor(text, isByAdministrator) })

const ofFactor =
  (kind: "factor-added" | "factor-removed"): Words =>
  ({ texts, detail }) => {
    const name = factorOf(texts, detail)
    return name === null ? { text: `activity.${kind}` } : { text: `activity.${kind}.named`, values: { name } }
  }

const ofGroups =
  (text: TextKey): Words =>
  ({ texts, detail }) => {
    const groups = texts.formats.list(groupNames(detail).map((name) => html`<bdi>${name}</bdi>`))
    return { text, values: { groups: html`${groups}` } }
  }

const ofOrganization =
  (text: TextKey): Words =>
  ({ texts, detail, providers }) => ({ text, values: { provider: provider(texts, detail, providers) } })

const signOuts: ReadonlyMap<string, TextKey> = new Map([
  ["from another browser", "activity.signed-out.another"],
  ["every other browser", "activity.signed-out.others"],
  ["by an app", "activity.signed-out.by-app"],
])

const recoveryRefusals: ReadonlyMap<string, TextKey> = new Map([
  ["the account is disabled", "activity.recovery-refused.disabled"],
  ["the account has no password", "activity.recovery-refused.no-password"],
  ["a link is on its way", "activity.recovery-refused.on-its-way"],
  ["too many links were sent", "activity.recovery-refused.too-many"],
])

/** The kinds with a text of their name. It is the whole sentence, unless the kind has a row below. */
type Named = TextKey extends infer K
  ? K extends `activity.${infer Kind extends EventKind}`
    ? Kind
    : never
  : never

const words: { readonly [K in Exclude<EventKind, Named>]: Words } & { readonly [K in Named]?: Words } = {
  "account-disabled": serious("activity.account-disabled", "activity.account-disabled.more"),
  "administration-withdrawn": () => ({
    text: "activity.administration-withdrawn",
    more: "activity.administration-withdrawn.more",
  }),
  "groups-joined": ofGroups("activity.groups-joined"),
  "groups-left": ofGroups("activity.groups-left"),
  "password-changed": ({ isByAdministrator }) => ({
    text: actor("activity.password-changed", isByAdministrator),
    more: actor("activity.password-changed.more", isByAdministrator),
  }),
  "email-changed": ({ texts, detail, providers, isByAdministrator }) => {
    const name = throughOf(detail)
    if (name !== null)
      return {
        text: "activity.email-changed.through",
        values: { provider: provider(texts, name, providers) },
      }
    return {
      text: actor("activity.email-changed", isByAdministrator),
      more: isByAdministrator ? undefined : "activity.not-you",
    }
  },
  "email-restored": serious("activity.email-restored", "activity.email-restored.more"),
  "email-removed": byActor("activity.email-removed"),
  "recovery-link-made": ({ isByAdministrator }) => ({
    text: isByAdministrator
      ? "activity.recovery-link-made.by-administrator"
      : "activity.recovery-link-made.by-mail",
  }),
  "recovery-refused": ({ detail }) => ({
    text: "activity.recovery-refused",
    more: recoveryRefusals.get(detail ?? "") ?? "activity.recovery-refused.more",
  }),
  "factor-added": ofFactor("factor-added"),
  "factor-removed": ofFactor("factor-removed"),
  "factors-reset": serious("activity.factors-reset", "activity.factors-reset.more"),
  "factor-refused": ({ detail }) => {
    const codes = refusedCodes(detail)
    if (codes === null)
      return { text: "activity.factor-refused", values: { proof: before(detail) }, more: "activity.not-you" }
    return {
      text: codes.isKnown ? "activity.codes-refused.known-browser" : "activity.codes-refused",
      values: { count: codes.count },
      more: codes.count === 1 ? "activity.not-you" : "activity.codes-refused.more",
    }
  },
  "codes-closed": serious("activity.codes-closed", "activity.codes-closed.more"),
  "recovery-code-used": ({ detail }) => {
    const [, left] = /^(\d+) left$/.exec(detail ?? "") ?? []
    return left === undefined
      ? { text: "activity.recovery-code-used" }
      : { text: "activity.recovery-code-used.left", values: { left: Number(left) } }
  },
  "identity-linked": ({ texts, detail, providers, isByAdministrator }) => {
    const name = linkedByAddress(detail)
    return {
      text:
        name === null
          ? actor("activity.identity-linked", isByAdministrator)
          : "activity.identity-linked.by-address",
      values: { provider: provider(texts, name ?? detail, providers) },
      more: "activity.identity-linked.more",
      isSerious: true,
    }
  },
  "identity-unlinked": ({ texts, detail, providers, isByAdministrator }) => ({
    text: actor("activity.identity-unlinked", isByAdministrator),
    values: { provider: provider(texts, detail, providers) },
  }),
  "organization-connected": ofOrganization("activity.organization-connected"),
  "organization-allowed": ofOrganization("activity.organization-allowed"),
  "signed-in": ({ texts, detail, providers }) => signedInBy(texts, detail, providers),
  "sign-in-refused": ({ texts, detail, providers }) => ({
    text: detail === null ? "activity.sign-in-refused" : "activity.sign-in-refused.through",
    values: { provider: provider(texts, detail, providers) },
    more: "activity.sign-in-refused.more",
  }),
  "guessing-suspected": serious("activity.guessing-suspected", "activity.guessing-suspected.more"),
  "signed-out": ({ detail }) => ({ text: signOuts.get(detail ?? "") ?? "activity.signed-out" }),
  "app-registered": byActor("activity.app-registered"),
  "app-changed": ({ detail, isByAdministrator }) => {
    const what = isOfIcon(detail) ? ".icon" : isOfPermissions(detail) ? ".permissions" : ""
    return { text: actor(`activity.app-changed${what}`, isByAdministrator) }
  },
  "app-disabled": byActor("activity.app-disabled"),
  "app-enabled": byActor("activity.app-enabled"),
  "app-removed": ({ texts, detail, isByAdministrator }) => {
    if (detail === null) return { text: actor("activity.app-removed.nameless", isByAdministrator) }
    const name = shownName(detail, texts.plain("common.nameless-app"))
    return {
      text: actor("activity.app-removed", isByAdministrator),
      values: { app: html`<bdi>${name}</bdi>` },
    }
  },
  "app-secret-rotated": byActor("activity.app-secret-rotated"),
  "code-replayed": serious("activity.code-replayed", "activity.code-replayed.more"),
  "refresh-repeated-elsewhere": ({ detail }) => {
    const address = firstFrom(detail)
    return {
      text: "activity.refresh-repeated-elsewhere",
      ...(address === null
        ? { more: "activity.refresh-repeated-elsewhere.more" }
        : { more: "activity.refresh-repeated-elsewhere.more-from", values: { address } }),
      isSerious: true,
    }
  },
  "refresh-token-reused": serious("activity.refresh-token-reused", "activity.refresh-token-reused.more"),
  "credential-revoked": ({ detail }) => ({ text: revoked(detail) }),
}

export function eventSentence(texts: Texts, kind: EventKind, facts: EventFacts): Sentence {
  const parts: Parts = words[kind]?.({ ...facts, texts }) ?? { text: `activity.${kind as Named}` }
  const { text, values, more, isSerious = false } = parts
  const all = { app: facts.app, ...values }
  return {
    text: texts.html(text, all),
    ...(more !== undefined && { more: texts.html(more, all) }),
    isSerious,
  }
}

/** The app's owner or an administrator made the change. */
export function usedAppSentence(texts: Texts, kind: EventKind, app: Html): Sentence {
  if (kind === "app-enabled") return { text: texts.html("activity.used-app.enabled", { app }) }
  const key = kind === "app-disabled" ? "activity.used-app.disabled" : "activity.used-app.changed"
  return { text: texts.html(key, { app }), more: texts.html(`${key}.more`) }
}
