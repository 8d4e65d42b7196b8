/** What `--preview` prints: what a command would do to live credentials. It changes nothing. */
import { type PreviewRecord, previewRecord } from "./preview-record.ts"
import { previewSentences } from "./preview-words.ts"
import type { ReachPreview } from "./reach-preview.rules.ts"
import { type Answer, done } from "../../cli/kit/command.ts"
import { visible } from "../../cli/kit/print.ts"

/** The flag of every command that has a preview. */
export const previewFlag = {
  summary: "say what it would take from live credentials, and change nothing",
} as const

/** The record as the command would leave it, with `preview`; sentences for people. */
export function previewed<R extends object>(record: R, preview: ReachPreview): Answer {
  const json: R & { readonly preview: PreviewRecord } = { ...record, preview: previewRecord(preview) }
  const text = previewSentences(preview).map(visible).join("\n")
  return done(json, text, "This is a preview: nothing was changed.")
}
