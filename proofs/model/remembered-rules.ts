/** The rules for consents that apps remember: OIDC-16…OIDC-18. */
import { isLive, revoke } from "./credential-life.ts"
import { AHEAD_SECONDS, KEPT_OF_SESSION, REMEMBERED_SECONDS } from "./limits.ts"
import { isAdmin } from "./permissions.ts"
import { originOf } from "./redirect-uris.ts"
import { textOf } from "./expected.ts"
import { type App, type Credential, idName, type Remembered, type World } from "./world.ts"

/** A request that a consent may cover. `scope` is what the account can grant. */
export type Wanted = Pick<Remembered, "account" | "app" | "redirectUri" | "scope" | "resources">

/** Whether a click on this request is remembered. `asked` is what the request asks for. */
export function isRememberable(
  app: App,
  redirectUri: string,
  isOpenid: boolean,
  asked: readonly string[],
): boolean {
  return app.remembers && isOpenid && originOf(redirectUri) !== null && !asked.some(isAdmin)
}

/** Returns the consent that stands in for the page. The latest click counts. */
export function covering({ remembered, now }: World, wanted: Wanted): Remembered | null {
  if (wanted.scope.length === 0) return null
  const inOrder = remembered.toSorted((one, other) => one.clickedAt - other.clickedAt)
  return inOrder.findLast((one) => isInForce(one, now) && covers(one, wanted)) ?? null
}

function isInForce({ clickedAt }: Remembered, now: number): boolean {
  return clickedAt <= now + AHEAD_SECONDS && now - clickedAt <= REMEMBERED_SECONDS
}

/** A request for no API reaches more than one for some, so neither covers the other. */
function covers(one: Wanted, wanted: Wanted): boolean {
  return (
    one.account === wanted.account &&
    one.app === wanted.app &&
    originOf(one.redirectUri) === originOf(wanted.redirectUri) &&
    wanted.scope.every((name) => one.scope.includes(name)) &&
    (one.resources.length === 0) === (wanted.resources.length === 0) &&
    wanted.resources.every((resource) => one.resources.includes(resource))
  )
}

/** A click replaces what it covers. */
export function remember(world: World, added: Remembered): void {
  world.remembered = [...world.remembered.filter((one) => !covers(added, one)), added]
}

/** Returns whether there was one. */
export function endRemembered(world: World, isOne: (remembered: Remembered) => boolean): boolean {
  const before = world.remembered
  world.remembered = before.filter((one) => !isOne(one))
  return world.remembered.length < before.length
}

/**
 * Whether a code may still be exchanged: OIDC-17. The click's own code always may. Another one needs its consent, or a
 * later click that allows as much.
 */
export function holds(world: World, { name, account, app, redirectUri, ...of }: Credential): boolean {
  const { remembered, consent, consentedAt, resources } = of
  if (remembered === null || remembered.name === name) return true
  const wanted = { account, app, redirectUri: redirectUri ?? "", scope: consent, resources }
  return world.remembered.some(
    (one) => one.name === remembered.name || (one.clickedAt >= consentedAt && covers(one, wanted)),
  )
}

/** Ends the oldest of more than four. OIDC-18. */
export function replaceOlder(world: World, { name, account, app, signIn, remembered }: Credential): void {
  if (remembered === null) return
  const others = [...world.credentials.values()].filter(
    (one) =>
      one.name !== name &&
      one.account === account &&
      one.app === app &&
      one.remembered !== null &&
      one.signIn.session === signIn.session &&
      isLive(one, world.now),
  )
  const idOf = (one: Credential) => textOf(world.bound, idName(one.name))
  const newestFirst = others.toSorted((one, other) => (idOf(one) < idOf(other) ? 1 : -1))
  for (const older of newestFirst.slice(KEPT_OF_SESSION - 1)) revoke(older)
}
