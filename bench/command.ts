/** Reads the arguments and files of a command. What is wrong with them is one line, and the exit status is 2. */
import { chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync } from "node:fs"
import { rmdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { getSystemErrorMessage, parseArgs, type ParseArgsConfig } from "node:util"

/** Prints the usage if `--help` is asked for: `usage`, or the module comment of the command. */
export function flagsOf<O extends NonNullable<ParseArgsConfig["options"]>>(options: O, usage?: string) {
  return parsed(options, 0, usage).values
}

/** The same, for a command that takes up to `most` arguments without a flag. */
export function argumentsOf(most: number): readonly string[] {
  return parsed({}, most).positionals
}

function parsed<O extends NonNullable<ParseArgsConfig["options"]>>(
  options: O,
  most: number,
  usage = moduleComment(),
) {
  if (process.argv.includes("--help")) {
    console.log(usage)
    process.exit(0)
  }
  try {
    const read = parseArgs({ args: givenArguments(), options, allowPositionals: most > 0 })
    const beyond = read.positionals[most]
    return beyond === undefined
      ? read
      : refuse(`"${beyond}" is one argument too many. --help prints the usage`)
  } catch (error) {
    const [reason = ""] = (error as Error).message.replace("is ambiguous", "missing").split(/\.?\s*\n|\. /)
    return refuse(`${reason}. --help prints the usage`)
  }
}

/** Joins a negative number with its flag. The check of the flag then says what is allowed. */
function givenArguments(): string[] {
  const joined: string[] = []
  for (const one of process.argv.slice(2)) {
    const flag = joined.at(-1) ?? ""
    if (/^-\.?\d/.test(one) && /^--[a-z]+$/.test(flag)) joined.splice(-1, 1, `${flag}=${one}`)
    else joined.push(one)
  }
  return joined
}

function moduleComment(): string {
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
  const names = text.split(",").map((name) => oneOf(flag, name, all))
  return all.filter((one) => names.includes(one))
}

export function oneOf<T extends string>(flag: string, text: string, all: readonly T[]): T {
  return all.find((one) => one === text) ?? refuse(`--${flag}: ${all.join(", ")}; not "${text}"`)
}

/** Returns a whole number from `least` on. */
export function count(flag: string, text: string, least = 1): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) < least)
    refuse(`--${flag}: a whole number from ${least} on; not "${text}"`)
  return Number(text)
}

/** Returns a number above 0, such as 0.5. */
export function amount(flag: string, text: string, most = Infinity): number {
  const number = /^\d{0,9}\.?\d{1,9}$/.test(text) ? Number(text) : 0
  if (number > 0 && number <= most) return number
  return refuse(`--${flag}: a number above 0${most === Infinity ? "" : `, at most ${most}`}; not "${text}"`)
}

/** Returns `undefined` without a value, so that a command can keep its own. */
export function optional<T>(
  read: (flag: string, text: string) => T,
  flag: string,
  text: string | undefined,
): T | undefined {
  return text === undefined ? undefined : read(flag, text)
}

/**
 * Makes a directory for the files of this run, in the system's directory for such or in the one of --work. Every user may
 * enter it, because PostgreSQL may run as another user. It is removed when this process exits. So is the directory of
 * --work if it is new and still empty.
 */
export function workDirectory(name: string, given?: string): string {
  const below = resolve(given ?? tmpdir())
  const added = madeDirectory("work", below)
  const work = attempted("work", below, () => mkdtempSync(join(below, `latchkey-${name}-`)))
  chmodSync(work, 0o711)
  process.once("exit", () => {
    // A killed PostgreSQL may still delete its own files.
    rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    try {
      for (let dir = below; dir.length >= (added?.length ?? Infinity); dir = dirname(dir)) rmdirSync(dir)
    } catch {
      // The filled databases of growth stay.
    }
  })
  return work
}

/** Returns the outermost directory that had to be made. */
export function madeDirectory(flag: string, dir: string): string | undefined {
  // With the slash, a file is "not a directory".
  const added = attempted(flag, dir, () => mkdirSync(`${dir}/`, { recursive: true }))
  return added === undefined ? undefined : resolve(added)
}

/** Checks before a run that the file of --json can be written. Returns what it contains, or null without a file. */
export function resultFile<T extends object>(file: string | undefined): T | null {
  if (file === undefined) return null
  checkWritable(file)
  return readJson<T>(file)
}

export function checkWritable(file: string): void {
  const isNew = !existsSync(file)
  attempted("json", file, () => closeSync(openSync(file, "a")))
  if (isNew) rmSync(file)
}

function attempted<T>(flag: string, path: string, attempt: () => T): T {
  try {
    return attempt()
  } catch (error) {
    return refuse(
      `--${flag}: "${path}": ${getSystemErrorMessage((error as NodeJS.ErrnoException).errno ?? 0)}`,
    )
  }
}

/** Returns null if there is no such file. */
export function readJson<T extends object>(file: string): T | null {
  if (!existsSync(file)) return null
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"))
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as T
  } catch {
    // The line below says it.
  }
  return refuse(`${file}: not a JSON object`)
}

export async function writeJson(file: string, value: object): Promise<void> {
  // Loading it takes longer than all the rest of a small command.
  const { format } = await import("prettier")
  writeFileSync(file, await format(JSON.stringify(value), { parser: "json", printWidth: 110 }))
}
