/** The commands on the service secret. */
import { closeSync, existsSync, fsyncSync, openSync, renameSync } from "node:fs"
import { dirname } from "node:path"
import { deriveKeys, makeSecretFile, readServiceSecret } from "../../kernel/keys.ts"
import { type Answer, command, done, refused } from "../../platform/cli/command.ts"
import { type Opened, withStore } from "../../platform/cli/open.ts"
import { columns, visible } from "../../platform/cli/print.ts"
import { runningNodes } from "../../platform/services/secret/nodes.ts"
import { secretInForce } from "../../platform/services/secret/check-secret.ts"
import {
  hasSecret,
  NEXT_VARIABLE,
  readKeyRing,
  readNextSecret,
  secretFiles,
} from "../../platform/services/secret/held-secrets.ts"
import { findForgotten, forgetSecret } from "./forget.ts"
import { rotateSecret } from "./rotate.ts"

const rotate = command({
  name: "secret rotate",
  summary: "Replace the service secret while the service runs",
  notes: [
    "The new secret is made in DIR/secret.key.next, which a running service reads. Where the environment has the secret, " +
      "restart each node with LATCHKEY_SECRET_KEY_NEW beside LATCHKEY_SECRET_KEY first, and set both for this command.",
    "A rotation that was interrupted continues when it is called again. Browsers stay signed in, and apps stay connected.",
  ],
  example: "latchkey secret rotate",
  run: ({ globals }) =>
    withStore(globals, "refuse", (opened) => replace(opened, globals.databaseUrl !== null)),
})

/** Several nodes run only on PostgreSQL, which has a URL. */
async function replace({ store, clock, dataDir }: Opened, mayHaveNodes: boolean): Promise<Answer> {
  const known = await secretInForce(store)
  if (known === null) return refused("This database has no service secret yet: start the service once.")
  const files = secretFiles(dataDir)
  if (files === null && (process.env[NEXT_VARIABLE] ?? "") === "")
    return refused(
      `LATCHKEY_SECRET_KEY is set. Restart each node with ${NEXT_VARIABLE} beside it, and set both for this command.`,
    )
  if (files !== null && !existsSync(files.current))
    return refused(`${files.current} does not exist. If the service secret is lost, see secret forget.`)
  const former = deriveKeys(readServiceSecret(dataDir, process.env["LATCHKEY_SECRET_KEY"]))
  if (files !== null && !existsSync(files.next) && former.checkValue === known) makeSecretFile(files.next)
  const secret = await readNextSecret(dataDir)
  const next = secret === null ? null : deriveKeys(secret)
  if (next === null || (known !== former.checkValue && known !== next.checkValue))
    return refused("This database belongs to another service secret. If that one is lost, see secret forget.")
  if (next.checkValue === former.checkValue) return refused("The new secret is the same as the former one.")
  const isSwitched = known === next.checkValue
  const rotated = await rotateSecret({ store, clock, former, next, isSwitched })
  if (!rotated.ok) return refused(rotated.error)
  if (files !== null) keepNext(files)
  const { sealed, unreadable } = rotated.value
  const lost =
    unreadable === 0
      ? []
      : [`${unreadable} stored secrets could be opened with neither secret; they were lost before.`]
  return done(
    { replaced: true, sealed, unreadable },
    `The service secret was replaced. Sealed again: ${sealed}.\n${afterwards(files, mayHaveNodes)}`,
    ...lost,
  )
}

function keepNext({ current, next }: { readonly current: string; readonly next: string }): void {
  renameSync(next, current)
  const directory = openSync(dirname(current), "r")
  fsyncSync(directory)
  closeSync(directory)
}

function afterwards(files: ReturnType<typeof secretFiles>, mayHaveNodes: boolean): string {
  if (files === null)
    return `Set LATCHKEY_SECRET_KEY to the new secret everywhere, and remove ${NEXT_VARIABLE}.`
  const elsewhere = " Where another node has its own data directory, rename secret.key.next there."
  return `${files.current} has the new secret.${mayHaveNodes ? elsewhere : ""}`
}

const forget = command({
  name: "secret forget",
  summary: "Give up a service secret that is lost",
  flags: { yes: { summary: "end what is listed" } },
  notes: [
    "Lists whose one-time passwords and which imported tokens end, and changes nothing without --yes. The service must " +
      "be stopped; its next start makes a new secret. Passwords, passkeys, sessions, tokens and app secrets stay.",
    "From then on, the listed people sign in with the password alone, until they enroll a second factor again.",
  ],
  example: "latchkey secret forget --yes",
  run: ({ flags, globals }) =>
    withStore(globals, "refuse", async (opened) => {
      const { store, dataDir } = opened
      const known = await secretInForce(store)
      if (known === null) return refused("This database has no service secret. The next start makes one.")
      if (hasSecret(dataDir) && (await readKeyRing(dataDir)).take(known))
        return refused(
          "The service secret is not lost: this process holds it. To replace it, use secret rotate.",
        )
      const nodes = await runningNodes(store, opened.clock.now())
      if (nodes.length > 0)
        return refused(
          `These nodes were seen in the last minute: ${nodes.map(({ name }) => name).join("; ")}. Stop the service first, or wait a minute if it has ended.`,
        )
      return end(opened, flags.yes)
    }),
})

async function end(opened: Opened, isConfirmed: boolean): Promise<Answer> {
  const found = await findForgotten(opened.store)
  if (isConfirmed) await forgetSecret(opened, found)
  const { accounts, imports, signingKeys, mails } = found
  const json = {
    forgotten: isConfirmed,
    one_time_passwords: accounts.map(({ userId: user_id, username }) => ({ user_id, username })),
    import_keys: imports.map(({ source }) => source),
    signing_keys: signingKeys,
    mail_links: mails,
  }
  const text = columns([
    ["one-time passwords of", accounts.map(({ username }) => visible(username)).join(", ") || "-"],
    ["imported tokens of", imports.map(({ source }) => source).join(", ") || "-"],
    ["signing keys", signingKeys.join(", ") || "-"],
    ["mails with a link", String(mails)],
  ])
  if (!isConfirmed) return done(json, text, "Nothing was changed. To end these, add --yes.")
  return done(json, `${text}\n\nThe service secret was given up. The next start makes or takes a new one.`)
}

export const secretCommands = [rotate, forget]
