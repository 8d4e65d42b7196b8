/** Applies a file. Prints a line each time when it plans under the locks of its change, and one when it has ended. */
import { readFileSync, writeSync } from "node:fs"
import { applySetUp } from "../../../src/admin/apply/apply.ts"
import { readSetUp } from "../../../src/admin/apply/set-up-file.ts"
import { done } from "../../../src/platform/cli/command.ts"
import { withStore } from "../../../src/platform/cli/open.ts"

const [data = "", file = ""] = process.argv.slice(2)
const databaseUrl = process.env["LATCHKEY_DATABASE_URL"] ?? null
const { setUp } = await readSetUp(readFileSync(file, "utf8"), file, true)
const answer = await withStore({ data, databaseUrl, config: null }, "create", async (opened) => {
  const { languages } = opened
  const slow = {
    ...opened,
    languages: Object.create(languages, {
      tags: {
        get: () => {
          writeSync(1, "planning\n")
          return languages.tags
        },
      },
    }) as typeof languages,
  }
  const applied = await applySetUp(slow, setUp, { isPruning: false, isDryRun: false })
  return applied.ok ? done(null, "applied\n") : { exit: 1, remarks: [] }
})
writeSync(1, answer.printed?.text ?? answer.remarks.join("\n"))
