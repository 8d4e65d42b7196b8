/** The flag `--preview`. A command with this flag prints what it would do to live credentials, and changes nothing. */
import { type PreviewRecord, previewRecord } from "./preview-record.ts"
import { previewSentences } from "./preview-words.ts"
import type { ReachPreview } from "./reach-preview.rules.ts"
import { type Answer, done } from "../../platform/cli/command.ts"
import { visible } from "../../platform/cli/print.ts"

export const previewFlag = {
  summary: "show the effect on live credentials, and change nothing",
} as const

/** Formats the changed record with its preview. JSON contains both. The text contains the sentences of the preview. */
export function previewed<R extends object>(record: R, preview: ReachPreview): Answer {
  const json: R & { readonly preview: PreviewRecord } = { ...record, preview: previewRecord(preview) }
  const text = previewSentences(preview).map(visible).join("\n")
  return done(json, text, "This is a preview: nothing was changed.")
}
