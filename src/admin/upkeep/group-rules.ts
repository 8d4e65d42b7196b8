/**
 * What the rules `groups` of the configuration file need at a start: their groups exist, and what a provider gave by
 * a rule that is gone ends. Interface GROUP-14, GROUP-16.
 */
import { setTimeout as pause } from "node:timers/promises"
import { addGroup } from "../../accounts/groups/groups.ts"
import { endedMarks } from "../../accounts/sign-in/given-groups.rules.ts"
import type { UserId } from "../../kernel/ids.ts"
import { decided } from "../../model/change.rules.ts"
import type { SignInProviders } from "../../model/sign-in/provider.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Mark } from "../../store/list-shapes.ts"

/** The number of marks that are read, and ended at the same time. */
const BATCH = 100

/** During this pause between two batches, requests run. There may be a million marks. */
const PAUSE_MILLISECONDS = 5

/** Follows every id of an account, because ids are visible ASCII. */
const AFTER_EVERY_ID = "\u{7f}" as UserId

type Needs = Pick<Services, "store" | "clock" | "providers" | "log">

export async function makeGroups(services: Needs): Promise<void> {
  const names = [...services.providers.values()].flatMap(({ groups }) => [...(groups?.map.values() ?? [])])
  for (const name of new Set(names)) {
    const { group } = await services.store.read({ group: name })
    // Another node may add it meanwhile.
    if (group === null) await addGroup(services, name, null, { address: null })
  }
}

/** Runs once in the background. Returns a function that stops it. */
export function startEndingMarks(services: Needs): () => void {
  let isOver = false
  endMarks(services, () => isOver).catch((err: unknown) => {
    if (!isOver)
      services.log.error({ err }, "groups of a former rule were not taken back; a start tries again")
  })
  return () => (isOver = true)
}

/** Reads one row of each group that a rule still gives, and all others. */
export async function endMarks(services: Needs, isOver: () => boolean = () => false): Promise<void> {
  const { store, providers, log } = services
  let ended = 0
  let after: Mark = { provider: "", group: "", userId: "" as UserId }
  while (!isOver()) {
    await pause(PAUSE_MILLISECONDS, undefined, { ref: false })
    const page = await store.marks(after, BATCH)
    const [first] = page
    if (first === undefined) break
    if (isGiven(providers, first)) after = { ...first, userId: AFTER_EVERY_ID }
    else {
      const alike = page.filter(({ provider, group }) => provider === first.provider && group === first.group)
      await Promise.all(alike.map((mark) => endMark(services, mark)))
      ended += alike.length
      after = alike.at(-1) ?? first
    }
  }
  if (ended > 0)
    log.info({ ended }, "memberships by rules that the configuration file no longer has have ended")
}

function isGiven(providers: SignInProviders, { provider, group }: Mark): boolean {
  return [...(providers.get(provider)?.groups?.map.values() ?? [])].includes(group)
}

function endMark({ store, clock }: Needs, { provider, group, userId }: Mark): Promise<null> {
  const by = { now: clock.now(), address: null }
  return store.change({ account: userId, memberships: userId }, ({ account, memberships }) => {
    const isOver = (mark: { readonly group: string; readonly provider: string | null }) =>
      mark.group === group && mark.provider === provider
    return decided(
      null,
      ...(account === null ? [] : endedMarks({ account, memberships }, isOver, by, provider)),
    )
  })
}
