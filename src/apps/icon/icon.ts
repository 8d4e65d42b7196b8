/**
 * Icons of apps: interface CLIENT-5, ICON-*. Every picture is decoded and drawn again, and only the result is stored. An
 * icon is served only while its app is verified.
 */
import { appDifference } from "../../audit/app-difference.rules.ts"
import type { Hash, UserId } from "../../kernel/ids.ts"
import { type Decided, decided } from "../../records/change.rules.ts"
import type { Client, Icon } from "../../records/client.rules.ts"
import { parseClientId } from "../../oauth/clients/resolve.rules.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { digest } from "../../kernel/hash.ts"
import { drawPicture } from "./picture.ts"
import { type App, keptForGood, type Manager, onApp, recordedApp } from "../app.ts"
import type { Services } from "../../services/services.ts"
import type { Owner } from "../own-app.rules.ts"
import { hasServedIcon } from "../../records/client.rules.ts"
import type { Actor } from "../../accounts/find-account.ts"

type Needs = Pick<Services, "store" | "clock">

/** A PNG of the picture. Fails on a file that is not a PNG, JPEG, WebP or GIF, is broken or too large. */
export async function drawIcon(picture: Uint8Array): Promise<Result<Icon, Problem>> {
  const drawn = await drawPicture(picture)
  return drawn.ok ? ok({ png: drawn.value, hash: digest(drawn.value) }) : drawn
}

/** Draws the picture and stores it as the icon of an app. */
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

/** Stores a drawn icon; null removes it. Verification covers the icon, so another one from its owner ends it. */
export function storeIcon(
  services: Needs,
  id: string,
  icon: Icon | null,
  by: Manager,
): Promise<Result<App, Problem>> {
  return onApp(services, id, by, null, (client, now) => {
    const isAsVerified = by.owner === null || icon === null || icon.hash === client.iconHash
    const after = { ...keptForGood(client), verified: client.verified && isAsVerified }
    return changedIcon(client, after, icon, now, by)
  })
}

/** Owners with a picture that is being drawn or waits for it. */
const drawnFor = new Set<UserId>()

/** One picture of each owner at a time, so that one account cannot delay the pictures of all others. */
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

/** `after` is the app as it will be, except for the icon. Removing an icon that is not there records no event. */
function changedIcon(
  before: Client,
  after: Client,
  icon: Icon | null,
  now: number,
  from: Actor,
): Decided<Result<Client, Problem>> {
  if (icon === null && before.iconHash === null) return decided(ok(after))
  const client = { ...after, iconHash: icon?.hash ?? null }
  const detail = appDifference(before, client) ?? "icon"
  return decided(
    ok(client),
    { change: "clientChanged", client },
    { change: "iconSet", clientId: client.clientId, icon },
    recordedApp("app-changed", client, now, from, detail),
  )
}

/** The stored icon of an app, verified or not; null without one. */
export async function iconOf(
  { store }: Pick<Needs, "store">,
  { clientId, iconHash }: Client,
): Promise<Icon | null> {
  return iconHash === null ? null : (await store.read({ icon: clientId })).icon
}

/** The app if its icon is public: the app is enabled and verified and has one. Null for any other app or id. */
export async function appWithServedIcon(
  { store }: Pick<Needs, "store">,
  id: string,
): Promise<(Client & { readonly iconHash: Hash }) | null> {
  const { client } = await store.read({ client: parseClientId(id) })
  return client !== null && hasServedIcon(client) ? client : null
}
