/** The `account` commands. */
import type { Account } from "../../model/account.rules.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import {
  addAccount,
  addServiceAccount,
  listAccounts,
  removeAccount,
  renameAccount,
  setAccountEnabled,
  setAdministration,
  setPassword,
} from "../../accounts/accounts.ts"
import {
  type AccountPreview,
  previewAccountDisabling,
  previewAccountRemoval,
  previewAdministration,
} from "../../apps/preview.ts"
import { unlockAccount } from "../../accounts/factors/unlock.ts"
import { type Answer, command, done, usageError, refused } from "../../platform/cli/command.ts"
import { fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { readPassword } from "../../platform/cli/password-input.ts"
import { previewed, previewFlag } from "../../apps/preview/preview-flag.ts"
import { facts, instant, printedList } from "../../platform/cli/print.ts"
import { findAccount } from "../../accounts/find-account.ts"
import { accountRecord, accountRecords } from "./account-record.ts"

const passwordStdin = {
  summary: "read the password from standard input; one trailing line break is removed",
} as const

const add = command({
  name: "account add",
  summary: "Add an account",
  operands: ["NAME"],
  flags: {
    admin: { summary: "make it an administrator" },
    "password-stdin": passwordStdin,
    service: { summary: "make it a service account: no password and no sign-in" },
    owner: { value: "NAME", summary: "the person who answers for a service account" },
  },
  notes: [
    "On a terminal it asks for the password without showing it.",
    "Apps act as a service account by client_credentials; app update --service-account binds one to it.",
  ],
  example: [
    "printf %s 'correct horse battery' | latchkey account add alice --admin --password-stdin",
    "latchkey account add ci --service --owner alice",
  ].join("\n"),
  run: async ({ flags, operands: [username], globals }): Promise<Answer> => {
    const { admin, owner, service } = flags
    if (service && flags["password-stdin"]) return usageError("A service account has no password.")
    if (!service && owner !== null) return usageError("Only a service account has an --owner.")
    if (service)
      return await withStore(globals, "create", async (opened) => {
        const account = { username, admin, ownerName: owner, ...fromCommandLine }
        return printAdded(opened, await addServiceAccount(opened, account))
      })
    return await withPassword(flags["password-stdin"], (password) =>
      withStore(globals, "create", async (opened) =>
        printAdded(opened, await addAccount(opened, { username, password, admin, ...fromCommandLine })),
      ),
    )
  },
})

async function printAdded(opened: Opened, added: Result<Account, Problem>): Promise<Answer> {
  if (!added.ok) return refused(added.error)
  const { enabled: _, created_at: __, ...json } = await accountRecord(opened, added.value)
  return done(json, facts(json))
}

const list = command({
  name: "account list",
  summary: "List the accounts, oldest first",
  example: "latchkey account list",
  run: ({ globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const records = await accountRecords(opened, await listAccounts(opened))
      // The type column appears only if there is a service account. Otherwise every row would show the same type.
      const isMixed = records.some(({ account_type }) => account_type !== undefined)
      return printedList(records, "There are no accounts.", (row) => ({
        name: row.username,
        ...(isMixed && { type: row.account_type ?? "person" }),
        admin: row.admin,
        enabled: row.enabled,
        created: instant(row.created_at),
        "user id": row.user_id,
      }))
    }),
})

const show = command({
  name: "account show",
  summary: "Show an account",
  operands: ["NAME"],
  example: "latchkey account show alice",
  run: ({ operands: [name], globals }) => printChange(globals, (opened) => findAccount(opened, name)),
})

const disable = command({
  name: "account disable",
  summary: "Disable an account until it is enabled again",
  operands: ["NAME"],
  flags: { preview: previewFlag },
  notes: [
    "Its browsers are signed out, and its credentials do not work while it is disabled. The last enabled " +
      "administrator cannot be disabled.",
    "The service accounts that it owns are disabled with it, until each is enabled again.",
  ],
  example: "latchkey account disable alice",
  run: ({ flags, operands: [name], globals }) =>
    flags.preview
      ? previewedAccount(globals, name, previewAccountDisabling)
      : printChange(globals, (opened) => setAccountEnabled(opened, name, false, fromCommandLine)),
})

const enable = command({
  name: "account enable",
  summary: "Enable a disabled account",
  operands: ["NAME"],
  example: "latchkey account enable alice",
  run: ({ operands: [name], globals }) =>
    printChange(globals, (opened) => setAccountEnabled(opened, name, true, fromCommandLine)),
})

const remove = command({
  name: "account remove",
  summary: "Remove an account permanently",
  operands: ["NAME"],
  flags: { preview: previewFlag },
  notes: [
    "Its credentials are revoked and its browsers are signed out. Its apps continue to work without an " +
      "owner. The last enabled administrator cannot be removed.",
    "The service accounts that it owns are disabled and have no owner any more.",
  ],
  example: "latchkey account remove alice",
  run: ({ flags, operands: [name], globals }) => {
    if (flags.preview) return previewedAccount(globals, name, previewAccountRemoval)
    return withStore(globals, "refuse", async (opened) => {
      const removed = await removeAccount(opened, name, fromCommandLine)
      if (!removed.ok) return refused(removed.error)
      const { userId: user_id, username } = removed.value.account
      const apps_without_owner = removed.value.appsWithoutOwner.map(({ clientId }) => clientId)
      const json = { user_id, username, removed: true, apps_without_owner }
      return done(json, facts(json))
    })
  },
})

const rename = command({
  name: "account rename",
  summary: "Rename an account",
  operands: ["NAME", "NEW"],
  example: "latchkey account rename alice alicia",
  run: ({ operands: [name, newName], globals }) =>
    printChange(globals, (opened) => renameAccount(opened, name, newName, fromCommandLine)),
})

const password = command({
  name: "account password",
  summary: "Set a new password and sign out every browser",
  operands: ["NAME"],
  flags: { "password-stdin": passwordStdin },
  notes: ["On a terminal it asks for the password without showing it."],
  example: "printf %s 'correct horse battery' | latchkey account password alice --password-stdin",
  run: ({ flags, operands: [name], globals }) =>
    withPassword(flags["password-stdin"], (text) =>
      printChange(globals, (opened) => setPassword(opened, name, text, { ...fromCommandLine, except: null })),
    ),
})

const unlock = command({
  name: "account unlock",
  summary: "Allow codes from every browser again after too many wrong ones",
  operands: ["NAME"],
  notes: [
    "After a hundred wrong codes in a row from browsers that never signed in to the account, one-time passwords and " +
      "recovery codes work only in browsers that have signed in before.",
  ],
  example: "latchkey account unlock alice",
  run: ({ operands: [name], globals }) =>
    printChange(globals, (opened) => unlockAccount(opened, name, fromCommandLine)),
})

const admin = command({
  name: "account admin",
  summary: "Make an account an administrator, or withdraw that",
  operands: ["NAME", "on|off"],
  flags: { preview: previewFlag },
  notes: ["The last enabled administrator cannot be withdrawn."],
  example: "latchkey account admin alice on",
  run: ({ flags, operands: [name, onOff], globals }) =>
    flags.preview
      ? previewedAccount(globals, name, (opened, id) => previewAdministration(opened, id, onOff === "on"))
      : printChange(globals, (opened) => setAdministration(opened, name, onOff === "on", fromCommandLine)),
})

export const accountCommands = [add, list, show, disable, enable, remove, rename, password, unlock, admin]

function printChange(
  globals: Parameters<typeof withStore>[0],
  verb: (opened: Opened) => Promise<Result<Account, Problem>>,
): Promise<Answer> {
  return withStore(globals, "refuse", async (opened) => {
    const answer = await verb(opened)
    if (!answer.ok) return refused(answer.error)
    const json = await accountRecord(opened, answer.value)
    return done(json, facts({ ...json, created_at: instant(json.created_at) }))
  })
}

function previewedAccount(
  globals: Parameters<typeof withStore>[0],
  name: string,
  verb: (opened: Opened, id: string) => Promise<Result<AccountPreview, Problem>>,
): Promise<Answer> {
  return withStore(globals, "refuse", async (opened) => {
    const found = await findAccount(opened, name)
    if (!found.ok) return refused(found.error)
    const answer = await verb(opened, found.value.userId)
    if (!answer.ok) return refused(answer.error)
    const { account, preview, appsWithoutOwner } = answer.value
    const apps_without_owner = appsWithoutOwner.map(({ clientId }) => clientId)
    return previewed({ ...(await accountRecord(opened, account)), apps_without_owner }, preview)
  })
}

async function withPassword(isGiven: boolean, use: (password: string) => Promise<Answer>): Promise<Answer> {
  if (!isGiven && !process.stdin.isTTY)
    return usageError(
      "A password cannot be an argument: add --password-stdin and write it to standard input.",
    )
  const read = await readPassword()
  return read.ok ? await use(read.value) : refused(read.error)
}
