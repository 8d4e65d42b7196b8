/**
 * Previews which permissions a change takes from live credentials or gives to them. Interface PERM-5, PERM-6, PERM-7.
 *
 * In a preview, the reach depends only on consent, ceiling, groups, administration and what an organization gives. A
 * disabled app or account counts as enabled, because enabling it restores the reach.
 */
import type { ClientId, Permission, UserId } from "../../kernel/ids.ts"
import { closureSet, impliersOf, sorted } from "../../model/permissions/permission.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import type { Bounds, Standing } from "../../model/permissions/standing.rules.ts"
import type { HeldConsent } from "../../model/credential.rules.ts"
import { reachOf } from "../../model/sign-in/organization.rules.ts"
import type { SignInProviders } from "../../model/sign-in/provider.rules.ts"

export type PreviewedChange =
  | "ceiling"
  | "app-disabled"
  | "app-removed"
  | "administration-granted"
  | "administration-withdrawn"
  | "account-disabled"
  | "account-removed"
  | "groups"
  /** The change would have no effect. */
  | "nothing"

/** The number of live credentials, and of the different accounts and apps that have them. */
export type Touched = { readonly credentials: number; readonly accounts: number; readonly apps: number }

export type PermissionTouched = Touched & { readonly permission: Permission }

/** A name that is added to the ceiling, although the old ceiling already implied it. */
export type ImpliedAnyway = {
  readonly permission: Permission
  readonly impliedBy: readonly Permission[]
}

export type ReachPreview = {
  readonly change: PreviewedChange
  /** Every credential that the preview covers. */
  readonly live: Touched
  /**
   * The permissions are in the catalog's order. A change of the ceiling also lists permissions that no credential
   * has, with zeros, because it affects the app's future requests.
   */
  readonly taken: readonly PermissionTouched[]
  readonly given: readonly PermissionTouched[]
  /** The credentials that lose at least one permission, and the credentials that gain one. */
  readonly losing: Touched
  readonly gaining: Touched
  /** The credentials whose reach becomes empty, and those whose empty reach gains a permission. */
  readonly emptied: Touched
  readonly revived: Touched
  readonly impliedAnyway: readonly ImpliedAnyway[]
  /** Whether a key replaces the secret of the app. */
  readonly endsSecret?: boolean
  /** How many service accounts are disabled with their owner. SERVICE-1. */
  readonly disabledServiceAccounts?: number
}

/** What decides on every reach beside consent, bounds and account. */
export type Rules = { readonly catalog: Catalog; readonly providers: SignInProviders }

/** Previews how a new ceiling affects the live credentials of an app. */
export function ceilingPreview(
  rules: Rules,
  before: Bounds,
  after: Bounds,
  consents: readonly HeldConsent[],
): ReachPreview {
  const { catalog, providers } = rules
  const count = new Count()
  const [closedBefore, closedAfter] = [
    closureSet(catalog, before.ceiling),
    closureSet(catalog, after.ceiling),
  ]
  for (const name of without(closedBefore, closedAfter)) count.taken.set(name, new Tally())
  for (const name of without(closedAfter, closedBefore)) count.given.set(name, new Tally())
  count.addAll(consents, (held) => ({
    before: reachOf(catalog, providers, held, before, held),
    after: reachOf(catalog, providers, held, after, held),
  }))
  const [namedBefore, namedAfter] = [new Set(before.ceiling), new Set(after.ceiling)]
  return count.preview(
    catalog,
    "ceiling",
    impliedAnyway(catalog, without(namedAfter, namedBefore), before.ceiling),
  )
}

/** Previews disabling or removing an app. */
export function appEndPreview(
  rules: Rules,
  bounds: Bounds,
  change: "app-disabled" | "app-removed" | "nothing",
  consents: readonly HeldConsent[],
): ReachPreview {
  const after = (held: HeldConsent) => (change === "nothing" ? held : null)
  return accountPreview(rules, change, consents, () => bounds, after)
}

/**
 * Previews how a change of an account affects its live credentials. `boundsOf` returns what an app reaches now, and for
 * whom. `after` returns what an account in such a standing will be, or null if its access ends or rests.
 */
export function accountPreview(
  { catalog, providers }: Rules,
  change: Exclude<PreviewedChange, "ceiling">,
  consents: readonly HeldConsent[],
  boundsOf: (clientId: ClientId) => Bounds,
  after: (held: HeldConsent) => Standing | null,
): ReachPreview {
  const count = new Count()
  count.addAll(consents, (held) => {
    const bounds = boundsOf(held.clientId)
    const reachAs = (standing: Standing) => reachOf(catalog, providers, held, bounds, standing)
    const later = after(held)
    return { before: reachAs(held), after: later === null ? [] : reachAs(later) }
  })
  return count.preview(catalog, change, [])
}

function impliedAnyway(
  catalog: Catalog,
  names: readonly Permission[],
  ceiling: readonly Permission[],
): readonly ImpliedAnyway[] {
  return sorted(catalog, names).flatMap((permission) => {
    const impliedBy = impliersOf(catalog, permission, ceiling)
    return impliedBy.length === 0 ? [] : [{ permission, impliedBy }]
  })
}

type Whose = Pick<HeldConsent, "userId" | "clientId" | "credentials">
type Shift = { readonly before: readonly Permission[]; readonly after: readonly Permission[] }

class Count {
  readonly taken = new Map<Permission, Tally>()
  readonly given = new Map<Permission, Tally>()
  readonly #live = new Tally()
  readonly #losing = new Tally()
  readonly #gaining = new Tally()
  readonly #emptied = new Tally()
  readonly #revived = new Tally()

  /** Judges each distinct consent once, because many accounts have the same. */
  addAll(consents: readonly HeldConsent[], shiftOf: (held: HeldConsent) => Shift): void {
    const shifts = new Map<string, Shift>()
    for (const held of consents) {
      const { clientId, admin, groups, organization, scope } = held
      const key = JSON.stringify([clientId, admin, groups, organization, scope])
      const shift = shifts.get(key) ?? shiftOf(held)
      shifts.set(key, shift)
      this.#add(held, shift)
    }
  }

  #add(whose: Whose, { before, after }: Shift): void {
    const lost = before.filter((name) => !after.includes(name))
    const gained = after.filter((name) => !before.includes(name))
    this.#live.add(whose)
    for (const name of lost) tallyOf(this.taken, name).add(whose)
    for (const name of gained) tallyOf(this.given, name).add(whose)
    if (lost.length > 0) this.#losing.add(whose)
    if (gained.length > 0) this.#gaining.add(whose)
    if (before.length > 0 && after.length === 0) this.#emptied.add(whose)
    if (before.length === 0 && after.length > 0) this.#revived.add(whose)
  }

  preview(
    catalog: Catalog,
    change: PreviewedChange,
    impliedAnywayOf: readonly ImpliedAnyway[],
  ): ReachPreview {
    const rows = (tallies: ReadonlyMap<Permission, Tally>): readonly PermissionTouched[] =>
      sorted(catalog, tallies.keys()).map((permission) => ({
        permission,
        ...(tallies.get(permission) ?? new Tally()).touched(),
      }))
    return {
      change,
      live: this.#live.touched(),
      taken: rows(this.taken),
      given: rows(this.given),
      losing: this.#losing.touched(),
      gaining: this.#gaining.touched(),
      emptied: this.#emptied.touched(),
      revived: this.#revived.touched(),
      impliedAnyway: impliedAnywayOf,
    }
  }
}

class Tally {
  #credentials = 0
  readonly #accounts = new Set<UserId>()
  readonly #apps = new Set<ClientId>()

  add({ userId, clientId, credentials }: Whose): void {
    this.#credentials += credentials
    this.#accounts.add(userId)
    this.#apps.add(clientId)
  }

  touched(): Touched {
    return { credentials: this.#credentials, accounts: this.#accounts.size, apps: this.#apps.size }
  }
}

function tallyOf(tallies: Map<Permission, Tally>, permission: Permission): Tally {
  const known = tallies.get(permission)
  if (known !== undefined) return known
  const tally = new Tally()
  tallies.set(permission, tally)
  return tally
}

function without(names: ReadonlySet<Permission>, others: ReadonlySet<Permission>): readonly Permission[] {
  return [...names].filter((name) => !others.has(name))
}
