/** The commands on registered apps. */
import { findAccount } from "../../accounts/accounts.ts"
import { addApp, type App, findApp, listApps, removeApp, rotateAppSecret, setAppEnabled } from "../app.ts"
import { previewAppEnd } from "../preview.ts"
import { previewedApp, record, refusedOf, runAppCommand, withSecret } from "./app-output.command.ts"
import { update } from "./app-update.command.ts"
import { command, done, refused } from "../../cli/kit/command.ts"
import { iconIn, iconSummary } from "../icon/icon-flag.ts"
import { fromHere, withStore } from "../../cli/kit/open.ts"
import { previewFlag } from "../../permissions/preview/preview-flag.ts"
import { facts, table } from "../../cli/kit/print.ts"

const add = command({
  name: "app add",
  summary: "Register an app",
  operands: [],
  flags: {
    name: { value: "NAME", required: true, summary: "the name that the consent page shows" },
    type: {
      value: "public|confidential",
      choices: ["public", "confidential"],
      required: true,
      summary:
        "public has no secret (command line, desktop, browser); confidential is a server. Fixed for life",
    },
    redirect: {
      value: "URI",
      repeat: true,
      summary: "where the browser may return to; for loopback any port matches",
    },
    permission: { value: "P", repeat: true, summary: "what the app may ever ask for" },
    verified: { summary: "vouch for the app: its icon is shown" },
    "step-up": { summary: "let the app ask for a second factor again" },
    "resource-server": { summary: "let the app introspect tokens (confidential only)" },
    owner: { value: "NAME", summary: "the account that the app belongs to" },
    icon: { value: "FILE", summary: iconSummary },
  },
  notes: ["The secret of a confidential app is printed once and stored as a digest only."],
  example: [
    "latchkey app add --name 'My notes' --type public \\",
    "  --redirect http://127.0.0.1/callback --permission account:read",
  ].join("\n"),
  run: ({ flags, globals }) =>
    withStore(globals, "make", async (opened) => {
      const icon = await iconIn(flags.icon)
      if (!icon.ok) return refused(icon.error)
      const added = await addApp(opened, {
        name: flags.name,
        type: flags.type,
        redirectUris: flags.redirect,
        permissions: flags.permission,
        verified: flags.verified,
        stepUp: flags["step-up"],
        resourceServer: flags["resource-server"],
        ownerName: flags.owner,
        registeredBy: "administrator",
        icon: icon.value,
        ...fromHere,
      })
      return added.ok ? withSecret(added.value, remarksOn(added.value)) : refused(added.error)
    }),
})

const list = command({
  name: "app list",
  summary: "List the apps, oldest first",
  operands: [],
  flags: { owner: { value: "NAME", summary: "only those of this account" } },
  example: "latchkey app list",
  run: ({ flags, globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const owner = flags.owner === null ? null : await findAccount(opened, flags.owner)
      if (owner?.ok === false) return refused(owner.error)
      const records = (await listApps(opened, { ownerId: owner?.value.userId })).map(record)
      const rows = records.map((row) => [
        row.client_id,
        row.client_name,
        row.client_type,
        row.enabled,
        row.owner,
        row.scope,
      ])
      return done(
        records,
        table(["client id", "name", "type", "enabled", "owner", "scope"], rows, "There is no app."),
      )
    }),
})

const show = command({
  name: "app show",
  summary: "Show an app's registration",
  operands: ["ID"],
  flags: {},
  example: "latchkey app show 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ operands: [id], globals }) => runAppCommand(globals, id, (opened) => findApp(opened, id)),
})

const disable = command({
  name: "app disable",
  summary: "Stop an app and its credentials until it is enabled again",
  operands: ["ID"],
  flags: { preview: previewFlag },
  example: "latchkey app disable 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ flags, operands: [id], globals }) =>
    flags.preview
      ? previewedApp(globals, id, (opened) => previewAppEnd(opened, id, "disabled"))
      : runAppCommand(globals, id, (opened) => setAppEnabled(opened, id, false, fromHere)),
})

const enable = command({
  name: "app enable",
  summary: "Let a disabled app work again",
  operands: ["ID"],
  flags: {},
  example: "latchkey app enable 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ operands: [id], globals }) =>
    runAppCommand(globals, id, (opened) => setAppEnabled(opened, id, true, fromHere)),
})

const remove = command({
  name: "app remove",
  summary: "Remove an app for good and revoke its credentials",
  operands: ["ID"],
  flags: { preview: previewFlag },
  example: "latchkey app remove 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ flags, operands: [id], globals }) => {
    if (flags.preview) return previewedApp(globals, id, (opened) => previewAppEnd(opened, id, "removed"))
    return withStore(globals, "refuse", async (opened) => {
      const removed = await removeApp(opened, id, fromHere)
      if (!removed.ok) return refusedOf(id, removed.error)
      const { client_id, client_name } = record(removed.value)
      const json = { client_id, client_name, removed: true }
      return done(json, facts(json))
    })
  },
})

const rotateSecret = command({
  name: "app rotate-secret",
  summary: "Make a new secret for a confidential app; the old one ends at once",
  operands: ["ID"],
  flags: {},
  example: "latchkey app rotate-secret 01k3v7m2q8xj5c9d4e6f7g8h9j --json",
  run: ({ operands: [id], globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const rotated = await rotateAppSecret(opened, id, fromHere)
      return rotated.ok ? withSecret(rotated.value, []) : refusedOf(id, rotated.error)
    }),
})

export const appCommands = [add, list, show, update, disable, enable, remove, rotateSecret]

function remarksOn({ client: { ceiling, redirectUris, resourceServer } }: App): readonly string[] {
  if (resourceServer) return []
  const remarks = []
  if (ceiling.length === 0) remarks.push("The app may ask for nothing yet: add a permission with app update.")
  if (redirectUris.length === 0)
    remarks.push("No browser can return to the app yet: add a redirect with app update.")
  return remarks
}
