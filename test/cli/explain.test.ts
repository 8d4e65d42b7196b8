/** Tests preview and explanation of a credential that an app really has, while a server runs. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { connect, REDIRECT_URI } from "../support/connect.ts"
import { addAccount, addApp } from "../support/seed.ts"
import { done, latchkey, newDirectory, SpawnedServer } from "../support/spawn.ts"

type Line = {
  readonly permission: string
  readonly title: string
  readonly reached: boolean
  readonly sentence: string
}
type Explained = { readonly reach: string; readonly permissions: readonly Line[] }

test("PERM-6 preview, update and explain tell the same of a credential that an app holds", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "ada")
  const app = await addApp(dir, { type: "public" })
  const server = await SpawnedServer.start(t, dir)
  const tokens = await connect(server, app, "ada", { installation_name: "My laptop" })
  const update = ["app", "update", app.clientId, "--remove-permission", "credentials:read", "--data", dir]

  const preview = await latchkey([...update, "--preview"])
  assert.equal(preview.code, 0)
  assert.equal(preview.stdout, "Takes credentials:read from 1 live credential of 1 account.\n")
  assert.equal(preview.stderr, "This is a preview: nothing was changed.\n")
  const explain = () => done<Explained>(dir, ["explain", tokens.token_id])
  assert.equal((await explain()).reach, "account:read credentials:read")

  const updated = await latchkey(update)
  assert.equal(updated.code, 0)
  assert.equal(updated.stderr, "Took credentials:read from 1 live credential of 1 account.\n")
  const explained = await explain()
  assert.equal(explained.reach, "account:read")
  const line = explained.permissions.find(({ permission }) => permission === "credentials:read")
  assert.equal(line?.sentence, "Not reached: the app's registration does not allow it.")

  const { stdout } = await latchkey(["explain", tokens.token_id, "--data", dir])
  assert.match(stdout, /^label +My laptop$/m)
  assert.match(stdout, /^Active: the app holds tokens for it\.$/m)
  assert.match(stdout, /^It ends on .+, 90 days after the last refresh/m)
  assert.match(
    stdout,
    /^Access tokens, newest first:\nIssued on .+, reaches all that the credential does\.$/m,
  )
  assert.match(stdout, /^account:read\n {2}Reached: the account holder consented to it/m)
  assert.match(
    stdout,
    /^credentials:read\n {2}Not reached: .+\n {2}Put it on the app's registration; no new authorization/m,
  )
})

test("PERM-5 LANG-9 without the configuration file of the service, list and explain name the permissions they do not know", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "ada")
  const file = join(dir, "other.yaml")
  writeFileSync(file, "permissions:\n  notes:read:\n    title: {en: Read notes, de: Notizen lesen}\n")
  const add = ["app", "add", "--name", "Notes", "--type", "public", "--redirect", REDIRECT_URI]
  const config = ["--config", file]
  const { client_id } = await done<{ client_id: string }>(dir, [
    ...add,
    "--permission",
    "notes:read",
    ...config,
  ])
  const server = await SpawnedServer.start(t, dir, { LATCHKEY_CONFIG: file })
  const app = { clientId: client_id, secret: null }
  const { token_id } = await connect(server, app, "ada", { scope: "notes:read" })
  for (const command of [
    ["credential", "list"],
    ["explain", token_id],
  ]) {
    const { stderr } = await latchkey([...command, "--data", dir])
    assert.match(stderr, /^Not defined for this command: notes:read\. .+ --config FILE/)
    assert.equal((await latchkey([...command, "--data", dir, ...config])).stderr, "")
  }
  await done(dir, ["setting", "set", "languages.default", "de"])
  const explained = await done<Explained>(dir, ["explain", token_id, ...config])
  assert.equal(explained.permissions.at(-1)?.title, "Notizen lesen")
})

test("CD-11 a document chooses its name, so the command line shows its URL beside it", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "ada")
  const app = { ...(await addApp(dir, { type: "public" })), clientId: "https://app.example/client.json" }
  const document = { client_id: app.clientId, client_name: "Latchkey", redirect_uris: [REDIRECT_URI] }
  writeFileSync(join(dir, "client.json"), JSON.stringify(document))
  await done(dir, ["setting", "set", "clients.documents", "on"])
  await done(dir, ["document", "pin", app.clientId, join(dir, "client.json")])
  await done(dir, ["setting", "set", "registration.permissions", "account:read"])
  const server = await SpawnedServer.start(t, dir)
  const { token_id } = await connect(server, app as never, "ada", { scope: "account:read" })
  for (const command of [
    ["credential", "list"],
    ["explain", token_id],
  ]) {
    const { stdout } = await latchkey([...command, "--data", dir])
    assert.match(stdout, /Latchkey \(https:\/\/app\.example\/client\.json\)/)
  }
})

test("GROUP-1, GROUP-2 explain names the group that a permission or an app is for, unless the account is in it", async (t) => {
  const dir = newDirectory(t)
  await addAccount(dir, "ada")
  const file = join(dir, "latchkey.yaml")
  writeFileSync(file, "permissions:\n  crew:rota: {title: See the rota, for_groups: [crew]}\n")
  await done(dir, ["group", "add", "crew"])
  await done(dir, ["account", "groups", "ada", "--add", "crew"])
  const add = ["app", "add", "--name", "Crew", "--type", "public", "--redirect", REDIRECT_URI]
  const { client_id } = await done<{ client_id: string }>(dir, [...add, "--permission", "crew:rota"])
  const server = await SpawnedServer.start(t, dir)
  const app = { clientId: client_id, secret: null }
  const { token_id, scope } = await connect(server, app, "ada")
  assert.equal(scope, "crew:rota")
  const explain = async () => (await latchkey(["explain", token_id, "--data", dir])).stdout
  assert.match(await explain(), /^crew:rota\n {2}Reached: /m)
  await done(dir, ["account", "groups", "ada", "--remove", "crew"])
  assert.match(
    await explain(),
    /^crew:rota\n {2}Not reached: it is for the group crew, and the account is not in it\.\n {2}Put the account into the group crew\.$/m,
  )
  await done(dir, ["app", "update", client_id, "--add-group", "crew"])
  assert.match(
    await explain(),
    /^The app is for the group crew, and the account is not in it\. Put the account into the group crew\.$/m,
  )
})
