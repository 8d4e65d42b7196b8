/** What a check of a live service found. */

/** `told` is no fault, but for a person to compare: a program from outside cannot. */
export type State = "fine" | "told" | "warning" | "problem"

export type Finding = {
  /** What was looked at, in a few words. */
  readonly check: string
  readonly state: State
  /** What was seen: one sentence. */
  readonly seen: string
  /** Why it matters, and what to do. */
  readonly advice: string | null
}

type Kind = (check: string, seen: string, advice: string) => Finding

export const fine = (check: string, seen: string): Finding => ({ check, state: "fine", seen, advice: null })
export const notice: Kind = (check, seen, advice) => ({ check, state: "told", seen, advice })
export const warning: Kind = (check, seen, advice) => ({ check, state: "warning", seen, advice })
export const problem: Kind = (check, seen, advice) => ({ check, state: "problem", seen, advice })
