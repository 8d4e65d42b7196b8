/** A preview as the command line's JSON and the API answer it. */
import { previewSentences, roughPreviewSentences } from "./preview-words.ts"
import type { PreviewedChange, ReachPreview, Touched } from "./reach-preview.rules.ts"
import { roughCount } from "./anonymized-count.rules.ts"

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
    readonly implied_by: readonly string[]
  }[]
  /** The same for people. */
  readonly sentences: readonly string[]
}

export function previewRecord(preview: ReachPreview): PreviewRecord {
  return recordOf(preview, (row) => row, previewSentences(preview))
}

/** As the owner of the app may see it: how many roughly, so that nobody in particular shows. */
export function roughPreviewRecord(preview: ReachPreview): PreviewRecord {
  return recordOf(preview, rough, roughPreviewSentences(preview))
}

function rough<T extends Touched>(row: T): T {
  const { credentials, accounts } = row
  return { ...row, credentials: roughCount(credentials), accounts: roughCount(accounts) }
}

function recordOf(
  preview: ReachPreview,
  told: <T extends Touched>(row: T) => T,
  sentences: readonly string[],
): PreviewRecord {
  return {
    change: preview.change,
    live: told(preview.live),
    takes: preview.taken.map(told),
    gives: preview.given.map(told),
    losing: told(preview.losing),
    gaining: told(preview.gaining),
    left_with_nothing: told(preview.emptied),
    reaching_again: told(preview.revived),
    implied_anyway: preview.impliedAnyway.map(({ permission, impliedBy }) => ({
      permission,
      implied_by: impliedBy,
    })),
    sentences,
  }
}
