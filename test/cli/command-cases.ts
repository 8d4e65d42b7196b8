/** A call of every command, for tests that run them all. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { newDirectory, wholeFile } from "../support/spawn.ts"

const ID = "01k3v7m2q8xj5c9d4e6f7g8h9j"
const URL_ID = "https://app.example/client.json"
export const APP = ["--name", "Notes", "--type", "confidential", "--redirect", "https://notes.example/done"]

export type Case = { readonly args: readonly string[]; readonly input?: string }

/** Commands that create or set something. */
export const makes: Readonly<Record<string, Case>> = {
  "account add": { args: ["ada", "--password-stdin"], input: "correct horse battery" },
  "app add": { args: [...APP, "--permission", "account:read"] },
  "setting set": { args: ["token.access_seconds", "600"] },
  "setting unset": { args: ["token.access_seconds"] },
  "appearance set": { args: ["--name", "Acme"] },
  "appearance unset": { args: ["name"] },
  "group add": { args: ["sales"] },
  import: { args: ["csv", importedFile()] },
  apply: { args: [setUpFile()] },
}

/** Commands that read or change existing data. Without a database, they have nothing to do. */
export const needs: Readonly<Record<string, Case>> = {
  explain: { args: [ID] },
  backup: { args: ["copy.db"] },
  migrate: { args: [] },
  verify: { args: [] },
  events: { args: [] },
  export: { args: [] },
  "account list": { args: [] },
  "account show": { args: ["ada"] },
  "account disable": { args: ["ada"] },
  "account enable": { args: ["ada"] },
  "account remove": { args: ["ada"] },
  "account rename": { args: ["ada", "eve"] },
  "account password": { args: ["ada", "--password-stdin"], input: "correct horse battery" },
  "account admin": { args: ["ada", "on"] },
  "account groups": { args: ["ada"] },
  "group list": { args: [] },
  "group show": { args: ["sales"] },
  "group remove": { args: ["sales"] },
  "account totp": { args: ["ada"] },
  "account unlock": { args: ["ada"] },
  "account factors": { args: ["ada", "list"] },
  "account link": { args: ["ada", "corp", "subject"] },
  "account unlink": { args: ["ada", "corp", "subject"] },
  "account email": { args: ["ada", "ada@example.org"] },
  "account recover": { args: ["ada"] },
  "account invite": { args: [] },
  "invitation list": { args: [] },
  "invitation revoke": { args: [ID] },
  "provider list": { args: [] },
  "provider check": { args: ["corp"] },
  "provider relink": { args: ["corp"] },
  "app list": { args: [] },
  "app show": { args: [ID] },
  "app update": { args: [ID, "--name", "Notes"] },
  "app disable": { args: [ID] },
  "app enable": { args: [ID] },
  "app remove": { args: [ID] },
  "app rotate-secret": { args: [ID] },
  "document list": { args: [] },
  "document show": { args: [URL_ID] },
  "document pin": { args: [URL_ID, pinnedFile()] },
  "document unpin": { args: [URL_ID] },
  "document refresh": { args: [URL_ID] },
  "document deny": { args: [URL_ID] },
  "document allow": { args: [URL_ID] },
  "credential list": { args: [] },
  "credential revoke": { args: [ID] },
  "secret rotate": { args: [] },
  "secret forget": { args: [] },
  "key list": { args: [] },
  "key rotate": { args: [] },
  "setting list": { args: [] },
  "setting get": { args: ["token.access_seconds"] },
  "appearance show": { args: [] },
}

function pinnedFile(): string {
  const file = join(newDirectory(wholeFile()), "client.json")
  writeFileSync(
    file,
    JSON.stringify({ client_id: URL_ID, client_name: "Notes", redirect_uris: ["https://app.example/done"] }),
  )
  return file
}

function importedFile(): string {
  const file = join(newDirectory(wholeFile()), "accounts.csv")
  writeFileSync(file, "user_id,username,password_hash\nu1,ada,\n")
  return file
}

function setUpFile(): string {
  const file = join(newDirectory(wholeFile()), "set-up.yaml")
  writeFileSync(file, "settings: {token.access_seconds: 600}\n")
  return file
}

/** These commands do not need an existing database. `serve` creates one, and the others read only files or use the network. */
export const others = [
  "serve",
  "gate",
  "gate check",
  "gate explain",
  "gate snippet",
  "login",
  "elevate",
  "config check",
  "doctor",
  "mail test",
]

/** This command always reads the embedded database, whatever is configured. */
export const move: Case = { args: ["--to", "postgres://me@127.0.0.1:1/latchkey"] }
