/** What a command of the table is, and what it answers. */

export type Flag = {
  readonly summary: string
  /** What the help calls the value; a flag without one is a switch. */
  readonly value?: string
  /** The only values there are. */
  readonly choices?: readonly string[]
  readonly repeat?: true
  readonly required?: true
  readonly default?: string
  /** The environment variable that stands in where the flag is not given. */
  readonly env?: string
}

export type Flags = Readonly<Record<string, Flag>>

type Value<F extends Flag> = F extends { choices: readonly (infer C)[] } ? C : string

/** The flags of one call: switches are booleans, repeatable ones lists, the rest a value or null. */
export type Given<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends { repeat: true }
    ? readonly Value<F[K]>[]
    : F[K] extends { value: string }
      ? F[K] extends { required: true } | { default: string }
        ? Value<F[K]>
        : Value<F[K]> | null
      : boolean
}

/** Where everything is, whatever the command. */
export type Globals = {
  readonly data: string
  readonly config: string | null
  readonly databaseUrl: string | null
  readonly json: boolean
}

export type Call<F extends Flags = Flags, O extends readonly string[] = readonly string[]> = {
  readonly flags: Given<F>
  readonly operands: { readonly [K in keyof O]: string }
  readonly globals: Globals
}

export type Command<F extends Flags = Flags, O extends readonly string[] = readonly string[]> = {
  /** One word or two: `serve`, `account add`. */
  readonly name: string
  readonly summary: string
  /** Placeholders of what follows the name; one that lists words (`on|off`) takes only those. */
  readonly operands: O
  readonly flags: F
  readonly example: string
  /** Paragraphs for the command's own help. */
  readonly notes?: readonly string[]
  readonly run: (call: Call<F, O>) => Promise<Answer>
}

/** Infers the types of `run`'s call from the flags and operands beside it. */
export function command<const F extends Flags, const O extends readonly string[]>(
  row: Command<F, O>,
): Command {
  return row as unknown as Command
}

/** What a command answers: JSON for programs, text for people, remarks and problems on standard error. */
export type Answer = {
  readonly exit: 0 | 1 | 2
  /** Left out where there is nothing to print. */
  readonly printed?: { readonly json: unknown; readonly text: string }
  readonly remarks: readonly string[]
}

export function done(json: unknown, text: string, ...remarks: readonly string[]): Answer {
  return { exit: 0, printed: { json, text }, remarks }
}

/** The command was understood and cannot be done. */
export function refused(...problems: readonly string[]): Answer {
  return { exit: 1, remarks: problems }
}

/** The command was not written as its usage says. */
export function misused(...problems: readonly string[]): Answer {
  return { exit: 2, remarks: problems }
}
