/** `notice` does not mean a fault. It asks a person to compare something that is not visible from outside. */
export type State = "fine" | "notice" | "warning" | "problem"

export type Finding = {
  readonly check: string
  readonly state: State
  /** One sentence about what was observed. */
  readonly seen: string
  /** The consequence, and what to do about it. */
  readonly advice: string | null
}

type Kind = (check: string, seen: string, advice: string) => Finding

export const fine = (check: string, seen: string): Finding => ({ check, state: "fine", seen, advice: null })
export const notice: Kind = (check, seen, advice) => ({ check, state: "notice", seen, advice })
export const warning: Kind = (check, seen, advice) => ({ check, state: "warning", seen, advice })
export const problem: Kind = (check, seen, advice) => ({ check, state: "problem", seen, advice })
