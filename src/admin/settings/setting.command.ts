/** The `setting` commands. */
import type { Problem, Result } from "../../kernel/result.ts"
import { findSetting, listSettings, setSetting, type SettingRecord, unsetSetting } from "./setting.ts"
import { type Answer, command, done, type Globals, refused } from "../../platform/cli/command.ts"
import { type IfAbsent, fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { printedList } from "../../platform/cli/print.ts"

const TAKES_EFFECT = "A running service applies the change within a second."

const list = command({
  name: "setting list",
  summary: "List the settings with their values",
  notes: ["With --json: an array of {key, value, default, is_default, explanation}."],
  example: "latchkey setting list",
  run: ({ globals }) =>
    withStore(globals, "refuse", async (opened) =>
      printedList(await listSettings(opened), "There are no settings.", (row) => ({
        setting: row.key,
        value: row.value,
        default: row.default,
        explanation: row.explanation,
      })),
    ),
})

const get = command({
  name: "setting get",
  summary: "Print the current value of a setting",
  operands: ["KEY"],
  notes: ["With --json: {key, value}."],
  example: "latchkey setting get token.access_seconds",
  run: ({ operands: [key], globals }) =>
    printSetting(globals, "refuse", (opened) => findSetting(opened, key)),
})

const set = command({
  name: "setting set",
  summary: "Set a setting",
  operands: ["KEY", "VALUE"],
  notes: [TAKES_EFFECT, "With --json: {key, value}."],
  example: "latchkey setting set rate_limit.oauth_anonymous 1200/60",
  run: ({ operands: [key, value], globals }) =>
    printSetting(globals, "create", (opened) => setSetting(opened, key, value, fromCommandLine)),
})

const unset = command({
  name: "setting unset",
  summary: "Reset a setting to its default",
  operands: ["KEY"],
  notes: [TAKES_EFFECT, "With --json: {key, value}, the default."],
  example: "latchkey setting unset rate_limit.oauth_anonymous",
  run: ({ operands: [key], globals }) =>
    printSetting(globals, "create", (opened) => unsetSetting(opened, key, fromCommandLine)),
})

export const settingCommands = [list, get, set, unset]

function printSetting(
  globals: Globals,
  absent: IfAbsent,
  verb: (opened: Opened) => Promise<Result<SettingRecord, Problem>>,
): Promise<Answer> {
  return withStore(globals, absent, async (opened) => {
    const answer = await verb(opened)
    if (!answer.ok) return refused(answer.error)
    const { key, value } = answer.value
    return done({ key, value }, value)
  })
}
