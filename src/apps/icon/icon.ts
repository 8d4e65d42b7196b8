/**
 * Icons of apps: interface CLIENT-5, ICON-*. What is brought is drawn anew before anything is stored; what is stored is
 * served while an administrator vouches for the app, and at no other time.
 */
import type { Account } from "../../records/account.rules.ts"
import { appDifference } from "../../audit/app-difference.rules.ts"
import type { ClientId, Hash, UserId } from "../../kernel/ids.ts"
import { type Decided, decided } from "../../records/change.rules.ts"
import type { Client, Icon } from "../../records/client.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { digest } from "../../kernel/hash.ts"
import { drawPicture } from "./picture.ts"
import type { Actor } from "../../accounts/accounts.ts"
import { type App, lookedAfter, onApp, recordedApp } from "../app.ts"
import type { Services } from "../../services/services.ts"
import { onOwnApp } from "../own-app.ts"
import { hasServedIcon } from "../../records/client.rules.ts"

type Needs = Pick<Services, "store" | "clock">
type Owner = Pick<Account, "userId">

/** Declines what is no PNG, JPEG, WebP or GIF, is broken or too large, with a sentence for whoever brought it. */
export async function drawIcon(picture: Uint8Array): Promise<Result<Icon, Problem>> {
  const drawn = await drawPicture(picture)
  return drawn.ok ? ok({ png: drawn.value, hash: digest(drawn.value) }) : drawn
}

/** Gives an app the picture as its icon, as an administrator does. */
export async function setIcon(
  services: Needs,
  id: string,
  picture: Uint8Array,
  from: Actor,
): Promise<Result<App, Problem>> {
  const icon = await drawIcon(picture)
  return icon.ok ? storeIcon(services, id, icon.value, from) : icon
}

export function removeIcon(services: Needs, id: string, from: Actor): Promise<Result<App, Problem>> {
  return storeIcon(services, id, null, from)
}

/** As `setIcon`, of an icon that is drawn already; null takes it away. */
export function storeIcon(
  services: Needs,
  id: string,
  icon: Icon | null,
  from: Actor,
): Promise<Result<App, Problem>> {
  return onApp(services, id, null, (client, now) => changedIcon(client, lookedAfter(client), icon, now, from))
}

/**
 * Gives an app of one's own the picture as its icon. What the service vouches for is what it was shown: with a new icon
 * the app is not verified any more.
 */
export async function setOwnIcon(
  services: Needs,
  owner: Owner,
  id: string,
  picture: Uint8Array,
  from: Actor,
): Promise<Result<App, Problem>> {
  const icon = await drawInTurn(owner, picture)
  if (!icon.ok) return icon
  return onOwnApp(services, owner, id, (client, now) => {
    const verified = client.verified && client.iconHash === icon.value.hash
    return changedIcon(client, { ...client, verified }, icon.value, now, from)
  })
}

/** Whose picture is drawn, or waits for it. */
const drawnFor = new Set<UserId>()

/** One picture of each person at a time: nobody is to take the turns of all others. */
async function drawInTurn({ userId }: Owner, picture: Uint8Array): Promise<Result<Icon, Problem>> {
  if (drawnFor.has(userId)) return err("Another picture of yours is being read. Try again when it is done.")
  drawnFor.add(userId)
  try {
    return await drawIcon(picture)
  } finally {
    drawnFor.delete(userId)
  }
}

export function removeOwnIcon(
  services: Needs,
  owner: Owner,
  id: string,
  from: Actor,
): Promise<Result<App, Problem>> {
  return onOwnApp(services, owner, id, (client, now) => changedIcon(client, client, null, now, from))
}

/** `after` is the app as it will be, but for the icon. To take away what there is none of changes nothing, and is no event. */
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

/** The icon of an app, whoever may see it; null where there is none. */
export async function iconOf(
  { store }: Pick<Needs, "store">,
  { clientId, iconHash }: Client,
): Promise<Icon | null> {
  return iconHash === null ? null : (await store.read({ icon: clientId })).icon
}

/** The app whose icon everybody may see: known, enabled, verified, and with an icon. Null for any other, alike. */
export async function appWithServedIcon(
  { store }: Pick<Needs, "store">,
  id: string,
): Promise<(Client & { readonly iconHash: Hash }) | null> {
  const { client } = await store.read({ client: isIdentifier(id) ? (id as ClientId) : null })
  return client !== null && hasServedIcon(client) ? client : null
}
