/** Retirements as text, newest first: `generation:at`, divided by spaces; null where there are none. */
import type { Retirement } from "../../core/credential.ts"

export function retirementsText(retirements: readonly Retirement[]): string | null {
  if (retirements.length === 0) return null
  return retirements.map(({ generation, at }) => `${generation}:${at}`).join(" ")
}

/** Numbers that are none come out as NaN, for `verify` to report. */
export function retirementsOf(text: string | null): readonly Retirement[] {
  if (text === null) return []
  return text.split(" ").map((entry) => {
    const [generation, at] = entry.split(":")
    return { generation: Number(generation), at: Number(at) }
  })
}
