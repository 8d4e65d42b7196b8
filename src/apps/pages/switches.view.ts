/** Renders the switches of an app: in its form, and as facts on its page. */
import { type AppSwitch, appSwitches, type Switches } from "../../model/clients/app-switches.rules.ts"
import { options } from "../../platform/ui/fields.ts"
import { hidden } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { switchTexts } from "./switch-texts.ts"

type Switch = (typeof appSwitches)[number]

/** The rows in the order of the form. */
const inForm = (Object.keys(switchTexts) as AppSwitch[]).flatMap((member) =>
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
  const fields = inForm.filter(shown).map(({ member, name, confidentialOnly = false }) => {
    const { key } = switchTexts[member]
    const [title, explanation] = [texts.plain(`switch.${key}.title`), texts.html(`switch.${key}.explanation`)]
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
    const { fact } = switchTexts[row.member]
    if (row.setBy !== setBy || fact === undefined) return []
    const state = client[row.member] ? "on" : "off"
    return [[texts.plain(`switch.${fact}.term`), texts.plain(`switch.${fact}.${state}`)] as const]
  })
}
