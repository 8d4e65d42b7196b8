/** Reads and changes how the service looks. A running server applies a change within a second. Interface LOOK-1…3. */
import { drawIcon } from "../../apps/icon/icon.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import { ok } from "../../kernel/result.ts"
import {
  type AppearancePatch,
  logoChanges,
  textChanges,
  type WrongMember,
} from "../../model/appearance-changes.rules.ts"
import {
  type Appearance,
  type LogoMember,
  logoMembers,
  readAppearance,
} from "../../model/appearance.rules.ts"
import { decided } from "../../model/change.rules.ts"
import type { Icon } from "../../model/clients/client.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import type { Services } from "../../platform/services/services.ts"

type Needs = Pick<Services, "store" | "clock">

/** Reads the stored appearance, past the cache. */
export async function storedAppearance({ store }: Pick<Needs, "store">): Promise<Appearance> {
  return readAppearance(await store.settings())
}

/** Stores the texts of a patch; null unsets one. Stores none if one is wrong. */
export async function changeAppearance(
  { store, clock }: Needs,
  patch: AppearancePatch,
  by: Actor,
): Promise<Result<Appearance, WrongMember>> {
  const changes = textChanges(patch, await store.settings(), { ...by, at: clock.now() })
  if (!changes.ok) return changes
  await store.change({}, () => decided(null, ...changes.value))
  return ok(await storedAppearance({ store }))
}

/** Encodes a picture again and stores it as a logo. */
export async function setLogo(
  services: Needs,
  member: LogoMember,
  picture: Uint8Array,
  by: Actor,
): Promise<Result<Appearance, Problem>> {
  const logo = await drawIcon(picture, "logo")
  return logo.ok ? ok(await storeLogo(services, member, logo.value, by)) : logo
}

/** Stores an encoded logo. Null removes it. */
export async function storeLogo(
  { store, clock }: Needs,
  member: LogoMember,
  logo: Icon | null,
  by: Actor,
): Promise<Appearance> {
  await store.change({ setting: logoMembers[member].key }, ({ setting }) =>
    (setting?.value ?? null) === (logo?.hash ?? null)
      ? decided(null)
      : decided(null, ...logoChanges(member, logo, { ...by, at: clock.now() })),
  )
  return storedAppearance({ store })
}
