/** Plans and applies a file beside the database of a running service. All of it is one change, or nothing. APPLY-2. */
import { previewAccountRemoval, previewAppEnd, previewCeiling } from "../../apps/preview.ts"
import { previewGroupRemoval } from "../../apps/group-preview.ts"
import { previewSentences } from "../../apps/preview/preview-words.ts"
import { newBinding } from "../../apps/app.ts"
import type { ClientId } from "../../kernel/ids.ts"
import { newId } from "../../kernel/random.ts"
import type { Result } from "../../kernel/result.ts"
import { type Applied, type Decided, decided } from "../../model/change.rules.ts"
import { fromCommandLine, type Opened } from "../../platform/cli/open.ts"
import { type Found, keyList } from "../../store/loadable.ts"
import type { Fresh, Planned } from "./part.rules.ts"
import { plan, type Plan } from "./plan.rules.ts"
import { accountKeys, type FileProblem, type Present, type SetUp } from "./set-up.rules.ts"

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
  const { set, apps, groups, serviceAccounts } = setUp
  const made = (what: Applied["what"]) => applied.filter((row) => row.what === what).map((row) => row.made)
  const chosen = apps.flatMap(({ members }) => members.client_id ?? [])
  const ids = keyList([...new Set([...chosen, ...made("app")])])
  const names = [
    ...groups.map(({ key }) => key),
    ...made("group"),
    ...[...serviceAccounts, ...apps].flatMap(({ members }) => members.groups ?? []),
  ]
  return {
    applied: set,
    clients: ids,
    accountsNamed: keyList([...accountKeys(setUp, applied)]),
    groupsNamed: keyList([...new Set(names)]),
    boundCredentials: ids,
    usedClientIds: keyList(chosen),
    settings: true,
  } as const
}

/** Returns a function that plans. The random values that it needs are drawn once. */
export function planner(
  { catalog, languages }: Pick<Opened, "catalog" | "languages">,
  setUp: SetUp,
  isPruning: boolean,
  now: number,
): (present: Present) => Answer {
  const drawn = new Map<string, Fresh>()
  const freshOf = (part: string, key: string) => {
    const name = `${part} ${key}`
    const fresh = drawn.get(name) ?? { ...newBinding(now, fromCommandLine), id: newId<string>(now) }
    drawn.set(name, fresh)
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

/** Says what a removal ends, and what other permissions or groups of an app take from live credentials. */
export async function endsOf(
  opened: Opened,
  { change, what, made, members, changes }: Planned,
): Promise<readonly string[]> {
  if (what === "app" && members.some(({ member }) => member === "permissions" || member === "groups")) {
    const { client } = await opened.store.read({ client: made as ClientId })
    const after = changes.find((one) => one.change === "clientChanged")?.client
    if (client === null || after === undefined) return []
    return previewSentences(await previewCeiling(opened, client, after))
  }
  const ended = change === "remove" ? await previewOf(opened, what, made) : null
  return ended?.ok === true ? previewSentences(ended.value.preview) : []
}

function previewOf(opened: Opened, what: Planned["what"], made: string) {
  if (what === "app") return previewAppEnd(opened, made, "removed", { owner: null })
  if (what === "group") return previewGroupRemoval(opened, made)
  return what === "service_account" ? previewAccountRemoval(opened, made) : null
}
