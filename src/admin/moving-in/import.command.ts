import { countOf } from "../../kernel/words.ts"
import { readFileSync } from "node:fs"
import { type Answer, command, done, refused, usageError } from "../../platform/cli/command.ts"
import { withStore } from "../../platform/cli/open.ts"
import { table, visible } from "../../platform/cli/print.ts"
import { withProgress } from "../../platform/cli/progress.ts"
import { keysOf } from "../../platform/cli/service-keys.ts"
import { type Imported, importFile } from "./import.ts"
import { sources, type SourceName } from "./source.ts"

const isSource = (name: string): name is SourceName => Object.hasOwn(sources, name)

const move = command({
  name: "import",
  summary: "Move accounts, apps and tokens in from another service",
  operands: [Object.keys(sources).join("|"), "FILE"],
  flags: {
    "dry-run": { summary: "check the file and report, but write nothing" },
    tokens: { value: "FILE", summary: "live refresh tokens, one JSON object in each line" },
    "system-secret-file": { value: "FILE", summary: "the system secret of Hydra, for --tokens" },
  },
  notes: [
    "Everything moves in together or nothing does, while the service runs. What cannot move in is reported first. A " +
      "repeated import adds only what is new.",
    "Each account keeps its id and its password. Each app keeps its client_id, and its secret if the file has it.",
    "A line of --tokens is {digest, client_id, user_id, scope, ends_at}: digest is the SHA-256 of the token in " +
      "hexadecimal. For hydra it is {signature, …} with the part of the token after the dot. Each token works once, " +
      "at the token endpoint.",
  ],
  example: "latchkey import csv accounts.csv --dry-run",
  run: async ({ operands: [source, file], flags, globals }): Promise<Answer> => {
    if (!isSource(source)) return refused(`There is no source ${source}.`)
    const { tokens: tokensFile, "dry-run": isDryRun, "system-secret-file": secretFile } = flags
    if ((source === "hydra" && tokensFile !== null) !== (secretFile !== null))
      return usageError("--system-secret-file belongs to --tokens of hydra, and that needs it.")
    const systemSecret = secretFile === null ? null : secretIn(secretFile)
    if (systemSecret === "") return refused(`${secretFile} cannot be read, or is empty.`)
    return await withStore(globals, isDryRun ? "refuse" : "create", async (opened) => {
      const keys = await keysOf(opened)
      if (!keys.ok) return refused(keys.error)
      const answer = await withProgress("import", "accounts", (progress) =>
        importFile(
          { ...opened, keys: keys.value },
          { source, file, isDryRun, tokensFile, systemSecret },
          report,
          progress,
        ),
      )
      return answer.ok ? printed(answer.value, isDryRun) : refused(visible(answer.error))
    })
  },
})

export const importCommands = [move]

/** Returns the content without the line break at its end, or an empty text. */
function secretIn(file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "")
  } catch {
    return ""
  }
}

const REPORTED_AT_MOST = 20

/** Reports what does not move in on standard error, before anything is written. */
function report({ skipped }: Imported): void {
  if (skipped.length === 0) return
  const rows = skipped.slice(0, REPORTED_AT_MOST).map(({ what, name, reason }) => [what, name, reason])
  const more = skipped.length - rows.length
  process.stderr.write(`These do not move in:\n${table(["what", "name", "reason"], rows, "")}\n`)
  if (more > 0) process.stderr.write(`and ${more} more; --json names all of them\n`)
}

function printed({ accounts, apps, tokens, skipped, present }: Imported, isDryRun: boolean): Answer {
  const counts = `${countOf(accounts, "account")}, ${countOf(apps, "app")} and ${countOf(tokens, "token")}`
  const text = [
    isDryRun ? `${counts} would move in. Nothing was written.` : `${counts} moved in.`,
    ...(present === 0 ? [] : [`${present} ${present === 1 ? "was" : "were"} imported before.`]),
    ...(skipped.length === 0
      ? []
      : [`${countOf(skipped.length, "thing")} ${skipped.length === 1 ? "does" : "do"} not move in.`]),
  ]
  return done({ accounts, apps, tokens, skipped }, text.join(" "))
}
