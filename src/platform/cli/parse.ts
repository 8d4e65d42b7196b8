/**
 * Parses a command line. The first one or two words that are not flags name the command. The command lists its flags
 * and operands. Environment variables and defaults replace absent flags.
 */
import { parseArgs } from "node:util"
import type { Call, Command, Flag, Flags, Globals } from "./command.ts"
import { didYouMean } from "../../kernel/suggest.ts"
import { variableName } from "../../kernel/process/variable-name.ts"

export const globalFlags = {
  data: { value: "DIR", default: "./data", env: "LATCHKEY_DATA", summary: "data directory" },
  config: {
    value: "FILE",
    env: "LATCHKEY_CONFIG",
    summary: "configuration file (default: DIR/latchkey.yaml, if it exists)",
  },
  "database-url": {
    value: "URL",
    env: "LATCHKEY_DATABASE_URL",
    summary: "postgres://…: use PostgreSQL instead of DIR/latchkey.db, for one or more servers",
  },
  json: { summary: "print only one JSON value on standard output" },
  help: { summary: "explain the command, with an example" },
  version: { summary: "print the version" },
} as const satisfies Flags

type Parsed =
  | { readonly request: "version"; readonly asJson: boolean }
  /** `of` is a command or a group (`account`). It is an empty string for the overview. */
  | { readonly request: "help"; readonly of: string }
  | { readonly request: "run"; readonly command: Command; readonly call: Call }
  /** The error message points to the help of the command `of`. */
  | { readonly request: "invalid"; readonly problem: string; readonly of: string }

type Environment = Readonly<Record<string, string | undefined>>

export function parse(commands: readonly Command[], args: readonly string[], env: Environment): Parsed {
  const tokens = tokensOf(args, globalFlags)
  const words = wordsOf(tokens)
  if (isGiven(tokens, "version")) return { request: "version", asJson: isGiven(tokens, "json") }
  if (words[0] === "help") return helpOf(commands, words.slice(1))
  const command = commandOf(commands, words)
  if (isGiven(tokens, "help")) return helpOf(commands, command === null ? words : command.name.split(" "))
  if (command === null) return withoutCommand(commands, tokens, words)
  return readCall(command, args, env)
}

function commandOf(commands: readonly Command[], words: readonly string[]): Command | null {
  const [first = "", second = ""] = words
  const named = (text: string) => commands.find(({ name }) => name === text)
  // The longer name comes first: "gate" and "gate snippet" are both commands.
  return named(`${first} ${second}`) ?? named(first) ?? null
}

function helpOf(commands: readonly Command[], words: readonly string[]): Parsed {
  if (words.length === 0) return { request: "help", of: "" }
  const command = commandOf(commands, words)
  if (command !== null) return { request: "help", of: command.name }
  const [group = ""] = words
  if (words.length === 1 && groups(commands).has(group)) return { request: "help", of: group }
  return unknownCommand(commands, words)
}

function withoutCommand(
  commands: readonly Command[],
  tokens: readonly Token[],
  words: readonly string[],
): Parsed {
  const stray = tokens.find((token) => token.kind === "option" && !(token.name in globalFlags))
  const first = tokens.find((token) => token.kind === "positional")
  if (stray?.kind === "option" && (first === undefined || stray.index < first.index))
    return {
      request: "invalid",
      problem: `${stray.rawName} is not a flag that may come before the command.${didYouMean(stray.rawName, globalNames)}`,
      of: "",
    }
  if (words.length === 0) return { request: "help", of: "" }
  return unknownCommand(commands, words)
}

function unknownCommand(commands: readonly Command[], words: readonly string[]): Parsed {
  const [group = "", second] = words
  const within = groups(commands).get(group)
  if (within === undefined) {
    const names = [...groups(commands).keys(), ...commands.map(({ name }) => name)]
    const guess =
      didYouMean(second === undefined ? group : `${group} ${second}`, names) || didYouMean(group, names)
    return { request: "invalid", problem: `There is no command ${group}.${guess}`, of: "" }
  }
  const problem =
    second === undefined
      ? `${group} needs one of these commands: ${within.map((name) => name.split(" ")[1]).join(", ")}.`
      : `There is no command ${group} ${second}.${didYouMean(`${group} ${second}`, within)}`
  return { request: "invalid", problem, of: group }
}

/** Groups commands of two words by their first word. */
export function groups(commands: readonly Command[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { name } of commands) {
    const [group = "", second] = name.split(" ")
    if (second !== undefined) found.set(group, [...(found.get(group) ?? []), name])
  }
  return found
}

function readCall(command: Command, args: readonly string[], env: Environment): Parsed {
  const wrong = (problem: string): Parsed => ({ request: "invalid", problem, of: command.name })
  // A command may have its own flag with the name of a global one, such as `--config` of `gate`.
  const table: Flags = { ...globalFlags, ...command.flags }
  const tokens = tokensOf(args, table)
  const given = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind !== "option") continue
    const problem = problemOf(token, table, given)
    if (problem !== null) return wrong(problem)
    given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? ""])
  }
  const operands = wordsOf(tokens).slice(command.name.split(" ").length)
  const misplaced = operandProblem(command, operands)
  if (misplaced !== null) return wrong(misplaced)
  const sourceOf = (name: string) => sourceOfFlag(name, table[name], given.has(name), env)
  const values = new Map<string, FlagValue>()
  for (const [name, flag] of Object.entries(table)) {
    const value = valueOf(flag, given.get(name), env)
    const problem = valueProblem(command, name, flag, value, sourceOf(name))
    if (problem !== null) return wrong(problem)
    values.set(name, value)
  }
  const flags = Object.fromEntries(values)
  return {
    request: "run",
    command,
    call: {
      flags: flags as Call["flags"],
      operands: command.operands.map((placeholder, i) =>
        isMany(placeholder) ? operands.slice(i).join(" ") : (operands[i] ?? ""),
      ),
      globals: globalsOf(flags, sourceOf),
    },
  }
}

/** A boolean for a switch, a list for a repeatable flag, and text or null for other flags. */
type FlagValue = boolean | readonly string[] | string | null

function globalsOf(flags: Readonly<Record<string, FlagValue>>, sourceOf: Globals["sourceOf"]): Globals {
  return {
    data: flags["data"] as string,
    config: flags["config"] as string | null,
    databaseUrl: flags["database-url"] as string | null,
    json: flags["json"] === true,
    sourceOf,
  }
}

type Token = ReturnType<typeof tokensOf>[number]
type OptionToken = Extract<Token, { kind: "option" }>

const globalNames = Object.keys(globalFlags).map((name) => `--${name}`)

function tokensOf(args: readonly string[], flags: Flags) {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      {
        type: flag.value === undefined ? ("boolean" as const) : ("string" as const),
        ...(name === "help" && { short: "h" }),
      },
    ]),
  )
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens
}

function wordsOf(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token) => (token.kind === "positional" ? [token.value] : []))
}

function isGiven(tokens: readonly Token[], name: string): boolean {
  return tokens.some((token) => token.kind === "option" && token.name === name)
}

function problemOf(token: OptionToken, table: Flags, given: ReadonlyMap<string, unknown>): string | null {
  const { name, rawName, value, inlineValue } = token
  const flag = Object.hasOwn(table, name) ? table[name] : undefined
  if (flag === undefined)
    return `There is no flag ${rawName}.${didYouMean(
      rawName,
      Object.keys(table).map((known) => `--${known}`),
    )}`
  if (flag.value === undefined) return inlineValue === true ? `${rawName} takes no value.` : null
  if (value === undefined) return `${rawName} needs a value: ${usageOfFlag(name, flag)}.`
  if (!inlineValue && value.startsWith("-") && value.length > 1)
    return `${rawName} needs a value. If "${value}" is the value, write ${rawName}=${value}.`
  return given.has(name) && flag.repeat !== true ? `${rawName} is given twice.` : null
}

const isMany = (placeholder: string | undefined) => placeholder?.endsWith("…") === true

function operandProblem(command: Command, operands: readonly string[]): string | null {
  const missing = command.operands[operands.length]
  if (missing !== undefined && !missing.startsWith("[")) return `${command.name} needs ${missing}.`
  const extra = operands[command.operands.length]
  if (extra !== undefined && !isMany(command.operands.at(-1)))
    return `${command.name} takes no further argument "${extra}".`
  for (const [i, placeholder] of command.operands.entries()) {
    const choices = placeholder.includes("|") ? placeholder.split("|") : undefined
    const operand = operands[i] ?? ""
    if (!isChoice(choices, operand)) return `"${operand}" is not ${choices?.join(" or ")}.`
  }
  return null
}

/** A value on the command line wins over the environment variable, and the variable wins over the default. */
function valueOf(flag: Flag, given: readonly string[] | undefined, env: Environment): FlagValue {
  if (flag.value === undefined) return given !== undefined
  const fromEnv = flag.env === undefined ? "" : (env[flag.env] ?? "").trim()
  if (flag.repeat === true) return given ?? (fromEnv === "" ? [] : fromEnv.split(/[\s,]+/))
  return given?.[0] ?? (fromEnv === "" ? flag.default : fromEnv) ?? null
}

function sourceOfFlag(name: string, flag: Flag | undefined, byFlag: boolean, env: Environment): string {
  const variable = flag?.env
  if (byFlag || variable === undefined || (env[variable] ?? "").trim() === "") return `--${name}`
  return variableName(variable, env)
}

function valueProblem(
  command: Command,
  name: string,
  flag: Flag,
  value: FlagValue,
  source: string,
): string | null {
  if (value === null)
    return flag.required === true ? `${command.name} needs ${usageOfFlag(name, flag)}.` : null
  const texts = typeof value === "string" ? [value] : typeof value === "boolean" ? [] : value
  const wrong = texts.find((text) => !isChoice(flag.choices, text))
  if (wrong === undefined) return null
  const choices = flag.choices ?? []
  const expected =
    choices.length > 5
      ? `not known.${didYouMean(wrong, choices) || ` It is one of ${choices.join(", ")}.`}`
      : `not ${choices.join(" or ")}.`
  return `${source} "${wrong}" is ${expected}`
}

function isChoice(choices: readonly string[] | undefined, value: string): boolean {
  return choices === undefined || choices.includes(value)
}

export function usageOfFlag(name: string, flag: Flag): string {
  return flag.value === undefined ? `--${name}` : `--${name} ${flag.value}`
}
