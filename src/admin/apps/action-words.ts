/** The texts of the console’s confirmation page for actions on an app. */
import type { AppAction } from "../../apps/pages/app-page.ts"

type Words = {
  /** The beginning of the page's title. The name of the app follows. */
  readonly title: string
  readonly lead: string
  readonly button: string
  readonly isDangerous: boolean
}

export const actionWords: Readonly<Record<AppAction, Words>> = {
  disable: {
    title: "Disable",
    lead: "The app stops working at once for everyone. When it is enabled again, no one has to sign in again.",
    button: "Disable",
    isDangerous: true,
  },
  enable: {
    title: "Enable",
    lead: "The app and its credentials work again.",
    button: "Enable",
    isDangerous: false,
  },
  "allow-step-up": {
    title: "Allow step-up for",
    lead: "Before something serious, the app may send people here to prove a second factor.",
    button: "Allow step-up",
    isDangerous: false,
  },
  "withdraw-step-up": {
    title: "Withdraw step-up from",
    lead: "The app can no longer ask for a step-up, so it is refused everything that needs one. Credentials that are elevated now stay elevated until their time ends.",
    button: "Withdraw step-up",
    isDangerous: true,
  },
  remove: {
    title: "Remove",
    lead: "Everyone is signed out of the app at once and for good. Its client id never comes back.",
    button: "Remove for good",
    isDangerous: true,
  },
  secret: {
    title: "A new secret for",
    lead: "The old secret stops working at once. Until its server has the new one, the app can neither sign anyone in nor renew its access. No one is signed out.",
    button: "Make a new secret",
    isDangerous: true,
  },
}
