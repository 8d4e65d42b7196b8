/** Builds a request for every operation of the API, which the operation accepts. */
import { decided } from "../../../src/model/change.rules.ts"
import { KEYS_EXAMPLE } from "../../../src/admin/apps/app-record.ts"
import assert from "node:assert/strict"
import { invite } from "../../../src/accounts/invitations/invite.ts"
import { signedInBrowser } from "../../support/connect.ts"
import { type AppOptions, PASSWORD, OPERATOR } from "../../support/test-server.ts"
import { addGroup, changeMemberships } from "../../../src/accounts/groups/groups.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import {
  allowDocument,
  denyDocument,
  pinDocument,
  unpinDocument,
} from "../../../src/oauth/documents/document.ts"
import { addApp } from "../../../src/apps/add-app.ts"
import { ask, type Sent, type World } from "./api-world.ts"
import { grant } from "../../support/grant.ts"

type Made = Omit<Sent, "method" | "path"> & {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
}

/** An image with one transparent pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
)
const picture = { body: new Uint8Array(PIXEL), type: "image/png" }

let made = 0
const fresh = (what: string) => `${what}${++made}`

/** Adds an app that root owns. */
export async function ownedApp({ testServer }: World, app: AppOptions = {}): Promise<string> {
  const added = await addApp(
    testServer.latchkey,
    {
      name: app.name ?? "Notes",
      type: app.type ?? "public",
      redirectUris: ["https://app.example/callback"],
      permissions: app.permissions ?? ["account:read"],
      verified: false,
      stepUp: false,
      resourceServer: false,
      ownerName: "root",
    },
    OPERATOR,
  )
  assert.ok(added.ok)
  return added.value.client.clientId
}

const ofOwnApp = async (world: World) => ({ path: { client_id: await ownedApp(world) } })
const ofSecret = async (world: World) => ({
  path: { client_id: await ownedApp(world, { type: "confidential" }) },
})
const DOCUMENT_URL = "https://app.example/client.json"
const DOCUMENT = JSON.stringify({
  client_id: DOCUMENT_URL,
  redirect_uris: ["https://app.example/callback"],
})
const BY = { address: null, actorId: null }
const ofDocument = async ({ testServer: { latchkey } }: World) => {
  const services = { ...latchkey, current: () => latchkey.settings.current() }
  await allowDocument(services, DOCUMENT_URL, BY)
  const pinned = await pinDocument(services, DOCUMENT_URL, DOCUMENT, BY)
  assert.ok(pinned.ok)
  return { path: { client_id: encodeURIComponent(DOCUMENT_URL) } }
}
const ofFetchedDocument = async (world: World) => {
  const asked = await ofDocument(world)
  const { testServer } = world
  assert.ok((await unpinDocument(testServer.latchkey, DOCUMENT_URL, BY)).ok)
  await testServer.set("clients.documents", "on")
  return asked
}
const ofDeniedDocument = async (world: World) => {
  const asked = await ofDocument(world)
  assert.ok((await denyDocument(world.testServer.latchkey, DOCUMENT_URL, BY)).ok)
  return asked
}
const ofCredential = async ({ testServer, browser, app }: World) => ({
  path: { token_id: (await grant(testServer, browser, app, { scope: "files:read" })).token_id },
})
const ofAccount = async ({ testServer }: World) => ({
  path: { user_id: await testServer.addAccount(fresh("user")) },
})
const ofGroup = async ({ testServer: { latchkey } }: World) => {
  const name = fresh("group")
  assert.ok((await addGroup(latchkey, name, null, OPERATOR)).ok)
  return { path: { name } }
}
const ofMembership = async (world: World) => {
  const [{ path: group }, { path: account }] = [await ofGroup(world), await ofAccount(world)]
  const { latchkey } = world.testServer
  const update = { add: [group.name], remove: [] }
  assert.ok((await changeMemberships(latchkey, account.user_id, update, OPERATOR)).ok)
  return { path: { ...account, ...group }, query: "preview=0" }
}
const ofFactor = async ({ testServer, full }: World) => {
  const added = await addTotp(testServer.latchkey, "root", OPERATOR)
  assert.ok(added.ok)
  const { body } = await ask(testServer, full.access_token, { method: "GET", path: "/api/factors" })
  const [factor] = body["factors"] as { id: string }[]
  return { path: { id: factor?.id ?? "" } }
}
const update = {
  client_name: "Renamed",
  redirect_uris: ["http://localhost/a"],
  scope: "account:read",
  step_up: true,
}
const newApp = {
  client_type: "confidential",
  client_name: "New",
  redirect_uris: ["https://new.example/"],
  scope: "account:read",
}
const nothing = () => ({})

export const requests: Readonly<Record<string, (world: World) => Made | Promise<Made>>> = {
  getAccount: nothing,
  updateAccount: () => ({ body: { username: "root" } }),
  listActivity: () => ({ query: "limit=3" }),
  listSessions: nothing,
  endSession: async ({ testServer, full }) => {
    const factors = await ask(testServer, full.access_token, { method: "GET", path: "/api/factors" })
    // If no earlier request has left a factor, the password alone signs in.
    for (const { id } of factors.body["factors"] as { id: string }[])
      await ask(testServer, full.access_token, { method: "DELETE", path: `/api/factors/${id}` })
    testServer.clock.advance(1)
    await signedInBrowser(testServer, "root")
    const { body } = await ask(testServer, full.access_token, {
      method: "GET",
      path: "/api/account/sessions",
    })
    return { path: { id: (body["items"] as { id: string }[])[0]?.id ?? "" } }
  },
  listFactors: nothing,
  getFactor: ofFactor,
  removeFactor: ofFactor,
  getOwnCredential: nothing,
  listCredentials: nothing,
  revokeCredential: ofCredential,
  explainCredential: ofCredential,
  listApps: nothing,
  registerApp: () => ({ body: newApp }),
  getApp: ofOwnApp,
  updateApp: async (world) => ({
    ...(await ofSecret(world)),
    body: { ...update, enabled: true, jwks: KEYS_EXAMPLE },
  }),
  removeApp: ofOwnApp,
  rotateSecret: ofSecret,
  setIcon: async (world) => ({ ...(await ofOwnApp(world)), ...picture }),
  removeIcon: ofOwnApp,
  getUse: ofOwnApp,
  getHealth: async (world) => ({ ...(await ofOwnApp(world)), query: "days=7" }),

  adminListAccounts: () => ({ query: "name_begins=R&enabled=1&admin=true" }),
  adminListGroups: () => ({ query: "limit=3" }),
  adminAddGroup: () => ({ body: { name: fresh("group"), title: "A group" } }),
  adminGetGroup: ofGroup,
  adminUpdateGroup: async (world) => ({ ...(await ofGroup(world)), body: { title: null } }),
  adminRemoveGroup: async (world) => ({ ...(await ofGroup(world)), query: "preview=1" }),
  adminJoinGroup: ofMembership,
  adminLeaveGroup: ofMembership,
  adminAddAccount: () => ({ body: { username: fresh("new"), password: PASSWORD, admin: true } }),
  adminGetAccount: ofAccount,
  adminUpdateAccount: async (world) => ({
    ...(await ofAccount(world)),
    body: { username: fresh("other"), admin: true },
  }),
  adminRemoveAccount: ofAccount,
  adminSetPassword: async (world) => ({ ...(await ofAccount(world)), body: { password: `${PASSWORD}!` } }),
  adminListFactors: ofAccount,
  adminResetFactors: ofAccount,
  adminListInvitations: () => ({ query: "limit=1" }),
  adminInvite: () => ({ body: { name: fresh("guest"), admin: true, days: 3 } }),
  adminRevokeInvitation: async ({ testServer }) => {
    const input = { username: null, email: null, admin: false, groups: [], days: 7, language: null }
    const invited = await invite(testServer.latchkey, input, OPERATOR)
    assert.ok(invited.ok)
    return { path: { id: invited.value.invitation.invitationId } }
  },
  adminListApps: () => ({ query: "name_contains=NOTES&registered_by=user" }),
  adminRegisterApp: () => ({ body: { ...newApp, verified: true, resource_server: true, owner: "root" } }),
  adminGetApp: ofOwnApp,
  adminUpdateApp: async (world) => ({
    ...(await ofSecret(world)),
    body: { ...update, enabled: false, verified: true, resource_server: true, owner: null },
  }),
  adminRemoveApp: ofOwnApp,
  adminRotateSecret: ofSecret,
  adminSetIcon: async (world) => ({ ...(await ofOwnApp(world)), ...picture }),
  adminRemoveIcon: ofOwnApp,
  adminGetUse: ({ app }) => ({ path: { client_id: app.clientId } }),
  adminGetHealth: ofOwnApp,
  adminListDocuments: nothing,
  adminGetDocument: ofDocument,
  adminPinDocument: async () => ({
    path: { client_id: encodeURIComponent(DOCUMENT_URL) },
    body: { document: DOCUMENT },
  }),
  adminRefreshDocument: ofFetchedDocument,
  adminUnpinDocument: ofDocument,
  adminDenyDocument: ofDocument,
  adminAllowDocument: ofDeniedDocument,
  adminListCredentials: ({ app }) => ({ query: `client_id=${app.clientId}&live=1` }),
  adminGetCredential: ofCredential,
  adminRevokeCredential: ofCredential,
  adminExplainCredential: ofCredential,
  adminListApplied: async ({ testServer: { latchkey } }) => {
    const applied = { set: "one", what: "setting", key: "a", made: "a" } as const
    await latchkey.store.change({}, () => decided(null, { change: "appliedSet", applied }))
    return { query: "set=one" }
  },
  adminListSettings: nothing,
  adminGetSetting: () => ({ path: { key: "token.access_seconds" } }),
  adminSetSetting: () => ({ path: { key: "token.access_seconds" }, body: { value: "3600" } }),
  adminUnsetSetting: () => ({ path: { key: "token.access_seconds" } }),
  adminGetAppearance: nothing,
  adminUpdateAppearance: () => ({ body: { name: "Acme", color: null } }),
  adminSetLogo: () => picture,
  adminRemoveLogo: nothing,
  adminSetDarkLogo: () => picture,
  adminRemoveDarkLogo: nothing,
  adminListEvents: () => ({ query: "kind=signed-in,consented&since=1" }),
  adminGetOverview: () => ({ query: "period=day" }),
  adminListWorstApps: nothing,
  describe: nothing,
}

type Asked = { readonly id: string; readonly method: string; readonly path: string }

/** Returns a correct request to `operation`. */
export async function requestFor(world: World, { id, method, path }: Asked): Promise<Sent> {
  const make = requests[id]
  assert.ok(make !== undefined, `no request for ${id}`)
  const { path: filling = {}, query, ...sent } = await make(world)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => filling[name] ?? `no-${name}`)
  return { method, path: query === undefined ? filled : `${filled}?${query}`, ...sent }
}
