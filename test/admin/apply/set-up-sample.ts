/** Files and rows for the tests of plans, and a store in memory that applies the changes of a plan. */
import type { Present, NamedApp, SetUp } from "../../../src/admin/apply/set-up.rules.ts"
import type { Planning } from "../../../src/admin/apply/part.rules.ts"
import type { TokenId } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { groupsOf } from "../../../src/model/permissions/group.rules.ts"
import { hash, NOW, sampleCatalog } from "../../support/core-sample.ts"

export const nothingPresent: Present = {
  applied: [],
  clients: [],
  accounts: [],
  groups: [],
  boundCredentials: [],
  usedClientIds: [],
  settings: new Map(),
  knowsSecrets: true,
}

export const emptySetUp: SetUp = {
  set: "default",
  groups: [],
  apps: [],
  serviceAccounts: [],
  settings: [],
  appearance: [],
}

export function planning(present: Partial<Present> = {}): Planning {
  return {
    set: "default",
    present: { ...nothingPresent, ...present },
    catalog: sampleCatalog,
    languages: ["en", "de"],
    now: NOW,
    freshOf: (part, key) => ({
      id: `${part}-${key}`,
      now: NOW,
      address: null,
      actorId: null,
      tokenId: `token-${key}` as TokenId,
      familyKey: "key",
      noRefreshHash: hash("none"),
    }),
  }
}

/** An entry of the file, all in one line. */
export function named<M>(key: string, members: M, line = 1) {
  return { key, line, lines: new Map(Object.keys(members ?? {}).map((name) => [name, line])), members }
}

/** A confidential app with a secret. The lines of its members count from its own line. */
export function namedApp(key: string, differing: NamedApp["members"] = {}, line = 10): NamedApp {
  const members = {
    client_id: `id-${key}`,
    name: key,
    type: "confidential",
    redirects: ["https://app.example/done"],
    permissions: ["files:read"],
    client_secret_file: hash(`secret of ${key}`),
    ...differing,
  } as const
  return withLines({ key, line, members })
}

/** An app that has only these members. */
export function bareApp(key: string, members: NamedApp["members"], line = 10): NamedApp {
  return withLines({ key, line, members })
}

function withLines(entry: Omit<NamedApp, "lines">): NamedApp {
  const given = Object.entries(entry.members).filter(([, value]) => value !== undefined)
  return { ...entry, lines: new Map(given.map(([name], at) => [name, entry.line + 1 + at])) }
}

/** Returns the rows as the changes leave them. Throws for a change that no plan makes. */
export function after(present: Present, changes: readonly Change[]): Present {
  return changes.reduce(applyOne, present)
}

function applyOne(present: Present, change: Change): Present {
  const { clients, accounts, applied, settings } = present
  switch (change.change) {
    case "clientAdded":
      return { ...present, clients: [...clients, change.client] }
    case "clientChanged": {
      const { client } = change
      return { ...present, clients: clients.map((one) => (one.clientId === client.clientId ? client : one)) }
    }
    case "clientRemoved":
      return { ...present, clients: clients.filter(({ clientId }) => clientId !== change.clientId) }
    case "accountAdded":
      return { ...present, accounts: [...accounts, change.account] }
    case "accountRemoved":
      return { ...present, accounts: accounts.filter(({ userId }) => userId !== change.userId) }
    case "appliedSet": {
      const { what, made } = change.applied
      const others = applied.filter((row) => row.what !== what || row.made !== made)
      return { ...present, applied: [...others, change.applied] }
    }
    case "appliedRemoved": {
      const { what, made } = change.applied
      return { ...present, applied: applied.filter((row) => row.what !== what || row.made !== made) }
    }
    case "settingSet":
      return { ...present, settings: new Map([...settings, [change.key, change.value]]) }
    case "settingUnset":
      return { ...present, settings: new Map([...settings].filter(([key]) => key !== change.key)) }
    case "groupSet": {
      const { group } = change
      const others = present.groups.filter(({ name }) => name !== group.name)
      return { ...present, groups: [...others, { ...group, members: 0 }] }
    }
    case "groupRemoved": {
      const without = (names: readonly string[]) => names.filter((name) => name !== change.name)
      return {
        ...present,
        groups: present.groups.filter(({ name }) => name !== change.name),
        accounts: accounts.map((account) => ({ ...account, groups: without(account.groups) })),
      }
    }
    case "membershipsSet": {
      const groups = groupsOf(change.memberships)
      const changed = accounts.map((one) => (one.userId === change.userId ? { ...one, groups } : one))
      return { ...present, accounts: changed }
    }
    case "credentialAdded":
      return { ...present, boundCredentials: [...present.boundCredentials, change.credential] }
    case "credentialsRevoked":
    case "credentialChanged":
    case "approvalsDenied":
    case "logoSet":
    case "eventRecorded":
      return present
    default:
      throw new Error(`a plan makes no ${change.change}`)
  }
}
