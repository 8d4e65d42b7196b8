/** The command that changes an app's registration. */
import { ID_TOKEN_ALGORITHMS } from "../../model/clients/openid-members.rules.ts"
import {
  type SwitchUpdate,
  appSwitches,
  type SwitchRow,
  switchesFrom,
} from "../../model/clients/app-switches.rules.ts"
import type { OpenidUpdate } from "../../model/clients/openid-members.rules.ts"
import type { Icon } from "../../model/clients/client.rules.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import { takenSentences } from "../../apps/preview/preview-words.ts"
import type { App } from "../../apps/app.ts"
import { storeIcon } from "../../apps/icon/icon.ts"
import { previewAppUpdate, updateAppWithPreview } from "../../apps/preview.ts"
import { operator, previewedApp, record, refusedOf, shown } from "./app-output.command.ts"
import { type Answer, command, done, usageError, refused } from "../../platform/cli/command.ts"
import { keyFlags, keysIn } from "./key-flags.command.ts"
import { iconOrNone, iconSummary } from "../../apps/icon/icon-flag.ts"
import { catalogRemarks, withRemarks } from "../../platform/cli/catalog-remark.ts"
import { type Opened, withStore } from "../../platform/cli/open.ts"
import { previewFlag } from "../../apps/preview/preview-flag.ts"

const onOff = { value: "on|off", choices: ["on", "off"] } as const

export const serviceAccountSummary =
  "the service account that the app may act as by client_credentials (confidential only)"

export const groupSummary = "a group that the app is for: only its members connect it"

/** The flags of what an app has for OpenID Connect. The given addresses replace the registered ones. */
export const openidFlags = {
  "id-token-alg": {
    value: ID_TOKEN_ALGORITHMS.join("|"),
    choices: ID_TOKEN_ALGORITHMS,
    summary: "the algorithm of its id_tokens",
  },
  "post-logout-redirect": {
    value: "URI",
    repeat: true,
    summary: "where a browser may go after the app signed it out",
  },
} as const

type OpenidFlags = {
  readonly "id-token-alg": OpenidUpdate["idTokenAlgorithm"] | null
  readonly "post-logout-redirect": readonly string[]
}

/** Addresses are replaced only if there is one. The value `none` removes them, and is no address beside others. */
export function openidFrom(flags: OpenidFlags): OpenidUpdate {
  const uris = flags["post-logout-redirect"]
  return {
    idTokenAlgorithm: flags["id-token-alg"] ?? undefined,
    postLogoutRedirectUris: uris.length === 0 ? undefined : uris.join(" ") === "none" ? [] : uris,
  }
}

type OnOrOff = typeof onOff & { readonly summary: string }

/** A flag for each switch, with the value `on` or `off`. */
export const switchFlags = Object.fromEntries(
  appSwitches.map(({ flag, summary }) => [flag, { ...onOff, summary }]),
) as { readonly [R in SwitchRow as R["flag"]]: OnOrOff }

/** Returns the switches that the flags name. */
export function switchesIn(flags: Readonly<Record<string, unknown>>): SwitchUpdate {
  return switchesFrom(({ flag }) => {
    const value = flags[flag]
    if (value === "on" || value === true) return true
    return value === "off" ? false : undefined
  })
}

export const update = command({
  name: "app update",
  summary: "Change an app's registration",
  operands: ["ID"],
  flags: {
    name: { value: "NAME", summary: "the name that the consent page shows" },
    "add-redirect": { value: "URI", repeat: true, summary: "add a redirect URI" },
    "remove-redirect": { value: "URI", repeat: true, summary: "remove a redirect URI" },
    "add-permission": { value: "P", repeat: true, summary: "let the app ask for another permission" },
    "remove-permission": {
      value: "P",
      repeat: true,
      summary: "remove a permission, also from existing credentials",
    },
    "add-group": { value: "GROUP", repeat: true, summary: groupSummary },
    "remove-group": {
      value: "GROUP",
      repeat: true,
      summary: "remove a group; without any, it is for every account",
    },
    ...switchFlags,
    ...openidFlags,
    "post-logout-redirect": {
      ...openidFlags["post-logout-redirect"],
      summary: `${openidFlags["post-logout-redirect"].summary}; replaces those before, and none removes them`,
    },
    ...keyFlags,
    owner: { value: "NAME|none", summary: "the account that the app belongs to" },
    "service-account": { value: "NAME|none", summary: serviceAccountSummary },
    icon: { value: "FILE", summary: `${iconSummary}; none removes it` },
    preview: previewFlag,
  },
  notes: [
    "Existing credentials lose a removed permission at their next request, and get it back if it is added again. " +
      "--preview counts the active credentials and accounts that the change affects. The type of an app cannot change.",
    "Keys replace the ones before, or the secret. An app that holds a key never goes back to a secret.",
    "A revoked binding to a service account works again once --service-account names the account again.",
  ],
  example: "latchkey app update 01k3v7m2q8xj5c9d4e6f7g8h9j --add-permission credentials:read",
  run: async ({ flags, operands: [id], globals }): Promise<Answer> => {
    const keys = keysIn(flags)
    if (!keys.ok) return refused(keys.error)
    const changes = {
      name: flags.name ?? undefined,
      keys: keys.value ?? undefined,
      addRedirectUris: flags["add-redirect"],
      removeRedirectUris: flags["remove-redirect"],
      addPermissions: flags["add-permission"],
      removePermissions: flags["remove-permission"],
      addGroups: flags["add-group"],
      removeGroups: flags["remove-group"],
      ...switchesIn(flags),
      ...openidFrom(flags),
      ownerName: named(flags.owner),
      serviceAccountName: named(flags["service-account"]),
    }
    const permissions = [...changes.addPermissions, ...changes.removePermissions]
    const changesNothing =
      changes.postLogoutRedirectUris === undefined &&
      Object.values(changes).every(
        (value) => value === undefined || (Array.isArray(value) && value.length === 0),
      )
    if (changesNothing && flags.icon === null)
      return usageError(
        "app update needs a change: a --name, a redirect, a permission, a group, a switch, an --id-token-alg, a --post-logout-redirect, keys, an --owner, a --service-account or an --icon.",
      )
    if (flags.preview)
      return await previewedApp(
        globals,
        id,
        (opened) => previewAppUpdate(opened, id, changes, operator),
        permissions,
      )
    return await withStore(globals, "refuse", async (opened) => {
      const icon = await iconOrNone(flags.icon)
      if (!icon.ok) return refused(icon.error)
      const updated = changesNothing ? null : await updateAppWithPreview(opened, id, changes, operator)
      const remarks = catalogRemarks(opened.catalog, permissions)
      if (updated?.ok === false) return withRemarks(refusedOf(id, updated.error), remarks)
      const iconed = await newIcon(opened, id, icon.value)
      if (iconed?.ok === false) return refusedOf(id, iconed.error)
      const app = iconed?.value ?? updated?.value.app
      if (app === undefined) throw new Error("app update changed nothing")
      const preview = updated?.value.preview ?? null
      const taken = preview === null ? [] : takenSentences(preview)
      return done(record(app), shown(app), ...taken, ...remarks)
    })
  },
})

/** Reads the new icon. Returns null if the command does not change the icon. */
function newIcon(
  opened: Opened,
  id: string,
  icon: Icon | "none" | null,
): Promise<Result<App, Problem> | null> {
  return icon === null
    ? Promise.resolve(null)
    : storeIcon(opened, id, icon === "none" ? null : icon, operator)
}

/**
 * Returns the account name in a flag. Returns undefined if the flag is missing, and null for the value that means no
 * account.
 */
function named(value: string | null): string | null | undefined {
  if (value === null) return undefined
  return value === "none" ? null : value
}
