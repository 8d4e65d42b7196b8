/** What a check of a live service found. */

/** `notice` is not a fault: a person has to compare something that a program outside the service cannot see. */
export type State = "fine" | "notice" | "warning" | "problem"

export type Finding = {
  /** What was checked, in a few words. */
  readonly check: string
  readonly state: State
  /** One sentence. */
  readonly seen: string
  /** Why it matters, and what to do. */
  readonly advice: string | null
}

type Kind = (check: string, seen: string, advice: string) => Finding

export const fine = (check: string, seen: string): Finding => ({ check, state: "fine", seen, advice: null })
export const notice: Kind = (check, seen, advice) => ({ check, state: "notice", seen, advice })
export const warning: Kind = (check, seen, advice) => ({ check, state: "warning", seen, advice })
export const problem: Kind = (check, seen, advice) => ({ check, state: "problem", seen, advice })
