/**
 * Icons of apps: interface CLIENT-5, ICON-*. Every picture is decoded and encoded again. Only the new encoding is
 * stored. An icon is served only while its app is verified.
 */
import { appDifference } from "../../model/clients/app-difference.rules.ts"
import type { Hash, UserId } from "../../kernel/ids.ts"
import { decided } from "../../model/change.rules.ts"
import type { Client, Icon } from "../../model/clients/client.rules.ts"
import { parseClientId } from "../../oauth/clients/resolve.rules.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { digest } from "../../kernel/hash.ts"
import { drawPicture, type PictureKind } from "./picture.ts"
import { type App, type Manager, onApp } from "../app.ts"
import { keptForGood, recordedApp } from "../app-writes.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { Owner } from "../own-app.rules.ts"
import { hasServedIcon } from "../../model/clients/client.rules.ts"

type Needs = Pick<Services, "store" | "clock">

/**
 * Converts a picture to a PNG. Accepts PNG, JPEG, WebP and GIF. Fails for other formats and for a damaged or too
 * large picture.
 */
export async function drawIcon(
  picture: Uint8Array,
  kind: PictureKind = "icon",
): Promise<Result<Icon, Problem>> {
  const drawn = await drawPicture(picture, kind)
  return drawn.ok ? ok({ png: drawn.value, hash: digest(drawn.value) }) : drawn
}

/** Converts the picture and stores it as the icon of an app. */
export async function setIcon(
  services: Needs,
  id: string,
  picture: Uint8Array,
  by: Manager,
): Promise<Result<App, Problem>> {
  const icon = by.owner === null ? await drawIcon(picture) : await drawOneAtATime(by.owner, picture)
  return icon.ok ? storeIcon(services, id, icon.value, by) : icon
}

export function removeIcon(services: Needs, id: string, by: Manager): Promise<Result<App, Problem>> {
  return storeIcon(services, id, null, by)
}

/**
 * Stores a converted icon. Null removes the icon. Verification covers the icon, so a new icon from the owner ends it.
 * Removing an icon that does not exist records no event.
 */
export function storeIcon(
  services: Needs,
  id: string,
  icon: Icon | null,
  by: Manager,
): Promise<Result<App, Problem>> {
  return onApp(services, id, by, null, (before, now) => {
    const isAsVerified = by.owner === null || icon === null || icon.hash === before.iconHash
    const after = { ...keptForGood(before), verified: before.verified && isAsVerified }
    if (icon === null && before.iconHash === null) return decided(ok(after))
    const client = { ...after, iconHash: icon?.hash ?? null }
    return decided(
      ok(client),
      { change: "clientChanged", client },
      { change: "iconSet", clientId: client.clientId, icon },
      recordedApp("app-changed", client, now, by, appDifference(before, client) ?? "icon"),
    )
  })
}

/** The owners whose picture is being converted or waits for conversion. */
const drawnFor = new Set<UserId>()

/** Converts one picture per owner at a time, so that one account cannot delay the pictures of others. */
async function drawOneAtATime({ userId }: Owner, picture: Uint8Array): Promise<Result<Icon, Problem>> {
  if (drawnFor.has(userId))
    return err("Another picture of yours is being read. Try again when that is finished.")
  drawnFor.add(userId)
  try {
    return await drawIcon(picture)
  } finally {
    drawnFor.delete(userId)
  }
}

/** Reads the stored icon of an app, verified or not. Returns null without an icon. */
export async function iconOf(
  { store }: Pick<Needs, "store">,
  { clientId, iconHash }: Client,
): Promise<Icon | null> {
  return iconHash === null ? null : (await store.read({ icon: clientId })).icon
}

/** Returns the app if it is enabled, verified and has an icon. Returns null for any other id. */
export async function appWithServedIcon(
  { store }: Pick<Needs, "store">,
  id: string,
): Promise<(Client & { readonly iconHash: Hash }) | null> {
  const { client } = await store.read({ client: parseClientId(id) })
  return client !== null && hasServedIcon(client) ? client : null
}
