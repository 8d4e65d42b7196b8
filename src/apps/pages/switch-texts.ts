/** The keys of the texts for the switches of an app, in the order of the form. */
import type { AppSwitch } from "../../model/clients/app-switches.rules.ts"
import type { TextKey } from "../../platform/languages/texts.ts"

type KeyOf<T> = T extends `switch.${infer Key}.explanation` ? Key : never
type FactOf<T> = T extends `switch.${infer Key}.term` ? Key : never

type SwitchTexts = {
  readonly key: KeyOf<TextKey>
  /** Without it, the page of the app has no line for the switch. */
  readonly fact?: FactOf<TextKey>
}

export const switchTexts: Readonly<Record<AppSwitch, SwitchTexts>> = {
  verified: { key: "verified" },
  stepUp: { key: "step-up", fact: "step-up" },
  resourceServer: { key: "resource-server" },
  deviceFlow: { key: "device-flow", fact: "device-flow" },
  endsWithSession: { key: "ends-with-session", fact: "ends-with-session" },
}
