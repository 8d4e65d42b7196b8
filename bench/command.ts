/** Reads the arguments and files of a command. What is wrong with them is one line, and the exit status is 2. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { parseArgs, type ParseArgsConfig } from "node:util"
import { format } from "prettier"

/** Prints the module comment of the command, which is its usage, if `--help` is asked for. */
export function flagsOf<O extends NonNullable<ParseArgsConfig["options"]>>(options: O) {
  return argumentsOf(options, false).values
}

/** The same, for a command that also takes arguments without a flag. */
export function argumentsOf<O extends NonNullable<ParseArgsConfig["options"]>>(
  options: O,
  allowPositionals = true,
) {
  if (process.argv.includes("--help")) {
    console.log(usage())
    process.exit(0)
  }
  try {
    return parseArgs({ options, allowPositionals })
  } catch (error) {
    const [reason = ""] = (error as Error).message.split(/\.?\s*\n|\. /)
    return refuse(`${reason}. --help prints the usage`)
  }
}

function usage(): string {
  const comment = /\/\*\*\n(.*?)\n \*\//s.exec(readFileSync(process.argv[1] ?? "", "utf8"))?.[1] ?? ""
  return comment.replaceAll(/^ \* ?/gm, "")
}

export function refuse(reason: string): never {
  console.error(reason)
  process.exit(2)
}

/** Returns the names of a list such as `a,b` in the order of `all`, and all of them without a list. */
export function chosen<T extends string>(
  flag: string,
  text: string | undefined,
  all: readonly T[],
): readonly T[] {
  if (text === undefined) return all
  const names = text.split(",")
  const unknown = names.find((name) => !all.some((one) => one === name))
  if (unknown !== undefined) refuse(`--${flag}: ${all.join(", ")}; not "${unknown}"`)
  return all.filter((one) => names.includes(one))
}

/** Returns a whole number from `least` on. */
export function count(flag: string, text: string, least = 1): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) < least)
    refuse(`--${flag}: a whole number from ${least} on; not "${text}"`)
  return Number(text)
}

/** Returns a number above 0, such as 0.5. */
export function amount(flag: string, text: string): number {
  if (!/^\d{0,9}\.?\d{1,9}$/.test(text) || Number(text) === 0)
    refuse(`--${flag}: a number above 0; not "${text}"`)
  return Number(text)
}

/** Returns `undefined` without a value, so that a command can keep its own. */
export function optional<T>(
  read: (flag: string, text: string) => T,
  flag: string,
  text: string | undefined,
): T | undefined {
  return text === undefined ? undefined : read(flag, text)
}

/** Returns null if there is no such file. */
export function readJson<T extends object>(file: string): T | null {
  if (!existsSync(file)) return null
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"))
    if (typeof value === "object" && value !== null) return value as T
  } catch {
    // The line below says it.
  }
  return refuse(`${file}: not a JSON object`)
}

export async function writeJson(file: string, value: object): Promise<void> {
  writeFileSync(file, await format(JSON.stringify(value), { parser: "json", printWidth: 110 }))
}
