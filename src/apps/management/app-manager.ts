/**
 * What may be done to registered apps, by whom: the account holder to those of the account, an administrator to all. The API
 * has the same operations for both, over other verbs of the service. To a stranger, somebody's app is no app.
 */
import { updatedClient } from "../app-change.rules.ts"
import type { Client } from "../../records/client.rules.ts"
import {
  type PreviewRecord,
  previewRecord,
  anonymizedPreviewRecord,
} from "../../permissions/preview/preview-record.ts"
import type { ReachPreview } from "../../permissions/preview/reach-preview.rules.ts"
import { anonymizedText } from "../../permissions/preview/anonymized-count.rules.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import { ownUpdatedClient } from "../own-app.rules.ts"
import {
  type AdministratorsUpdate,
  type App,
  type AppWithSecret,
  findApp,
  removeApp,
  rotateAppSecret,
  setAppEnabled,
  updateApp,
} from "../app.ts"
import { removeIcon, removeOwnIcon, setIcon, setOwnIcon } from "../icon/icon.ts"
import { findOwnApp, removeOwnApp, rotateOwnSecret, setOwnAppEnabled, updateOwnApp } from "../own-app.ts"
import {
  type AppPreview,
  previewAppEnd,
  previewAppUpdate,
  previewOwnAppEnd,
  previewOwnAppUpdate,
} from "../preview.ts"
import { byAdministrator, type Call } from "../../api/kit/operation.ts"

export type Asking = Pick<Call, "context" | "bearer" | "address">

/** The members of an update that an account holder's own does not have are left out of it by its shape. */
export type AppManager = {
  readonly find: (id: string) => Promise<Result<App, Problem>>
  /** Why an update is refused, whatever happens meanwhile. */
  readonly judge: (client: Client, update: AdministratorsUpdate) => Promise<Result<Client, Problem>>
  readonly update: (id: string, update: AdministratorsUpdate) => Promise<Result<App, Problem>>
  readonly enable: (id: string, enabled: boolean) => Promise<Result<App, Problem>>
  readonly rotate: (id: string) => Promise<Result<AppWithSecret, Problem>>
  readonly remove: (id: string) => Promise<Result<App, Problem>>
  readonly setIcon: (id: string, picture: Uint8Array) => Promise<Result<App, Problem>>
  readonly removeIcon: (id: string) => Promise<Result<App, Problem>>
  readonly preview: (id: string, update: AdministratorsUpdate) => Promise<Result<AppPreview, Problem>>
  readonly previewDisabled: (id: string) => Promise<Result<AppPreview, Problem>>
  /** How many people use an app, and would lose something: the owner is told roughly, and never who. */
  readonly howMany: (count: number) => number
  readonly previewed: (preview: ReachPreview) => PreviewRecord
}

export function ownDesk({ context: { services }, bearer: { account }, address }: Asking): AppManager {
  const from = { address }
  return {
    find: (id) => findOwnApp(services, account, id),
    judge: async (client, update) => {
      const { openSchemes } = await services.settings.current()
      return ownUpdatedClient(services.catalogue, client, update, openSchemes)
    },
    update: (id, update) => updateOwnApp(services, account, id, update, from),
    enable: (id, enabled) => setOwnAppEnabled(services, account, id, enabled, from),
    rotate: (id) => rotateOwnSecret(services, account, id, from),
    remove: (id) => removeOwnApp(services, account, id, from),
    setIcon: (id, picture) => setOwnIcon(services, account, id, picture, from),
    removeIcon: (id) => removeOwnIcon(services, account, id, from),
    preview: (id, update) => previewOwnAppUpdate(services, account, id, update),
    previewDisabled: (id) => previewOwnAppEnd(services, account, id, "disabled"),
    howMany: anonymizedText,
    previewed: anonymizedPreviewRecord,
  }
}

export function administratorsDesk(asking: Asking): AppManager {
  const { services } = asking.context
  const from = byAdministrator(asking)
  return {
    find: (id) => findApp(services, id),
    judge: async (client, { ownerName: _, ...update }) =>
      updatedClient(services.catalogue, client, update, "any"),
    update: (id, update) => updateApp(services, id, update, from),
    enable: (id, enabled) => setAppEnabled(services, id, enabled, from),
    rotate: (id) => rotateAppSecret(services, id, from),
    remove: (id) => removeApp(services, id, from),
    setIcon: (id, picture) => setIcon(services, id, picture, from),
    removeIcon: (id) => removeIcon(services, id, from),
    preview: (id, update) => previewAppUpdate(services, id, update),
    previewDisabled: (id) => previewAppEnd(services, id, "disabled"),
    howMany: (count) => count,
    previewed: previewRecord,
  }
}
