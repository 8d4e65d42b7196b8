/** A store that also counts events, after the changes of a rule are stored. */
import type { Change, Decided } from "../../model/change.rules.ts"
import { countedOf } from "../../model/tally-names.rules.ts"
import type { Found, Load } from "../../store/loadable.ts"
import type { Store } from "../../store/store.ts"
import type { DiskState } from "./disk-state.ts"
import type { LiveSettings } from "./live-settings.ts"
import type { Tallies } from "./tallies.ts"

/** `disk` learns from each change whether the database can be written, and `settings` when they must be read again. */
export function countingStore(
  store: Store,
  tallies: Tallies,
  disk: DiskState,
  settings: Pick<LiveSettings, "expire">,
): Store {
  const failed = (error: unknown): never => {
    disk.failed(error)
    throw error
  }
  return storeWith(
    store,
    <const L extends Load, A>(load: L, decide: (found: Found<L>) => Decided<A>): Promise<A> => {
      let changes: readonly Change[] = []
      const answer = store.change(load, (found) => {
        const decided = decide(found)
        changes = decided.changes
        return decided
      })
      return answer.then((value) => {
        for (const change of changes) {
          if (change.change === "eventRecorded") tallies.record(change.event.kind)
          if (change.change === "settingSet" || change.change === "settingUnset") settings.expire()
          for (const { name, clientId } of countedOf(change)) tallies.count(name, clientId)
        }
        if (changes.length > 0) disk.wrote()
        return value
      }, failed)
    },
  )
}

/** Returns a store that calls `change`. All other calls are passed on to `store`. */
export function storeWith(store: Store, change: Store["change"]): Store {
  return {
    share: (nowMs) => store.share(nowMs),
    change,
    read: (load) => store.read(load),
    keepRotationKeys: (span, proposed) => store.keepRotationKeys(span, proposed),
    accounts: (page, filter) => store.accounts(page, filter),
    clients: (page, filter) => store.clients(page, filter),
    credentials: (filter, page) => store.credentials(filter, page),
    groups: (page, name) => store.groups(page, name),
    marks: (after, limit) => store.marks(after, limit),
    identities: (provider, page) => store.identities(provider, page),
    taken: (userIds, usernameKeys, tokenHashes) => store.taken(userIds, usernameKeys, tokenHashes),
    sessions: (userId) => store.sessions(userId),
    invitations: (page) => store.invitations(page),
    settings: () => store.settings(),
    sealed: (thing, after, limit) => store.sealed(thing, after, limit),
    events: (filter, page) => store.events(filter, page),
    tallies: (query) => store.tallies(query),
    gauges: (now) => store.gauges(now),
    installations: (now) => store.installations(now),
    talliesOfApps: (since, until) => store.talliesOfApps(since, until),
    usersOf: (clientId, now, most) => store.usersOf(clientId, now, most),
    consentsOf: (of, now) => store.consentsOf(of, now),
    invalidations: (after, limit) => store.invalidations(after, limit),
    claimMails: (now, leaseEndsAt, limit) => store.claimMails(now, leaseEndsAt, limit),
    mailBacklog: () => store.mailBacklog(),
    unsentMails: (limit) => store.unsentMails(limit),
    isLocked: () => store.isLocked(),
    endExpiredSessions: (now, limit) => store.endExpiredSessions(now, limit),
    sweep: (now, limit, eventsKeptDays) => store.sweep(now, limit, eventsKeptDays),
    sweepUnusedApps: (now, keep, limit) => store.sweepUnusedApps(now, keep, limit),
    sweepRegistrations: (upTo, after, limit) => store.sweepRegistrations(upTo, after, limit),
    verify: (progress) => store.verify(progress),
    backup: (file, progress) => store.backup(file, progress),
    close: () => store.close(),
  }
}
