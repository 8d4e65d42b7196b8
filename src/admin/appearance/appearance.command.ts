/** The `appearance` commands. */
import { iconIn } from "../../apps/icon/icon-flag.ts"
import { didYouMean } from "../../kernel/suggest.ts"
import type { AppearancePatch } from "../../model/appearance-changes.rules.ts"
import { type Appearance, appearanceMembers, memberNames } from "../../model/appearance.rules.ts"
import { BEFORE_FIRST_START } from "../../platform/cli/base-url-flag.ts"
import { recordedBaseUrl } from "../../platform/services/recorded-base-url.ts"
import { type Answer, command, done, type Globals, refused, usageError } from "../../platform/cli/command.ts"
import { fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { facts } from "../../platform/cli/print.ts"
import { appearanceRecord } from "./appearance-record.ts"
import { changeAppearance, storedAppearance } from "./appearance.ts"

const AS_JSON = "With --json: {name, color, logo, logo_dark, support, terms, privacy}."
const TAKES_EFFECT = "A running service applies the change within a second."

const show = command({
  name: "appearance show",
  summary: "Print the name, color, logos and links of the service",
  notes: [AS_JSON],
  example: "latchkey appearance show",
  run: ({ globals }) =>
    withStore(globals, "refuse", async (opened) => printed(opened, await storedAppearance(opened))),
})

const flagOf = (member: keyof Appearance, value: string) => ({
  value,
  summary: appearanceMembers[member].summary,
})

/** The name on the command line. */
const wordOf = (member: keyof Appearance) => appearanceMembers[member].key.slice("appearance.".length)

const set = command({
  name: "appearance set",
  summary: "Change the name, color, logos and links of the service",
  flags: {
    name: flagOf("name", "TEXT"),
    color: flagOf("color", "HEX"),
    logo: flagOf("logo", "FILE"),
    "logo-dark": flagOf("logoDark", "FILE"),
    support: flagOf("support", "URL"),
    terms: flagOf("terms", "URL"),
    privacy: flagOf("privacy", "URL"),
  },
  notes: [
    TAKES_EFFECT,
    "There is no style sheet, markup or script to set: what can restyle a consent page can fake one.",
    AS_JSON,
  ],
  example: 'latchkey appearance set --name Acme --color "#1a56db" --logo acme.png',
  run: async ({ flags: { logo: file, "logo-dark": darkFile, ...texts }, globals }) => {
    const logo = await iconIn(file, "logo")
    if (!logo.ok) return refused(logo.error)
    const logoDark = await iconIn(darkFile, "logoDark")
    if (!logoDark.ok) return refused(logoDark.error)
    const given = { ...texts, logo: logo.value, logoDark: logoDark.value }
    const named = memberNames.filter((member) => given[member] !== null)
    if (named.length === 0) return usageError("appearance set needs a member to set, such as --name.")
    return change(globals, Object.fromEntries(named.map((member) => [member, given[member]])))
  },
})

const words = memberNames.map(wordOf)

const unset = command({
  name: "appearance unset",
  summary: "Reset members of the appearance to their defaults",
  operands: ["MEMBER…"],
  notes: [`The members are ${words.join(", ")}.`, TAKES_EFFECT, AS_JSON],
  example: "latchkey appearance unset color logo",
  run: async ({ operands: [typed], globals }) => {
    const members = typed.replaceAll("_", "-").split(" ")
    const unknown = members.find((word) => !words.includes(word))
    if (unknown !== undefined)
      return usageError(
        `The appearance has no member ${JSON.stringify(unknown)}.${didYouMean(unknown, words) || ` The members are ${words.join(", ")}.`}`,
      )
    const removed = memberNames.filter((member) => members.includes(wordOf(member)))
    return change(globals, Object.fromEntries(removed.map((member) => [member, null])))
  },
})

export const appearanceCommands = [show, set, unset]

function change(globals: Globals, patch: AppearancePatch): Promise<Answer> {
  return withStore(globals, "create", async (opened) => {
    const changed = await changeAppearance(opened, patch, fromCommandLine)
    if (changed.ok) return printed(opened, changed.value)
    return refused(...Object.entries(changed.error).map(([member, problem]) => `--${member}: ${problem}`))
  })
}

async function printed({ store }: Opened, appearance: Appearance): Promise<Answer> {
  const shown = appearanceRecord(appearance, (await recordedBaseUrl(store)) ?? BEFORE_FIRST_START)
  return done(shown, facts(shown))
}
