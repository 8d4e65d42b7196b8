/** The `apply` command. */
import { readFileSync } from "node:fs"
import { causeOf } from "../../kernel/process/file-problem.ts"
import { type Answer, command, done, refused } from "../../platform/cli/command.ts"
import { type Opened, withStore } from "../../platform/cli/open.ts"
import { visible } from "../../platform/cli/print.ts"
import { applySetUp, endsOf } from "./apply.ts"
import { plannedLines, plannedRecord, summary } from "./plan-text.rules.ts"
import { readSetUp } from "./set-up-file.ts"
import type { FileProblem, SetUp } from "./set-up.rules.ts"

export const apply = command({
  name: "apply",
  summary: "Make apps, groups, service accounts, settings and appearance as a file says",
  operands: ["FILE"],
  flags: {
    "dry-run": { summary: "print the plan, and change nothing" },
    prune: { summary: "remove what an earlier apply of the same set made and the file no longer names" },
  },
  notes: [
    "The plan has a line for each change: + adds, ~ changes, - removes. Everything is one change, or nothing is written. " +
      "What the file does not name stays as it is. A second run changes nothing.",
    "It writes beside a running service, which applies the changes within a second.",
    "With --json: {changes: [{change: add|update|remove, what, key, members}], applied: true|false}.",
  ],
  example: "latchkey apply set-up.yaml --dry-run",
  run: async ({ operands: [file], flags, globals }): Promise<Answer> => {
    const text = textIn(file)
    if (text instanceof Error) return refused(`${file} cannot be used: ${causeOf(text)}.`)
    const { setUp, problems } = await readSetUp(text, file)
    if (problems.length > 0) return inFile(file, problems)
    const options = { isPruning: flags.prune, isDryRun: flags["dry-run"] }
    return withStore(globals, options.isDryRun ? "refuse" : "create", async (opened) => {
      const ends = await endsOfAll(opened, setUp, options)
      const answer = await applySetUp(opened, setUp, options)
      if (!answer.ok) return inFile(file, answer.error)
      const { planned } = answer.value
      const lines = planned.flatMap((one) => plannedLines(one, ends.get(one.made) ?? []))
      const json = { changes: planned.map(plannedRecord), applied: !options.isDryRun }
      const printed = [...lines, summary(planned, json.applied)].map(visible).join("\n")
      return done(json, printed, ...(globals.json ? [...ends.values()].flat() : []))
    })
  },
})

function textIn(file: string): string | Error {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    return error as Error
  }
}

function inFile(file: string, problems: readonly FileProblem[]): Answer {
  const lines = problems.toSorted((one, other) => one.line - other.line)
  return refused(...lines.map(({ line, problem }) => visible(`${file}:${line}: ${problem}`)))
}

/** Says what each removal will end, by the id of the removed thing. */
async function endsOfAll(
  opened: Opened,
  setUp: SetUp,
  { isPruning }: { readonly isPruning: boolean },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ends = new Map<string, readonly string[]>()
  if (!isPruning) return ends
  const planned = await applySetUp(opened, setUp, { isPruning, isDryRun: true })
  for (const one of planned.ok ? planned.value.planned : []) ends.set(one.made, await endsOf(opened, one))
  return ends
}
