/** The types of commands, their flags and their results. */

export type Flag = {
  readonly summary: string
  /** The placeholder of the value in the help. A switch has no value. */
  readonly value?: string
  readonly choices?: readonly string[]
  readonly repeat?: true
  readonly required?: true
  readonly default?: string
  /** The environment variable that is read if the flag is missing. */
  readonly env?: string
}

export type Flags = Readonly<Record<string, Flag>>

type Value<F extends Flag> = F extends { choices: readonly (infer C)[] } ? C : string

/** A switch is a boolean, and a repeatable flag is a list. Any other flag is a text or null. */
export type Given<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends { repeat: true }
    ? readonly Value<F[K]>[]
    : F[K] extends { value: string }
      ? F[K] extends { required: true } | { default: string }
        ? Value<F[K]>
        : Value<F[K]> | null
      : boolean
}

export type Globals = {
  readonly data: string
  readonly config: string | null
  readonly databaseUrl: string | null
  readonly json: boolean
  /** Returns where the value of a flag came from, for messages: `--port`, or the variable that was set. */
  readonly sourceOf: (flag: string) => string
}

export type Call<F extends Flags = Flags, O extends readonly string[] = readonly string[]> = {
  readonly flags: Given<F>
  readonly operands: { readonly [K in keyof O]: string }
  readonly globals: Globals
}

type CommandRow<F extends Flags, O extends readonly string[]> = {
  /** One or two words, such as `serve` or `account add`. */
  readonly name: string
  readonly summary: string
  /**
   * The placeholders of the operands. A placeholder with bars (`on|off`) allows only its words. One in
   * brackets may be left out, and is then an empty string. The last one takes all further words, separated by spaces, if
   * it ends with `…`.
   */
  readonly operands?: O
  readonly flags?: F
  readonly example: string
  /** Additional paragraphs for the help of the command. */
  readonly notes?: readonly string[]
  readonly run: (call: Call<F, O>) => Promise<Answer>
}

export type Command = CommandRow<Flags, readonly string[]> & {
  readonly operands: readonly string[]
  readonly flags: Flags
}

/** Derives the type of `run`'s argument from the flags and operands. */
export function command<const F extends Flags = {}, const O extends readonly string[] = []>(
  row: CommandRow<F, O>,
): Command {
  return { operands: [], flags: {}, ...row } as unknown as Command
}

/** The result of a command. JSON or text goes to standard output. Remarks go to standard error. */
export type Answer = {
  readonly exit: 0 | 1 | 2
  /** The member is missing if the command prints nothing. */
  readonly printed?: { readonly json: unknown; readonly text: string }
  readonly remarks: readonly string[]
}

export function done(json: unknown, text: string, ...remarks: readonly string[]): Answer {
  return { exit: 0, printed: { json, text }, remarks }
}

export function refused(...problems: readonly string[]): Answer {
  return { exit: 1, remarks: problems }
}

/** Returns the result of a command with wrong flags or operands. */
export function usageError(...problems: readonly string[]): Answer {
  return { exit: 2, remarks: problems }
}
