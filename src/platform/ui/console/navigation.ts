/** The navigation of the console. */
import type { Navigation } from "../account-frame.ts"

const places = {
  overview: ["", "Overview"],
  accounts: ["/accounts", "Accounts"],
  groups: ["/groups", "Groups"],
  apps: ["/apps", "Apps"],
  credentials: ["/credentials", "Credentials"],
  events: ["/events", "Events"],
  health: ["/health", "App health"],
  settings: ["/settings", "Settings"],
} as const

export type Place = keyof typeof places

/** Returns the navigation. `place` is the current page, or null if the page is not in the navigation. */
export function consoleNavigation(place: Place | null): Navigation {
  return {
    label: "Console",
    places: Object.values(places).map(([below, label]) => ({ path: `/console${below}`, label })),
    here: place === null ? null : `/console${places[place][0]}`,
    elsewhere: { path: "/account", label: "Your account" },
  }
}
