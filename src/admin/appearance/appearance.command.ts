/** The `appearance` commands. */
import { iconIn } from "../../apps/icon/icon-flag.ts"
import { didYouMean } from "../../kernel/suggest.ts"
import { type Appearance, logoMembers, textMemberNames, textMembers } from "../../model/appearance.rules.ts"
import { baseUrlForLinks } from "../../platform/cli/base-url-flag.ts"
import { type Answer, command, done, refused, usageError } from "../../platform/cli/command.ts"
import { fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { facts } from "../../platform/cli/print.ts"
import { appearanceRecord } from "./appearance-record.ts"
import { changeAppearance, storedAppearance, storeLogo } from "./appearance.ts"

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

const textFlag = <const V extends string>(member: keyof typeof textMembers, value: V) => ({
  value,
  summary: textMembers[member].summary,
})

const set = command({
  name: "appearance set",
  summary: "Change the name, color, logos and links of the service",
  flags: {
    name: textFlag("name", "TEXT"),
    color: textFlag("color", "HEX"),
    logo: { value: "FILE", summary: logoMembers.logo.summary },
    "logo-dark": { value: "FILE", summary: logoMembers.logoDark.summary },
    support: textFlag("support", "URL"),
    terms: textFlag("terms", "URL"),
    privacy: textFlag("privacy", "URL"),
  },
  notes: [
    TAKES_EFFECT,
    "There is no style sheet, markup or script to set: what can restyle a consent page can fake one.",
    AS_JSON,
  ],
  example: 'latchkey appearance set --name Acme --color "#1a56db" --logo acme.png',
  run: async ({ flags, globals }) => {
    if (Object.values(flags).every((value) => value === null))
      return usageError("appearance set needs a member to set, such as --name.")
    const logo = await iconIn(flags.logo, "logo")
    if (!logo.ok) return refused(logo.error)
    const dark = await iconIn(flags["logo-dark"], "logo")
    if (!dark.ok) return refused(dark.error)
    return withStore(globals, "create", async (opened) => {
      const patch = Object.fromEntries(textMemberNames.map((member) => [member, flags[member] ?? undefined]))
      const changed = await changeAppearance(opened, patch, fromCommandLine)
      if (!changed.ok) return refused(`--${changed.error.member}: ${changed.error.problem}`)
      if (logo.value !== null) await storeLogo(opened, "logo", logo.value, fromCommandLine)
      if (dark.value !== null) await storeLogo(opened, "logoDark", dark.value, fromCommandLine)
      return printed(opened, await storedAppearance(opened))
    })
  },
})

const unsettable = ["name", "color", "logo", "logo-dark", "support", "terms", "privacy"] as const

const unset = command({
  name: "appearance unset",
  summary: "Reset members of the appearance to their defaults",
  operands: ["MEMBER…"],
  notes: [`The members are ${unsettable.join(", ")}.`, TAKES_EFFECT, AS_JSON],
  example: "latchkey appearance unset color logo",
  run: async ({ operands: [words], globals }) => {
    const members = words.split(" ")
    const unknown = members.find((word) => !(unsettable as readonly string[]).includes(word))
    if (unknown !== undefined)
      return usageError(
        `The appearance has no member ${JSON.stringify(unknown)}.${didYouMean(unknown, unsettable) || ` The members are ${unsettable.join(", ")}.`}`,
      )
    return withStore(globals, "create", async (opened) => {
      const patch = textMemberNames.filter((member) => members.includes(member))
      await changeAppearance(
        opened,
        Object.fromEntries(patch.map((member) => [member, null])),
        fromCommandLine,
      )
      if (members.includes("logo")) await storeLogo(opened, "logo", null, fromCommandLine)
      if (members.includes("logo-dark")) await storeLogo(opened, "logoDark", null, fromCommandLine)
      return printed(opened, await storedAppearance(opened))
    })
  },
})

export const appearanceCommands = [show, set, unset]

async function printed({ store }: Opened, appearance: Appearance): Promise<Answer> {
  const flags = { "base-url": null }
  const baseUrl = await baseUrlForLinks({ flags, globals: { sourceOf: (flag) => flag } }, store)
  const shown = appearanceRecord(appearance, baseUrl.ok ? baseUrl.value : "")
  return done(shown, facts(shown))
}
