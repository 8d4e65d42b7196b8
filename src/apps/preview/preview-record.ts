/** The JSON record of a preview, for the command line and the API. */
import { previewSentences, anonymizedPreviewSentences } from "./preview-words.ts"
import { choice, integer, list, type Parsed, record, text } from "../../platform/json/shape.rules.ts"
import type { ReachPreview, Touched } from "./reach-preview.rules.ts"
import { anonymizedText } from "./anonymized-count.rules.ts"

const touchedMembers = {
  credentials: integer("Active credentials.", 12),
  accounts: integer("The accounts of these credentials.", 7),
  apps: integer("The apps of these credentials.", 1),
}
const touched = record("Touched", touchedMembers)
const permissionTouched = record(null, {
  ...touchedMembers,
  permission: text("The name of the permission.", "account:read"),
})

export const previewShape = record("Preview", {
  change: choice("What would change.", [
    "ceiling",
    "app-disabled",
    "app-removed",
    "administration-granted",
    "administration-withdrawn",
    "account-disabled",
    "account-removed",
    "groups",
    "nothing",
  ]),
  live: touched,
  takes: list("The permissions that would be lost, and for how many.", permissionTouched),
  gives: list("The permissions that would be gained, and for how many.", permissionTouched, { example: [] }),
  losing: touched,
  gaining: touched,
  left_with_nothing: touched,
  reaching_again: touched,
  implied_anyway: list(
    "Added permissions that change nothing, because others imply them.",
    record(null, {
      permission: text("The name of the permission.", "account:read"),
      implied_by: list("The permissions that imply it.", text("A permission.", "account:write")),
    }),
    { example: [] },
  ),
  sentences: list(
    "The same as sentences.",
    text("A sentence.", "Takes account:read from 12 live credentials of 7 accounts."),
  ),
})

export type PreviewRecord = Parsed<typeof previewShape>

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
