/** A preview as the command line's JSON and the API answer it. */
import { previewSentences } from "./preview-words.ts"
import type { PreviewedChange, ReachPreview, Touched } from "./reach-preview.ts"

export type PreviewRecord = {
  readonly change: PreviewedChange
  readonly live: Touched
  readonly takes: readonly (Touched & { readonly permission: string })[]
  readonly gives: readonly (Touched & { readonly permission: string })[]
  readonly losing: Touched
  readonly gaining: Touched
  readonly left_with_nothing: Touched
  readonly reaching_again: Touched
  readonly implied_anyway: readonly {
    readonly permission: string
    readonly named: "added" | "removed"
    readonly implied_by: readonly string[]
  }[]
  /** The same for people. */
  readonly sentences: readonly string[]
}

export function previewRecord(preview: ReachPreview): PreviewRecord {
  return {
    change: preview.change,
    live: preview.live,
    takes: preview.taken,
    gives: preview.given,
    losing: preview.losing,
    gaining: preview.gaining,
    left_with_nothing: preview.emptied,
    reaching_again: preview.revived,
    implied_anyway: preview.impliedAnyway.map(({ permission, named, impliedBy }) => ({
      permission,
      named,
      implied_by: impliedBy,
    })),
    sentences: previewSentences(preview),
  }
}
