/** A preview in plain words, for the command line and the pages. Holds no name that a person chose. */
import type {
  ImpliedAnyway,
  PermissionTouched,
  PreviewedChange,
  ReachPreview,
  Touched,
} from "./reach-preview.ts"

/** One sentence a line: what is taken, what comes, what stays all the same, and what it comes to. */
export function previewSentences(preview: ReachPreview): readonly string[] {
  const { change, taken, given, impliedAnyway } = preview
  return [
    ...taken.map((row) => takenSentence(row, change)),
    ...given.map((row) => givenSentence(row, change)),
    ...impliedAnyway.map(impliedAnywaySentence),
    ...sums[change](preview),
  ]
}

/** Once the change is made: what was taken from somebody. Empty where it took nothing. */
export function takenSentences(preview: ReachPreview): readonly string[] {
  const { change, taken } = preview
  const rows = taken.filter(({ credentials }) => credentials > 0)
  return [
    ...rows.map((row) => `Took ${row.permission} from ${touched(row, change)}.`),
    ...emptiedSentence(preview),
  ]
}

const sums: { readonly [K in PreviewedChange]: (preview: ReachPreview) => readonly string[] } = {
  ceiling: (preview) => {
    const { change, taken, losing, gaining } = preview
    if (losing.credentials === 0 && gaining.credentials === 0)
      return ["No live credential loses or gains anything."]
    const inAll = taken.length > 1 && losing.credentials > 0
    return [
      ...(inAll ? [`In all, ${touched(losing, change)} ${verb(losing, "lose")} something.`] : []),
      ...emptiedSentence(preview),
    ]
  },
  "app-disabled": (preview) => stoppedSentence(preview, "until the app is enabled again"),
  "app-removed": revokedSentence,
  "administration-granted": ({ gaining }) =>
    gaining.credentials === 0 ? ["No live credential gains anything."] : [],
  "administration-withdrawn": (preview) =>
    preview.losing.credentials === 0
      ? ["No live credential loses anything."]
      : [...emptiedSentence(preview), "An administrator again, the account has it back."],
  "account-disabled": (preview) => stoppedSentence(preview, "until the account is enabled again"),
  "account-removed": revokedSentence,
  nothing: () => ["Nothing changes: it is so already."],
}

function takenSentence(row: PermissionTouched, change: PreviewedChange): string {
  return row.credentials === 0
    ? `Takes ${row.permission} from nobody: no live credential reaches it.`
    : `Takes ${row.permission} from ${touched(row, change)}.`
}

function givenSentence(row: PermissionTouched, change: PreviewedChange): string {
  return row.credentials === 0
    ? `Lets the app ask for ${row.permission}. No live credential gains it: nobody has consented to it yet.`
    : `Gives ${row.permission} back to ${touched(row, change)}; nobody has to authorize anew.`
}

function impliedAnywaySentence({ permission, named, impliedBy }: ImpliedAnyway): string {
  const by = `${impliedBy.join(" and ")} ${impliedBy.length === 1 ? "implies" : "imply"} it`
  return named === "removed"
    ? `${permission} stays in reach all the same: ${by}.`
    : `${permission} was in reach before: ${by}.`
}

function emptiedSentence({ change, emptied }: ReachPreview): readonly string[] {
  return emptied.credentials === 0
    ? []
    : [`${touched(emptied, change)} ${verb(emptied, "keep")} nothing at all.`]
}

function stoppedSentence({ change, live }: ReachPreview, until: string): readonly string[] {
  return live.credentials === 0
    ? ["There is no live credential."]
    : [`${touched(live, change)} ${verb(live, "stop")} working ${until}.`]
}

function revokedSentence({ change, live }: ReachPreview): readonly string[] {
  return live.credentials === 0
    ? ["There is no live credential."]
    : [`${touched(live, change)} ${live.credentials === 1 ? "is" : "are"} revoked for good.`]
}

/** `12 live credentials of 7 accounts`; where one account is looked at, `of 3 apps`. */
function touched({ credentials, accounts, apps }: Touched, change: PreviewedChange): string {
  const isOfAccount = change.startsWith("account-") || change.startsWith("administration-")
  const whose = isOfAccount ? counted(apps, "app") : counted(accounts, "account")
  return `${counted(credentials, "live credential")} of ${whose}`
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`
}

function verb({ credentials }: Touched, plural: string): string {
  return credentials === 1 ? `${plural}s` : plural
}
