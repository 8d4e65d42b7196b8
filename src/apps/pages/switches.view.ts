/** Renders the switches of an app: in its form, and as facts on its page. */
import { type AppSwitch, appSwitches, type Switches } from "../../model/clients/app-switches.rules.ts"
import { options } from "../../platform/ui/fields.ts"
import { hidden } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { TextKey, Texts } from "../../platform/languages/texts.ts"

type Switch = (typeof appSwitches)[number]

type Fact = TextKey extends infer K ? (K extends `switch.${infer Flag}.term` ? Flag : never) : never

/** In the order of the form. A switch with a fact has a line on the page of the app. */
const facts: Readonly<Record<AppSwitch, Fact | null>> = {
  verified: null,
  stepUp: "step-up",
  resourceServer: null,
  deviceFlow: "device-flow",
  endsWithSession: "ends-with-session",
  rememberConsent: null,
}

const inForm = (Object.keys(facts) as AppSwitch[]).flatMap((member) =>
  appSwitches.filter((row) => row.member === member),
)

/** Renders the switches that the person may set. `isPublic` is true for a registered public app. */
export function switchFields(
  texts: Texts,
  typed: Switches,
  isAdministrators: boolean,
  isPublic: boolean,
  problem: string | null,
): Html {
  const shown = ({ setBy, confidentialOnly = false }: Switch) =>
    (isAdministrators || setBy === "owner") && !(confidentialOnly && isPublic)
  const fields = inForm.filter(shown).map(({ member, name, flag, confidentialOnly = false }) => {
    const title = texts.plain(`switch.${flag}.title`)
    const explanation = texts.html(`switch.${flag}.explanation`)
    const look = confidentialOnly && problem === null ? "confidential" : undefined
    return { name, value: "on", title, explanation, isChecked: typed[member], look }
  })
  return options(
    "checkbox",
    isAdministrators
      ? { legend: texts.plain("switch.legend.administrator"), problem }
      : { legend: texts.plain("switch.legend") },
    fields,
  )
}

export function hiddenSwitches(typed: Switches): Html {
  return html`${inForm.map(({ member, name }) => typed[member] && hidden(name, "on"))}`
}

/** Returns the lines of the switches that `setBy` may set. */
export function switchFacts(
  texts: Texts,
  client: Switches,
  setBy: Switch["setBy"],
): readonly (readonly [string, string])[] {
  return inForm.flatMap((row) => {
    const fact = facts[row.member]
    if (row.setBy !== setBy || fact === null) return []
    const state = client[row.member] ? "on" : "off"
    return [[texts.plain(`switch.${fact}.term`), texts.plain(`switch.${fact}.${state}`)] as const]
  })
}
