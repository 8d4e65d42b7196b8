/** The commands on registered apps. */
import { type RegistrationRecord, registrationRecord } from "../core/registration-record.ts"
import type { Icon } from "../core/client.ts"
import type { Outcome } from "../core/outcome.ts"
import { takenSentences } from "../core/preview-words.ts"
import { findAccount } from "../service/account.ts"
import {
  addApp,
  type App,
  type AppWithSecret,
  findApp,
  listApps,
  removeApp,
  rotateAppSecret,
  setAppEnabled,
} from "../service/app.ts"
import { storeIcon } from "../service/icon.ts"
import { type AppPreview, previewAppEnd, previewAppUpdate, updateAppAndTell } from "../service/preview.ts"
import { type Answer, command, done, misused, refused } from "./command.ts"
import { iconIn, iconOrNone } from "./icon-flag.ts"
import { fromHere, type Opened, withStore } from "./open.ts"
import { previewed, previewFlag } from "./preview.ts"
import { facts, instant, table } from "./print.ts"

const iconSummary = "a PNG, JPEG, WebP or GIF picture, shown while the app is verified"
const onOff = { value: "on|off", choices: ["on", "off"] } as const

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
      if (!icon.ok) return refused(icon.problem)
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
      return added.ok ? withSecret(added.value, remarksOn(added.value)) : refused(added.problem)
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
      if (owner?.ok === false) return refused(owner.problem)
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
  run: ({ operands: [id], globals }) => told(globals, (opened) => findApp(opened, id)),
})

const update = command({
  name: "app update",
  summary: "Change an app's registration",
  operands: ["ID"],
  flags: {
    name: { value: "NAME", summary: "the name that the consent page shows" },
    "add-redirect": { value: "URI", repeat: true, summary: "register one more redirect address" },
    "remove-redirect": { value: "URI", repeat: true, summary: "take a redirect address away" },
    "add-permission": { value: "P", repeat: true, summary: "let the app ask for one permission more" },
    "remove-permission": {
      value: "P",
      repeat: true,
      summary: "take a permission away, held credentials included",
    },
    verified: { ...onOff, summary: "vouch for the app, or stop it" },
    "step-up": { ...onOff, summary: "let the app ask for a second factor again, or not" },
    "resource-server": { ...onOff, summary: "let the app introspect tokens, or not (confidential only)" },
    owner: { value: "NAME|none", summary: "the account that the app belongs to" },
    icon: { value: "FILE", summary: `${iconSummary}; none takes it away` },
    preview: previewFlag,
  },
  notes: [
    "A permission that is taken away is gone from held credentials at their next request; given back, it is back. " +
      "With --preview: from how many live credentials of how many accounts. A type is fixed for life.",
  ],
  example: "latchkey app update 01k3v7m2q8xj5c9d4e6f7g8h9j --add-permission credentials:read",
  run: async ({ flags, operands: [id], globals }): Promise<Answer> => {
    const changes = {
      name: flags.name ?? undefined,
      addRedirectUris: flags["add-redirect"],
      removeRedirectUris: flags["remove-redirect"],
      addPermissions: flags["add-permission"],
      removePermissions: flags["remove-permission"],
      verified: switched(flags.verified),
      stepUp: switched(flags["step-up"]),
      resourceServer: switched(flags["resource-server"]),
      ...(flags.owner === null ? {} : { ownerName: flags.owner === "none" ? null : flags.owner }),
    }
    const changesNothing = Object.values(changes).every(
      (value) => value === undefined || (Array.isArray(value) && value.length === 0),
    )
    if (changesNothing && flags.icon === null)
      return misused(
        "app update needs something to change: a --name, a redirect, a permission, a switch, an --owner, an --icon.",
      )
    if (flags.preview) return await previewedApp(globals, (opened) => previewAppUpdate(opened, id, changes))
    return await withStore(globals, "refuse", async (opened) => {
      const icon = await iconOrNone(flags.icon)
      if (!icon.ok) return refused(icon.problem)
      const updated = changesNothing ? null : await updateAppAndTell(opened, id, changes, fromHere)
      if (updated?.ok === false) return refused(updated.problem)
      const iconed = await newIcon(opened, id, icon.value)
      if (iconed?.ok === false) return refused(iconed.problem)
      const app = iconed?.value ?? updated?.value.app
      if (app === undefined) throw new Error("app update changed nothing")
      const preview = updated?.value.preview ?? null
      return done(record(app), shown(app), ...(preview === null ? [] : takenSentences(preview)))
    })
  },
})

const disable = command({
  name: "app disable",
  summary: "Stop an app and its credentials until it is enabled again",
  operands: ["ID"],
  flags: { preview: previewFlag },
  example: "latchkey app disable 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ flags, operands: [id], globals }) =>
    flags.preview
      ? previewedApp(globals, (opened) => previewAppEnd(opened, id, "disabled"))
      : told(globals, (opened) => setAppEnabled(opened, id, false, fromHere)),
})

const enable = command({
  name: "app enable",
  summary: "Let a disabled app work again",
  operands: ["ID"],
  flags: {},
  example: "latchkey app enable 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ operands: [id], globals }) => told(globals, (opened) => setAppEnabled(opened, id, true, fromHere)),
})

const remove = command({
  name: "app remove",
  summary: "Remove an app for good and revoke its credentials",
  operands: ["ID"],
  flags: { preview: previewFlag },
  example: "latchkey app remove 01k3v7m2q8xj5c9d4e6f7g8h9j",
  run: ({ flags, operands: [id], globals }) => {
    if (flags.preview) return previewedApp(globals, (opened) => previewAppEnd(opened, id, "removed"))
    return withStore(globals, "refuse", async (opened) => {
      const removed = await removeApp(opened, id, fromHere)
      if (!removed.ok) return refused(removed.problem)
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
      return rotated.ok ? withSecret(rotated.value, []) : refused(rotated.problem)
    }),
})

export const appCommands = [add, list, show, update, disable, enable, remove, rotateSecret]

/** Null where the icon stays as it is. */
function newIcon(opened: Opened, id: string, icon: Icon | "none" | null): Promise<Outcome<App> | null> {
  return icon === null
    ? Promise.resolve(null)
    : storeIcon(opened, id, icon === "none" ? null : icon, fromHere)
}

function record({ client, owner }: App): RegistrationRecord {
  return registrationRecord(client, owner)
}

function told(
  globals: Parameters<typeof withStore>[0],
  verb: (opened: Opened) => Promise<Outcome<App>>,
): Promise<Answer> {
  return withStore(globals, "refuse", async (opened) => {
    const answer = await verb(opened)
    return answer.ok ? done(record(answer.value), shown(answer.value)) : refused(answer.problem)
  })
}

function previewedApp(
  globals: Parameters<typeof withStore>[0],
  verb: (opened: Opened) => Promise<Outcome<AppPreview>>,
): Promise<Answer> {
  return withStore(globals, "refuse", async (opened) => {
    const answer = await verb(opened)
    return answer.ok ? previewed(record(answer.value.app), answer.value.preview) : refused(answer.problem)
  })
}

function withSecret(app: AppWithSecret, remarks: readonly string[]): Answer {
  const registration = record(app)
  if (app.secret === null) return done(registration, shown(app), ...remarks)
  const secret = { client_secret: app.secret }
  const once = "The secret is shown this once. Keep it where only the app's server reads it."
  return done({ ...registration, ...secret }, `${shown(app)}\n${facts(secret)}`, once, ...remarks)
}

function remarksOn({ client: { ceiling, redirectUris, resourceServer } }: App): readonly string[] {
  if (resourceServer) return []
  const remarks = []
  if (ceiling.length === 0) remarks.push("The app may ask for nothing yet: add a permission with app update.")
  if (redirectUris.length === 0)
    remarks.push("No browser can return to the app yet: add a redirect with app update.")
  return remarks
}

/** People also read whether there is an icon; the JSON is the registration record and nothing else. */
function shown(app: App): string {
  const registration = record(app)
  const issued = instant(registration.client_id_issued_at)
  return facts({ ...registration, client_id_issued_at: issued, icon: app.client.iconHash !== null })
}

function switched(value: "on" | "off" | null): boolean | undefined {
  return value === null ? undefined : value === "on"
}
