/** A preview in plain words, for the command line and the pages. Holds no name that a person chose. */
import type {
  ImpliedAnyway,
  PermissionTouched,
  PreviewedChange,
  ReachPreview,
  Touched,
} from "./reach-preview.rules.ts"
import { roughly } from "./anonymized-count.rules.ts"

/** One sentence a line: what is taken, what comes, what stays all the same, and what it comes to. */
export function previewSentences(preview: ReachPreview): readonly string[] {
  return sentences({ ...preview, isRough: false })
}

/** The same for the owner of an app, who is told how many roughly. */
export function roughPreviewSentences(preview: ReachPreview): readonly string[] {
  return sentences({ ...preview, isRough: true })
}

type Told = ReachPreview & { readonly isRough: boolean }

function sentences(told: Told): readonly string[] {
  return [
    ...told.taken.map((row) => takenSentence(row, told)),
    ...told.given.map((row) => givenSentence(row, told)),
    ...told.impliedAnyway.map(impliedAnywaySentence),
    ...sums[told.change](told),
  ]
}

/** Once the change is made: what was taken from somebody. Empty where it took nothing. */
export function takenSentences(preview: ReachPreview): readonly string[] {
  const told = { ...preview, isRough: false }
  const rows = told.taken.filter(({ credentials }) => credentials > 0)
  return [
    ...rows.map((row) => `Took ${row.permission} from ${touched(row, told)}.`),
    ...emptiedSentence(told),
  ]
}

const sums: { readonly [K in PreviewedChange]: (told: Told) => readonly string[] } = {
  ceiling: (told) => {
    const { taken, losing, gaining } = told
    if (losing.credentials === 0 && gaining.credentials === 0)
      return ["No live credential loses or gains anything."]
    const inAll = taken.length > 1 && losing.credentials > 0
    return [
      ...(inAll ? [`In all, ${touched(losing, told)} ${verb(losing, told, "lose")} something.`] : []),
      ...emptiedSentence(told),
    ]
  },
  "app-disabled": (told) => stoppedSentence(told, "until the app is enabled again"),
  "app-removed": revokedSentence,
  "administration-granted": ({ gaining }) =>
    gaining.credentials === 0 ? ["No live credential gains anything."] : [],
  "administration-withdrawn": (told) =>
    told.losing.credentials === 0
      ? ["No live credential loses anything."]
      : [...emptiedSentence(told), "An administrator again, the account has it back."],
  "account-disabled": (told) => stoppedSentence(told, "until the account is enabled again"),
  "account-removed": revokedSentence,
  nothing: () => ["Nothing changes: it is so already."],
}

function takenSentence(row: PermissionTouched, told: Told): string {
  return row.credentials === 0
    ? `Takes ${row.permission} from nobody: no live credential reaches it.`
    : `Takes ${row.permission} from ${touched(row, told)}.`
}

function givenSentence(row: PermissionTouched, told: Told): string {
  return row.credentials === 0
    ? `Lets the app ask for ${row.permission}. No live credential gains it: nobody has consented to it yet.`
    : `Gives ${row.permission} back to ${touched(row, told)}; nobody has to authorize anew.`
}

function impliedAnywaySentence({ permission, impliedBy }: ImpliedAnyway): string {
  const by = `${impliedBy.join(" and ")} ${impliedBy.length === 1 ? "implies" : "imply"} it`
  return `${permission} was in reach before: ${by}.`
}

function emptiedSentence(told: Told): readonly string[] {
  const { emptied } = told
  return emptied.credentials === 0
    ? []
    : [`${touched(emptied, told)} ${verb(emptied, told, "keep")} nothing at all.`]
}

function stoppedSentence(told: Told, until: string): readonly string[] {
  const { live } = told
  return live.credentials === 0
    ? ["There is no live credential."]
    : [`${touched(live, told)} ${verb(live, told, "stop")} working ${until}.`]
}

function revokedSentence(told: Told): readonly string[] {
  const { live } = told
  return live.credentials === 0
    ? ["There is no live credential."]
    : [`${touched(live, told)} ${isOne(live, told) ? "is" : "are"} revoked for good.`]
}

/** `12 live credentials of 7 accounts`; where one account is looked at, `of 3 apps`. */
function touched({ credentials, accounts, apps }: Touched, { change, isRough }: Told): string {
  const isOfAccount = change.startsWith("account-") || change.startsWith("administration-")
  const count = isRough ? roughly : counted
  const whose = isOfAccount ? count(apps, "app") : count(accounts, "account")
  return `${count(credentials, "live credential")} of ${whose}`
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`
}

function isOne({ credentials }: Touched, { isRough }: Told): boolean {
  return credentials === 1 && !isRough
}

function verb(row: Touched, told: Told, plural: string): string {
  return isOne(row, told) ? `${plural}s` : plural
}
