/** The `apply` command. */
import { readText } from "../../platform/cli/read-text.ts"
import { readConfig } from "../../platform/config/config.ts"
import { parseBaseUrl } from "../../platform/config/base-url.ts"
import { systemClock } from "../../kernel/clock.ts"
import { type Answer, command, done, type Globals, refused, usageError } from "../../platform/cli/command.ts"
import { withStore } from "../../platform/cli/open.ts"
import { visible } from "../../platform/cli/print.ts"
import { applySetUp, endsOf, planner } from "./apply.ts"
import type { Planned } from "./part.rules.ts"
import { plannedLines, plannedRecord, summary } from "./plan-text.rules.ts"
import { presentAt, Unreadable } from "./remote.command.ts"
import { readSetUp } from "./set-up-file.ts"
import type { FileProblem, SetUp } from "./set-up.rules.ts"

export const apply = command({
  name: "apply",
  summary: "Make apps, groups, service accounts, settings and appearance as a file says",
  operands: ["FILE"],
  flags: {
    "dry-run": { summary: "print the plan, and change nothing" },
    service: { value: "URL", summary: "plan for this service over its API, with --dry-run" },
    "token-file": { value: "FILE", summary: "an access token for --service, which needs no recent factor" },
    prune: { summary: "remove what an earlier apply of the same set made and the file no longer names" },
  },
  notes: [
    "The plan has a line for each change: + adds, ~ changes, - removes. Everything is one change, or nothing is written. " +
      "What the file does not name stays as it is. A second run changes nothing.",
    "It writes beside a running service, which applies the changes within a second.",
    "--service plans for another machine, such as in the check of a pull request. Whether a secret differs is not seen there.",
    "With --json: {changes: [{change: add|update|remove, what, key, members}], applied: true|false}.",
  ],
  example: "latchkey apply set-up.yaml --dry-run",
  run: async ({ operands: [file], flags, globals }): Promise<Answer> => {
    const { service, "token-file": tokenFile, prune: isPruning, "dry-run": isDryRun } = flags
    if ((service !== null) !== (tokenFile !== null) || (service !== null && !isDryRun))
      return usageError("--service URL, --token-file FILE and --dry-run belong together: this only plans.")
    try {
      const { setUp, problems } = await readSetUp(textIn(file), file, service === null)
      if (problems.length > 0) return inFile(file, problems)
      if (service !== null) {
        const answer = await planAt(globals, service, tokenFile ?? "", setUp, isPruning)
        return printed(file, answer, false, new Map(), globals.json)
      }
      return await withStore(globals, isDryRun ? "refuse" : "create", async (opened) => {
        const planned = await applySetUp(opened, setUp, { isPruning, isDryRun: true })
        const ends = new Map<string, readonly string[]>()
        if (planned.ok)
          for (const one of planned.value.planned)
            ends.set(idOf(one), await endsOf({ ...opened, catalog: planned.value.catalog }, one))
        const answer = isDryRun ? planned : await applySetUp(opened, setUp, { isPruning, isDryRun })
        return printed(file, answer, !isDryRun, ends, globals.json)
      })
    } catch (error) {
      if (error instanceof Unreadable) return refused(visible(error.message))
      throw error
    }
  },
})

/** Plans over the API of a service. The permissions are those of the configuration file here. */
async function planAt(
  globals: Globals,
  service: string,
  tokenFile: string,
  setUp: SetUp,
  isPruning: boolean,
) {
  const url = parseBaseUrl(service, "--service")
  if (!url.ok) throw new Unreadable(url.error)
  const config = await readConfig(globals)
  if (!config.ok) throw new Unreadable(config.error.join("\n"))
  const token = textIn(tokenFile).trim()
  // Another text would be repeated in the error of the request.
  if (!/^[\w.~+/=-]+$/.test(token)) throw new Unreadable(`${tokenFile} is not an access token.`)
  const present = await presentAt({ url: url.value, token }, setUp)
  return planner(config.value, setUp, isPruning, systemClock.now())(present)
}

function printed(
  file: string,
  answer: Awaited<ReturnType<typeof applySetUp>>,
  applied: boolean,
  ends: ReadonlyMap<string, readonly string[]>,
  isJson: boolean,
): Answer {
  if (!answer.ok) return inFile(file, answer.error)
  const { planned } = answer.value
  const lines = planned.flatMap((one) => plannedLines(one, ends.get(idOf(one)) ?? []))
  const text = [...lines, summary(planned, applied)].map(visible).join("\n")
  const remarks = isJson ? [...ends.values()].flat() : []
  return done({ changes: planned.map(plannedRecord), applied }, text, ...remarks)
}

function textIn(file: string): string {
  const read = readText(file)
  if (read.ok) return read.value
  throw new Unreadable(`${file} cannot be used: ${read.error}.`)
}

function inFile(file: string, problems: readonly FileProblem[]): Answer {
  const lines = problems.toSorted((one, other) => one.line - other.line)
  return refused(...lines.map(({ line, problem }) => visible(`${file}:${line}: ${problem}`)))
}

/** An app and a group may have the same id. */
const idOf = ({ what, made }: Pick<Planned, "what" | "made">) => `${what} ${made}`
