/** The words of pages for the switches of an app, in the order of the form. */
import type { AppSwitch } from "../../model/clients/app-switches.rules.ts"

type Words = {
  readonly title: string
  readonly explanation: string
  /** The line on the page of the app: its term, and its texts for on and off. Without it, the page has no such line. */
  readonly fact?: { readonly term: string; readonly on: string; readonly off: string }
}

export const switchWords: Readonly<Record<AppSwitch, Words>> = {
  verified: {
    title: "Verified",
    explanation: "You vouch for the app: people see its icon when it asks for access.",
  },
  stepUp: {
    title: "May ask for a step-up",
    explanation: "Before something serious, the app may send people here to prove a second factor.",
    fact: { term: "Step-up", on: "Allowed", off: "Not allowed" },
  },
  resourceServer: {
    title: "Resource server",
    explanation: "An API that may introspect every token. Confidential apps only.",
  },
  deviceFlow: {
    title: "May use the device flow",
    explanation:
      "For devices without a browser. Without it, the app cannot send people to the page that takes a code.",
    fact: { term: "Device flow", on: "Allowed", off: "Not allowed" },
  },
  endsWithSession: {
    title: "Ends with the sign-in session",
    explanation:
      "Its access ends when people sign out of the browser in which they allowed it. Applies to access that is allowed from now on.",
    fact: { term: "Ends with the sign-in session", on: "Yes", off: "No" },
  },
}
