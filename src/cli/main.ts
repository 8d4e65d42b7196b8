/** The command line: a table of commands, and what one call of it prints. Exit 0 done, 1 refused, 2 wrong usage. */
import { accountCommands } from "./account.ts"
import { appCommands } from "./app.ts"
import type { Answer, Command } from "./command.ts"
import { credentialCommands } from "./credential.ts"
import { doctor } from "./doctor.ts"
import { elevate } from "./elevate.ts"
import { explain } from "./explain.ts"
import { factorCommands } from "./factor.ts"
import { help } from "./help.ts"
import { login } from "./login.ts"
import { move } from "./move.ts"
import { parse } from "./parse.ts"
import { program } from "./program.ts"
import { serve } from "./serve.ts"
import { settingCommands } from "./setting.ts"
import { upkeepCommands } from "./upkeep.ts"
import { version } from "../system/version.ts"

const commands: readonly Command[] = [
  serve,
  login,
  elevate,
  explain,
  doctor,
  ...upkeepCommands,
  move,
  ...accountCommands,
  ...factorCommands,
  ...appCommands,
  ...credentialCommands,
  ...settingCommands,
]

async function main(): Promise<number> {
  const parsed = parse(commands, process.argv.slice(2), process.env)
  switch (parsed.wanted) {
    case "version":
      return print(
        { exit: 0, printed: { json: { version }, text: `latchkey ${version}` }, remarks: [] },
        false,
      )
    case "help":
      return print({ exit: 0, printed: { json: null, text: help(commands, parsed.of) }, remarks: [] }, false)
    case "nothing": {
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
    process.stdout.write(`${text}\n`)
  }
  for (const remark of remarks) process.stderr.write(exit === 0 ? `${remark}\n` : `latchkey: ${remark}\n`)
  return exit
}

// A reader that has seen enough (`latchkey events | head`) is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error
})

process.exitCode = await main()
