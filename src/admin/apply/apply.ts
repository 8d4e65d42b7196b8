/** Plans and applies a file beside the database of a running service. All of it is one change, or nothing. APPLY-2. */
import { previewAccountRemoval, previewAppEnd } from "../../apps/preview.ts"
import { previewGroupRemoval } from "../../apps/group-preview.ts"
import type { ReachPreview } from "../../apps/preview/reach-preview.rules.ts"
import { previewSentences } from "../../apps/preview/preview-words.ts"
import { newBinding } from "../../apps/app.ts"
import { newId } from "../../kernel/random.ts"
import type { Result } from "../../kernel/result.ts"
import { type Applied, type Decided, decided } from "../../model/change.rules.ts"
import { usernameKey } from "../../model/username.rules.ts"
import { fromCommandLine, type Opened } from "../../platform/cli/open.ts"
import { type Found, keyList } from "../../store/loadable.ts"
import type { Fresh, Planned, Planning } from "./part.rules.ts"
import { plan, type Plan } from "./plan.rules.ts"
import type { FileProblem, Present, SetUp } from "./set-up.rules.ts"

type Answer = Result<Plan, readonly FileProblem[]>
type Options = { readonly isPruning: boolean; readonly isDryRun: boolean }

export async function applySetUp(opened: Opened, setUp: SetUp, options: Options): Promise<Answer> {
  const { store } = opened
  const { applied } = await store.read({ applied: setUp.set })
  const load = loadOf(setUp, applied ?? [])
  const planOf = planner(opened, setUp, options.isPruning, opened.clock.now())
  if (options.isDryRun) return planOf(presentIn(await store.read(load)))
  const answer = await store.change(load, (found): Decided<Answer | null> => {
    // Another apply of the set came in between.
    if (JSON.stringify(found.applied) !== JSON.stringify(applied)) return decided(null)
    const planned = planOf(presentIn(found))
    return decided(planned, ...(planned.ok ? planned.value.changes : []))
  })
  return answer ?? applySetUp(opened, setUp, options)
}

function loadOf(setUp: SetUp, applied: readonly Applied[]) {
  const { set, apps, serviceAccounts } = setUp
  const made = (what: Applied["what"]) => applied.filter((row) => row.what === what)
  const chosen = apps.flatMap(({ clientId }) => clientId ?? [])
  const ids = [...new Set([...chosen, ...made("app").map((row) => row.made)])]
  const names = [
    ...apps.flatMap(({ owner, serviceAccount }) => [owner, serviceAccount]),
    ...serviceAccounts.flatMap(({ name, owner }) => [name, owner]),
    ...made("service_account").map(({ key }) => key),
  ].flatMap((name) => (name === null || name === undefined ? [] : usernameKey(name)))
  const groups = [
    ...[...setUp.groups, ...made("group").map(({ made: name }) => ({ name }))].map(({ name }) => name),
    ...serviceAccounts.flatMap((one) => one.groups ?? []),
    ...apps.flatMap(({ update }) => update.groups ?? []),
  ]
  return {
    applied: set,
    clients: keyList(ids),
    accountsNamed: keyList([...new Set(names)]),
    groupsNamed: keyList([...new Set(groups)]),
    boundCredentials: keyList(ids),
    usedClientIds: keyList(chosen),
    settings: true,
  } as const
}

type Rules = Pick<Opened, "catalog" | "languages">

/** Returns a function that plans. The random values that it needs are drawn once. */
export function planner(
  { catalog, languages }: Rules,
  setUp: SetUp,
  isPruning: boolean,
  now: number,
): (present: Present) => Answer {
  const drawn = new Map<string, Fresh>()
  const freshOf: Planning["freshOf"] = (part, key) => {
    const fresh = drawn.get(`${part} ${key}`) ?? {
      ...newBinding(now, fromCommandLine),
      id: newId<string>(now),
    }
    drawn.set(`${part} ${key}`, fresh)
    return fresh
  }
  return (present) =>
    plan({ set: setUp.set, present, catalog, languages: languages.tags, now, freshOf }, setUp, isPruning)
}

function presentIn(found: Found<ReturnType<typeof loadOf>>): Present {
  return {
    applied: found.applied ?? [],
    clients: found.clients ?? [],
    accounts: found.accountsNamed ?? [],
    groups: found.groupsNamed ?? [],
    boundCredentials: found.boundCredentials ?? [],
    usedClientIds: found.usedClientIds ?? [],
    settings: new Map((found.settings ?? []).map(({ key, value }) => [key, value])),
    knowsSecrets: true,
  }
}

/** Says what a removal ends. */
export async function endsOf(opened: Opened, { change, what, made }: Planned): Promise<readonly string[]> {
  const preview = change === "remove" ? previews[what] : undefined
  const ended = await preview?.(opened, made)
  return ended?.ok === true ? previewSentences(ended.value.preview) : []
}

type Preview = (opened: Opened, made: string) => Promise<Result<{ readonly preview: ReachPreview }, unknown>>

const previews: { readonly [W in Planned["what"]]?: Preview } = {
  app: (opened, id) => previewAppEnd(opened, id, "removed", { owner: null }),
  service_account: previewAccountRemoval,
  group: previewGroupRemoval,
}
