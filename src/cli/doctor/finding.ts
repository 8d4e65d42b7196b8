/** The result of a check of a live service. */

/** `notice` is not a fault: a person has to compare something that is not visible from outside. */
export type State = "fine" | "notice" | "warning" | "problem"

export type Finding = {
  /** The name of the check. */
  readonly check: string
  readonly state: State
  /** The observation, in one sentence. */
  readonly seen: string
  /** The consequence and the remedy. */
  readonly advice: string | null
}

type Kind = (check: string, seen: string, advice: string) => Finding

export const fine = (check: string, seen: string): Finding => ({ check, state: "fine", seen, advice: null })
export const notice: Kind = (check, seen, advice) => ({ check, state: "notice", seen, advice })
export const warning: Kind = (check, seen, advice) => ({ check, state: "warning", seen, advice })
export const problem: Kind = (check, seen, advice) => ({ check, state: "problem", seen, advice })
