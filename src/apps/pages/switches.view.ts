/** Renders the switches of an app: in its form, and as facts on its page. */
import { type AppSwitch, appSwitches, type Switches } from "../../model/clients/app-switches.rules.ts"
import { options } from "../../platform/ui/fields.ts"
import { hidden } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { switchWords } from "./switch-words.ts"

type Switch = (typeof appSwitches)[number]

/** The rows in the order of their words. */
const inForm = (Object.keys(switchWords) as AppSwitch[]).flatMap((member) =>
  appSwitches.filter((row) => row.member === member),
)

/** Renders the switches that the person may set. `isPublic` is true for a registered public app. */
export function switchFields(
  typed: Switches,
  isAdministrators: boolean,
  isPublic: boolean,
  problem: string | null,
): Html {
  const shown = ({ setBy, confidentialOnly = false }: Switch) =>
    (isAdministrators || setBy === "owner") && !(confidentialOnly && isPublic)
  const fields = inForm.filter(shown).map(({ member, name, confidentialOnly = false }) => {
    const { title, explanation } = switchWords[member]
    const look = confidentialOnly && problem === null ? "confidential" : undefined
    return { name, value: "on", title, explanation, isChecked: typed[member], look }
  })
  return options(
    "checkbox",
    isAdministrators ? { legend: "What the service grants it", problem } : { legend: "Step-up" },
    fields,
  )
}

export function hiddenSwitches(typed: Switches): Html {
  return html`${inForm.map(({ member, name }) => typed[member] && hidden(name, "on"))}`
}

/** Returns the lines of the switches that `setBy` may set. */
export function switchFacts(
  client: Switches,
  setBy: Switch["setBy"],
): readonly (readonly [string, string])[] {
  return inForm.flatMap((row) => {
    const { fact } = switchWords[row.member]
    return row.setBy !== setBy || fact === undefined
      ? []
      : [[fact.term, client[row.member] ? fact.on : fact.off] as const]
  })
}
