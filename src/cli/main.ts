/** The command line. The exit status is 0 after success, 1 after a refusal and 2 after wrong usage. */
import { type Answer, done } from "../platform/cli/command.ts"
import { allCommands, commandsOf } from "./commands.ts"
import { parse } from "../platform/cli/parse.ts"
import { prepareEnvironment } from "../platform/config/environment.ts"
import { program } from "../platform/cli/program.ts"
import { version } from "../kernel/process/version.ts"

async function main(): Promise<number> {
  const args = process.argv.slice(2)
  // Modules of commands read the environment while they are loaded.
  const wrongVariables = prepareEnvironment(process.env)
  const quick = parse(await commandsOf(args[0] ?? ""), args, process.env)
  if (quick.request === "run" && wrongVariables.length > 0)
    return print({ exit: 2, remarks: wrongVariables }, false)
  if (quick.request === "run") return print(await quick.command.run(quick.call), quick.call.globals.json)
  // Help and unknown commands need all commands.
  const commands = await allCommands()
  const parsed = parse(commands, args, process.env)
  switch (parsed.request) {
    case "version":
      return print(done({ version }, `latchkey ${version}`), parsed.asJson)
    case "help": {
      const { help } = await import("../platform/cli/help.ts")
      return print({ exit: 0, printed: { json: null, text: help(commands, parsed.of) }, remarks: [] }, false)
    }
    case "invalid": {
      const see = `See: ${[program, parsed.of, "--help"].filter((word) => word !== "").join(" ")}`
      return print({ exit: 2, remarks: [parsed.problem, see] }, false)
    }
    case "run":
      return print(await parsed.command.run(parsed.call), parsed.call.globals.json)
  }
}

function print({ exit, printed, remarks }: Answer, asJson: boolean): number {
  if (printed !== undefined) {
    const text = asJson ? JSON.stringify(printed.json, null, 2) : printed.text
    // Without records, `events --lines` prints nothing.
    if (text !== "") process.stdout.write(`${text}\n`)
  }
  for (const remark of remarks) process.stderr.write(exit === 0 ? `${remark}\n` : `latchkey: ${remark}\n`)
  return exit
}

// The reader of the output may stop early, as `head` does in `latchkey events | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error
})

process.exitCode = await main()
