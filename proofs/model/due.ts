/** The times at which the state changes by itself. */
import { pickLate } from "../../test/support/history.ts"
import { accessOne, asItself, holderOf } from "./chosen.ts"
import { endsAt, refreshEndsAt } from "./credential-life.ts"
import { CODE_SECONDS, DAY, DEVICE_SECONDS, GRACE_SECONDS } from "./limits.ts"
import type { Operation } from "./operation.ts"
import { isSignedIn } from "./page-rules.ts"
import { appOf, type Credential, type Device, type World } from "./world.ts"

/** A time at which the state changes by itself, and the operation that shows the change. */
type Moment = { readonly at: number; readonly finder: Operation }

export function moments(world: World, of: number, which: number): readonly Moment[] {
  const open = [...world.credentials.values()].filter(({ state }) => state === "active" || state === "issued")
  const elevated = open.filter(({ elevatedUntil }) => elevatedUntil !== null)
  const likely = elevated.length > 0 && which % 2 === 0 ? elevated : open
  const credential = pickLate(likely.length === 0 ? [...world.credentials.values()] : likely, of)
  const device = pickLate([...world.devices.values()], of)
  return [
    ...(credential ? momentsOf(world, credential, which) : []),
    ...(device ? momentsOfDevice(world, device, which) : []),
  ]
}

/** A poll or an opened code reports the end. A page may show the end before the device polls. */
function momentsOfDevice(world: World, device: Device, which: number): readonly Moment[] {
  const at = device.askedAt + DEVICE_SECONDS
  const holder = holderOf(world, device, which)
  const isAbleToLook =
    holder !== undefined &&
    isSignedIn(holder) &&
    Math.abs((holder.session?.since ?? 0) - device.askedAt) < DAY
  const look = { do: "open a code", account: holder?.name ?? "", device: device.name } as const
  return [
    { at, finder: pollOf(world, device, which) },
    ...(isAbleToLook ? [{ at, finder: { ...look, form: `late form ${device.name}` } }] : []),
  ]
}

const pollOf = (world: World, device: Device, which: number): Operation => ({
  do: "poll",
  caller: asItself(appOf(world, device.app), which),
  device: device.name,
  isAltered: false,
  resources: [],
})

function momentsOf(world: World, credential: Credential, which: number): readonly Moment[] {
  const { name, generations, access, consentedAt, elevatedUntil } = credential
  const caller = asItself(appOf(world, credential.app), which)
  if (generations.length === 0) {
    const right = { isAltered: false, verifier: "right", isRedirectRight: true, resources: [] } as const
    return [
      { at: consentedAt + CODE_SECONDS, finder: { do: "exchange", caller, credential: name, ...right } },
    ]
  }
  const refreshing = (generation: number) =>
    ({
      do: "refresh",
      caller,
      credential: name,
      generation,
      isAltered: false,
      scope: null,
      resources: [],
    }) as const
  const look = (generation: number) =>
    ({
      do: "introspect",
      credential: name,
      ...accessOne(credential, generation, which),
      isAltered: false,
    }) as const
  const last = generations.length
  const retiredAt = generations.at(-2)?.retiredAt ?? null
  const window = retiredAt === null ? [] : [{ at: retiredAt + GRACE_SECONDS, finder: refreshing(last - 1) }]
  const newest = credential.jwts.at(-1) ?? access[0]
  const lapse = elevatedUntil === null ? [] : [{ at: elevatedUntil, finder: look(last) }]
  const isRare = which % 8 === 0
  return [
    ...[...window, ...window, ...window],
    ...(newest === undefined ? [] : [{ at: newest.expiresAt, finder: look(newest.generation) }]),
    ...[...lapse, ...lapse, ...lapse],
    ...(isRare ? [{ at: refreshEndsAt(credential), finder: refreshing(last) }] : []),
    ...(isRare ? [{ at: endsAt(credential), finder: refreshing(last) }] : []),
  ]
}
