/** The text of `--help`: the overview, a group of commands, or one command. */
import type { Command, Flags } from "./command.ts"
import { globalFlags, groups, usageOfFlag } from "./parse.ts"
import { columns } from "./print.ts"
import { program } from "./program.ts"

/** Returns the help for `of`: a command, a group, or an empty string for the overview. */
export function help(commands: readonly Command[], of: string): string {
  const command = commands.find(({ name }) => name === of)
  if (command !== undefined) return helpOfCommand(command)
  return of === "" ? overview(commands) : helpOfGroup(commands, of)
}

function overview(commands: readonly Command[]): string {
  const alone = commands.filter(({ name }) => !name.includes(" "))
  const grouped = [...groups(commands).keys()].map((group) => listed(ofGroup(commands, group)))
  return paragraphs(
    `latchkey: a self-hosted OAuth 2.1 authorization service`,
    `Usage: ${program} COMMAND [FLAGS]`,
    listed(alone),
    ...grouped,
    `Flags of every command:\n${flagLines(globalFlags)}`,
    `Example:\n  ${program} serve`,
    `"${program} COMMAND --help" explains a command. Exit status: 0 done, 1 refused, 2 wrong usage.`,
  )
}

function helpOfGroup(commands: readonly Command[], group: string): string {
  const within = ofGroup(commands, group)
  const example = within[0]?.example ?? ""
  return paragraphs(`Usage: ${program} ${group} COMMAND`, listed(within), `Example:\n${typed(example)}`)
}

function helpOfCommand(command: Command): string {
  const own = Object.keys(command.flags).length === 0 ? [] : [`Flags:\n${flagLines(command.flags)}`]
  return paragraphs(
    `latchkey ${command.name}: ${command.summary}`,
    `Usage: ${usage(command)}`,
    ...(command.notes ?? []),
    ...own,
    `Flags of every command:\n${flagLines(globalsOf(command))}`,
    `Example:\n${typed(command.example)}`,
  )
}

function globalsOf({ flags }: Command): Flags {
  return Object.fromEntries(Object.entries(globalFlags).filter(([name]) => !(name in flags)))
}

function usage({ name, operands, flags }: Command): string {
  const written = Object.entries(flags).map(([flagName, flag]) => {
    const text = usageOfFlag(flagName, flag) + (flag.repeat === true ? " …" : "")
    return flag.required === true ? text : `[${text}]`
  })
  return [program, name, ...operands, ...written].join(" ")
}

function ofGroup(commands: readonly Command[], group: string): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${group} `))
}

function listed(commands: readonly Command[]): string {
  return columns(
    commands.map(({ name, operands, summary }) => [`  ${[name, ...operands].join(" ").padEnd(32)}`, summary]),
  )
}

function flagLines(flags: Flags): string {
  return columns(
    Object.entries(flags).map(([name, flag]) => {
      const usual = flag.default === undefined ? "" : ` (default: ${flag.default})`
      const variable = flag.env === undefined ? "" : ` [${flag.env}]`
      return [`  ${usageOfFlag(name, flag)}`, flag.summary + usual + variable]
    }),
  )
}

/** Indents an example, and begins its commands as a person can type them. */
function typed(example: string): string {
  return example
    .replaceAll(/^/gm, "  ")
    .replaceAll(/(^ *|\| )latchkey /gm, (_, before) => `${before}${program} `)
}

function paragraphs(...parts: readonly string[]): string {
  return parts.join("\n\n")
}
