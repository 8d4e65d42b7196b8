/** Reads and changes how the service looks. A running server applies a change within a second. Interface LOOK-1…3. */
import { drawIcon } from "../../apps/icon/icon.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import {
  appearanceChanges,
  type AppearancePatch,
  type MemberProblems,
  patchedSettings,
} from "../../model/appearance-changes.rules.ts"
import { type Appearance, type LogoMember, readAppearance } from "../../model/appearance.rules.ts"
import { decided } from "../../model/change.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import type { Services } from "../../platform/services/services.ts"

type Needs = Pick<Services, "store" | "clock">
type Looked = Promise<Result<Appearance, MemberProblems>>

/** Reads the stored appearance, past the cache. */
export async function storedAppearance({ store }: Pick<Needs, "store">): Promise<Appearance> {
  return readAppearance(await store.settings())
}

/** Returns the appearance as a patch would leave it. */
export async function previewAppearance({ store }: Pick<Needs, "store">, patch: AppearancePatch): Looked {
  const patched = patchedSettings(patch, await store.settings())
  return patched.ok ? ok(readAppearance(patched.value)) : patched
}

/** Stores the members of a patch; null unsets one. Stores none if one is wrong. */
export async function changeAppearance({ store, clock }: Needs, patch: AppearancePatch, by: Actor): Looked {
  const at = clock.now()
  const changed = await store.change({ settings: true }, ({ settings }) => {
    const stored = new Map(settings?.map(({ key, value }) => [key, value]))
    const changes = appearanceChanges(patch, stored, { ...by, at })
    return decided(changes, ...(changes.ok ? changes.value : []))
  })
  return changed.ok ? ok(await storedAppearance({ store })) : changed
}

/** Encodes a picture again and stores it as a logo. */
export async function setLogo(services: Needs, member: LogoMember, picture: Uint8Array, by: Actor): Looked {
  const logo = await drawIcon(picture, member)
  if (!logo.ok) return err({ [member]: logo.error })
  return changeAppearance(services, { [member]: logo.value }, by)
}
