/** The commands on registered apps. */
import { appSwitches } from "../../model/clients/app-switches.rules.ts"
import { addApp } from "../../apps/add-app.ts"
import { type App, findApp, listApps, removeApp, rotateAppSecret, setAppEnabled } from "../../apps/app.ts"
import { previewAppEnd } from "../../apps/preview.ts"
import { operator, previewedApp, record, refusedOf, runAppCommand, withSecret } from "./app-output.command.ts"
import {
  groupSummary,
  openidFlags,
  openidFrom,
  serviceAccountSummary,
  switchesIn,
  switchFlags,
  update,
} from "./app-update.command.ts"
import { keyFlags, keysIn } from "./key-flags.command.ts"
import { ok } from "../../kernel/result.ts"
import { command, done, refused, usageError } from "../../platform/cli/command.ts"
import { iconIn, iconSummary } from "../../apps/icon/icon-flag.ts"
import { catalogRemarks } from "../../platform/cli/catalog-remark.ts"
import { readSecret } from "../../platform/cli/password-input.ts"
import { withStore } from "../../platform/cli/open.ts"
import { previewFlag } from "../../apps/preview/preview-flag.ts"
import { facts, printedList } from "../../platform/cli/print.ts"
import { findAccount } from "../../accounts/find-account.ts"

/** Three flags take no value here. */
const addSwitchFlags: typeof switchFlags = {
  ...switchFlags,
  ...Object.fromEntries(
    appSwitches.flatMap(({ flag, addSummary: summary }) =>
      summary === undefined ? [] : [[flag, { summary }]],
    ),
  ),
}

const add = command({
  name: "app add",
  summary: "Register an app",
  flags: {
    name: { value: "NAME", required: true, summary: "the name that the consent page shows" },
    type: {
      value: "public|confidential",
      choices: ["public", "confidential"],
      required: true,
      summary:
        "public for apps without a secret (command line, desktop, browser), confidential for servers; cannot change",
    },
    redirect: {
      value: "URI",
      repeat: true,
      summary: "redirect URI; for loopback, any port matches",
    },
    permission: { value: "P", repeat: true, summary: "a permission that the app may ask for" },
    group: { value: "GROUP", repeat: true, summary: groupSummary },
    ...addSwitchFlags,
    ...openidFlags,
    auth: {
      value: "private_key_jwt",
      choices: ["private_key_jwt"],
      summary: "the app holds a key in place of a secret (confidential only)",
    },
    ...keyFlags,
    "client-id": { value: "ID", summary: "its client_id, of 3 to 64 of A-Z a-z 0-9 . _ -" },
    "client-secret-stdin": {
      summary: "read its secret, of at least 32 characters, from standard input (confidential only)",
    },
    owner: { value: "NAME", summary: "the account that the app belongs to" },
    "service-account": { value: "NAME", summary: serviceAccountSummary },
    icon: { value: "FILE", summary: iconSummary },
  },
  notes: [
    "The secret of a confidential app is printed once. Only its hash is stored. A secret from standard input is not printed.",
    "The client_id of a removed app is free again after eight days, once nothing of the app is stored.",
  ],
  example: [
    "latchkey app add --name 'My notes' --type public \\",
    "  --redirect http://127.0.0.1/callback --permission account:read",
  ].join("\n"),
  run: async ({ flags, globals }) => {
    const hasKeys = flags.jwks !== null || flags["jwks-uri"] !== null
    if (hasKeys !== (flags.auth !== null) && flags["workload-issuer"] === null)
      return usageError("Give --auth private_key_jwt together with --jwks FILE or --jwks-uri URL.")
    const secret = flags["client-secret-stdin"] ? await readSecret("Client secret: ") : ok(null)
    if (!secret.ok) return refused(secret.error)
    return await withStore(globals, "create", async (opened) => {
      const keys = keysIn(flags)
      if (!keys.ok) return refused(keys.error)
      const icon = await iconIn(flags.icon)
      if (!icon.ok) return refused(icon.error)
      const added = await addApp(
        opened,
        {
          name: flags.name,
          type: flags.type,
          keys: keys.value,
          redirectUris: flags.redirect,
          permissions: flags.permission,
          groups: flags.group,
          ...switchesIn(flags),
          ...openidFrom(flags),
          ownerName: flags.owner,
          serviceAccountName: flags["service-account"],
          icon: icon.value,
          chosen: { clientId: flags["client-id"], secret: secret.value },
        },
        operator,
      )
      return added.ok
        ? withSecret(added.value, remarksOn(added.value))
        : refused(added.error, ...catalogRemarks(opened.catalog, flags.permission))
    })
  },
})

const list = command({
  name: "app list",
  summary: "List the apps, oldest first",
  flags: { owner: { value: "NAME", summary: "only apps of this account" } },
  example: "latchkey app list",
  run: ({ flags, globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const owner = flags.owner === null ? null : await findAccount(opened, flags.owner)
      if (owner?.ok === false) return refused(owner.error)
      const records = (await listApps(opened, { ownerId: owner?.value.userId })).map(record)
      return printedList(records, "There are no apps.", (row) => ({
        "client id": row.client_id,
        name: row.client_name,
        type: row.client_type,
        enabled: row.enabled,
        owner: row.owner,
        scope: row.scope,
      }))
    }),
})

const show = command({
  name: "app show",
  summary: "Show an app's registration",
  operands: ["ID"],
  example: "latchkey app show 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ operands: [id], globals }) => runAppCommand(globals, id, (opened) => findApp(opened, id)),
})

const disable = command({
  name: "app disable",
  summary: "Disable an app and its credentials until it is enabled again",
  operands: ["ID"],
  flags: { preview: previewFlag },
  example: "latchkey app disable 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ flags, operands: [id], globals }) =>
    flags.preview
      ? previewedApp(globals, id, (opened) => previewAppEnd(opened, id, "disabled", operator))
      : runAppCommand(globals, id, (opened) => setAppEnabled(opened, id, false, operator)),
})

const enable = command({
  name: "app enable",
  summary: "Enable a disabled app",
  operands: ["ID"],
  example: "latchkey app enable 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ operands: [id], globals }) =>
    runAppCommand(globals, id, (opened) => setAppEnabled(opened, id, true, operator)),
})

const remove = command({
  name: "app remove",
  summary: "Remove an app permanently and revoke its credentials",
  operands: ["ID"],
  flags: { preview: previewFlag },
  example: "latchkey app remove 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ flags, operands: [id], globals }) => {
    if (flags.preview)
      return previewedApp(globals, id, (opened) => previewAppEnd(opened, id, "removed", operator))
    return withStore(globals, "refuse", async (opened) => {
      const removed = await removeApp(opened, id, operator)
      if (!removed.ok) return refusedOf(id, removed.error)
      const { client_id, client_name } = record(removed.value)
      const json = { client_id, client_name, removed: true }
      return done(json, facts(json))
    })
  },
})

const rotateSecret = command({
  name: "app rotate-secret",
  summary: "Create a new secret for a confidential app; the old one stops working immediately",
  operands: ["ID"],
  example: "latchkey app rotate-secret 01k3v7m2q8xj5c9d4e6f7g8h9j --json",
  run: ({ operands: [id], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const rotated = await rotateAppSecret(opened, id, operator)
      return rotated.ok ? withSecret(rotated.value, []) : refusedOf(id, rotated.error)
    }),
})

export const appCommands = [add, list, show, update, disable, enable, remove, rotateSecret]

function remarksOn({ client: { ceiling, redirectUris, resourceServer, binding } }: App): readonly string[] {
  if (resourceServer) return []
  const remarks = []
  if (ceiling.length === 0)
    remarks.push("The app may not ask for any permission yet: add one with app update.")
  if (redirectUris.length === 0 && binding === null)
    remarks.push("The app has no redirect URI yet: add one with app update.")
  return remarks
}
