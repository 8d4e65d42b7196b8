/** The texts of a preview, for the command line and the pages. They contain no name that a user chose. */
import { countOf } from "../../kernel/words.ts"
import type {
  ImpliedAnyway,
  PermissionTouched,
  PreviewedChange,
  ReachPreview,
  Touched,
} from "./reach-preview.rules.ts"
import { anonymizedCount } from "./anonymized-count.rules.ts"

export type PreviewParts = {
  /** What the change does in all. The list is never empty. */
  readonly total: readonly string[]
  /** The lost permissions, the gained ones, and those that are still implied. */
  readonly rest: readonly string[]
}

/** Returns the total first, and then a line for each permission. */
export function previewParts(preview: ReachPreview): PreviewParts {
  return parts({ ...preview, isAnonymized: false })
}

export function previewSentences(preview: ReachPreview): readonly string[] {
  return sentences({ ...preview, isAnonymized: false })
}

/** Returns the lines with rounded counts, for the owner of an app. */
export function anonymizedPreviewSentences(preview: ReachPreview): readonly string[] {
  return sentences({ ...preview, isAnonymized: true })
}

type ShownPreview = ReachPreview & { readonly isAnonymized: boolean }

function sentences(preview: ShownPreview): readonly string[] {
  const { total, rest } = parts(preview)
  return [...total, ...rest]
}

function parts(preview: ShownPreview): PreviewParts {
  const rest = [
    ...preview.taken.map((row) => takenSentence(row, preview)),
    ...preview.given.map((row) => givenSentence(row, preview)),
    ...preview.impliedAnyway.map(impliedAnywaySentence),
  ]
  const total = [
    ...sums[preview.change](preview),
    ...(preview.endsSecret === true ? [SECRET_ENDS] : []),
    ...serviceAccountsSentence(preview),
  ]
  // A single permission is its own total.
  return total.length === 0 ? { total: rest, rest: [] } : { total, rest }
}

const SECRET_ENDS =
  "The app authenticates with its key from then on. Its secret stops working at once, and the app cannot go back to a secret."

/** Returns what a completed change has removed. The list is empty if it removed nothing. */
export function takenSentences(preview: ReachPreview): readonly string[] {
  const shown = { ...preview, isAnonymized: false }
  const rows = preview.taken.filter(({ credentials }) => credentials > 0)
  return [
    ...rows.map((row) => `Took ${row.permission} from ${touched(row, shown)}.`),
    ...emptiedSentence(shown),
  ]
}

const shifts = (preview: ShownPreview): readonly string[] => {
  const { taken, given, losing, gaining } = preview
  if (losing.credentials === 0 && gaining.credentials === 0)
    return ["No live credential loses or gains anything."]
  return [
    ...inAll(taken, losing, "lose", preview),
    ...inAll(given, gaining, "gain", preview),
    ...emptiedSentence(preview),
  ]
}

const sums: { readonly [K in PreviewedChange]: (preview: ShownPreview) => readonly string[] } = {
  ceiling: shifts,
  groups: shifts,
  "app-disabled": (preview) => stoppedSentence(preview, "until the app is enabled again"),
  "app-removed": revokedSentence,
  "administration-granted": (preview) =>
    preview.gaining.credentials === 0
      ? ["No live credential gains anything."]
      : inAll(preview.given, preview.gaining, "gain", preview),
  "administration-withdrawn": (preview) =>
    preview.losing.credentials === 0
      ? ["No live credential loses anything."]
      : [
          ...inAll(preview.taken, preview.losing, "lose", preview),
          ...emptiedSentence(preview),
          "The account regains this when it is an administrator again.",
        ],
  "account-disabled": (preview) => stoppedSentence(preview, "until the account is enabled again"),
  "account-removed": revokedSentence,
  nothing: () => ["Nothing changes: this is already the case."],
}

/** A total says something only if there are several permissions. */
function inAll(
  rows: readonly PermissionTouched[],
  of: Touched,
  plural: "lose" | "gain",
  preview: ShownPreview,
): readonly string[] {
  return rows.length < 2 || of.credentials === 0
    ? []
    : [`In all, ${touched(of, preview)} ${verb(of, preview, plural)} something.`]
}

function takenSentence(row: PermissionTouched, preview: ShownPreview): string {
  return row.credentials === 0
    ? `Takes ${row.permission} from no account: no live credential reaches it.`
    : `Takes ${row.permission} from ${touched(row, preview)}.`
}

function givenSentence(row: PermissionTouched, preview: ShownPreview): string {
  return row.credentials === 0
    ? `Lets the app ask for ${row.permission}. No live credential gains it: no account has consented to it yet.`
    : `Gives ${row.permission} back to ${touched(row, preview)}; no new authorization is needed.`
}

function impliedAnywaySentence({ permission, impliedBy }: ImpliedAnyway): string {
  const by = `${impliedBy.join(" and ")} ${impliedBy.length === 1 ? "implies" : "imply"} it`
  return `${permission} was in reach before: ${by}.`
}

function serviceAccountsSentence({ disabledServiceAccounts: count = 0 }: ShownPreview): readonly string[] {
  if (count === 0) return []
  return [
    `${countOf(count, "service account")} of this account ${count === 1 ? "is" : "are"} disabled with it.`,
  ]
}

function emptiedSentence(preview: ShownPreview): readonly string[] {
  const { emptied } = preview
  return emptied.credentials === 0
    ? []
    : [`${touched(emptied, preview)} ${verb(emptied, preview, "keep")} nothing at all.`]
}

function stoppedSentence(preview: ShownPreview, until: string): readonly string[] {
  const { live } = preview
  return live.credentials === 0
    ? ["There is no live credential."]
    : [`${touched(live, preview)} ${verb(live, preview, "stop")} working ${until}.`]
}

function revokedSentence(preview: ShownPreview): readonly string[] {
  const { live } = preview
  return live.credentials === 0
    ? ["There is no live credential."]
    : [`${touched(live, preview)} ${isOne(live, preview) ? "is" : "are"} revoked for good.`]
}

/**
 * Formats a text such as `12 live credentials of 7 accounts`. For a change of one account, the text ends with `of 3
 * apps`.
 */
function touched({ credentials, accounts, apps }: Touched, { change, isAnonymized }: ShownPreview): string {
  const isOfAccount = change.startsWith("account-") || change.startsWith("administration-")
  const count = isAnonymized ? anonymizedCount : countOf
  const whose = isOfAccount ? count(apps, "app") : count(accounts, "account")
  return `${count(credentials, "live credential")} of ${whose}`
}

function isOne({ credentials }: Touched, { isAnonymized }: ShownPreview): boolean {
  return credentials === 1 && !isAnonymized
}

function verb(row: Touched, preview: ShownPreview, plural: string): string {
  return isOne(row, preview) ? `${plural}s` : plural
}
