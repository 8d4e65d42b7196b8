/** The JSON record of a preview, for the command line and the API. */
import { previewSentences, anonymizedPreviewSentences } from "./preview-words.ts"
import type { PreviewedChange, ReachPreview, Touched } from "./reach-preview.rules.ts"
import { anonymizedText } from "./anonymized-count.rules.ts"

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
  /** The preview in sentences for people. */
  readonly sentences: readonly string[]
}

export function previewRecord(preview: ReachPreview): PreviewRecord {
  return recordOf(preview, (row) => row, previewSentences(preview))
}

/** The preview for the owner of the app, with anonymized counts. */
export function anonymizedPreviewRecord(preview: ReachPreview): PreviewRecord {
  return recordOf(preview, anonymized, anonymizedPreviewSentences(preview))
}

function anonymized<T extends Touched>(row: T): T {
  const { credentials, accounts } = row
  return { ...row, credentials: anonymizedText(credentials), accounts: anonymizedText(accounts) }
}

function recordOf(
  preview: ReachPreview,
  shown: <T extends Touched>(row: T) => T,
  sentences: readonly string[],
): PreviewRecord {
  return {
    change: preview.change,
    live: shown(preview.live),
    takes: preview.taken.map(shown),
    gives: preview.given.map(shown),
    losing: shown(preview.losing),
    gaining: shown(preview.gaining),
    left_with_nothing: shown(preview.emptied),
    reaching_again: shown(preview.revived),
    implied_anyway: preview.impliedAnyway.map(({ permission, impliedBy }) => ({
      permission,
      implied_by: impliedBy,
    })),
    sentences,
  }
}
