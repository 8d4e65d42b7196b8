/** Compares every operation of the API and every form of the pages with the elevation table, for each effect. */
import assert from "node:assert/strict"
import { decided } from "../../src/model/change.rules.ts"
import { describe, test } from "node:test"
import {
  type ApiEffect,
  type ApiOperation,
  apiOperations,
  type Effect,
  type FormEffect,
  type FormPath,
  needsRecentFactor,
  pageForms,
} from "../../src/accounts/elevation.rules.ts"
import { FRESH_PROOF_SECONDS } from "../../src/kernel/account-limits.ts"
import { KEYS_EXAMPLE } from "../../src/admin/apps/app-record.ts"
import { operations } from "../../src/admin/operations.ts"
import { loadAllRoutes } from "../support/routes.ts"
import { addApp } from "../../src/apps/add-app.ts"
import { type Browser, hiddenFields } from "../support/browser.ts"
import { connect, signedInBrowser } from "../support/connect.ts"
import { denyDocument, pinDocument } from "../../src/oauth/documents/document.ts"
import { fixture } from "../support/fixture.ts"
import { PASSWORD, type TestServer, OPERATOR } from "../support/test-server.ts"
import { requestFor } from "../admin/api/api-requests.ts"
import { ask, assertError, openWorld, type Sent, type World } from "../admin/api/api-world.ts"
import { grant } from "../support/grant.ts"

const world = await openWorld()
const { testServer: pageServer } = await fixture({ rateLimit: "off", admins: ["ada"] })

test("ELEV-1: the table has every operation of the API that changes something, and the one that lists invitations", () => {
  const isListed = ({ method, id }: (typeof operations)[number]) =>
    method !== "GET" || id === "adminListInvitations"
  const changing = operations.filter(isListed).map(({ id }) => id)
  assert.deepEqual(Object.keys(apiOperations).toSorted(), changing.toSorted())
})

test("ELEV-1: the table has every form of the account pages and of the console, and no other", async () => {
  const posted = (await loadAllRoutes()).filter(
    ({ path, post }) => /^\/(?:account|console)\b/.test(path) && post,
  )
  const paths = posted.map(({ path }) => path).filter((path) => path !== "/console/*")
  assert.deepEqual(Object.keys(pageForms).toSorted(), paths.toSorted())
})

type Asked = { readonly sent: Sent; readonly token: string }
/** A request that has the effect. The operation accepts `base`, which can have all of its effects. */
type ApiCase = (world: World, base: Sent) => Partial<Sent> | Promise<Partial<Sent> & { token?: string }>

const asItIs: ApiCase = () => ({})
const body =
  (members: Readonly<Record<string, unknown>>): ApiCase =>
  () => ({ body: members })
let made = 0
const fresh = (what: string) => `${what}-${++made}`
const plainApp = { client_type: "confidential", client_name: "New", scope: "account:read" }

const newcomer: ApiCase = () => ({ body: { username: fresh("new"), password: PASSWORD } })
const itself: ApiCase = async ({ testServer, browser, app }, { path }) => {
  const { token_id, access_token } = await grant(testServer, browser, app, {
    scope: "credentials:write admin:credentials",
  })
  return { path: path.replace(/[^/]+$/, token_id), token: access_token }
}
const administrator: ApiCase = async ({ testServer }) => ({
  path: `/api/admin/accounts/${await testServer.addAccount(fresh("chief"), true)}`,
  body: { admin: false },
})
const revocation = { "credential.revoke-itself": itself, "credential.revoke": asItIs }
const change = {
  "app.change": body({ client_name: "Other", scope: "account:read", step_up: true }),
  "app.enable": body({ enabled: true }),
  "app.disable": body({ enabled: false }),
  "app.change-keys": body({ jwks: KEYS_EXAMPLE }),
}

const apiCases: { readonly [O in ApiOperation]: { readonly [E in ApiEffect<O>]: ApiCase } } = {
  updateAccount: { "account.rename": asItIs },
  endSession: { "browser.sign-out": asItIs },
  removeFactor: { "factor.remove": asItIs },
  revokeCredential: revocation,
  registerApp: { "app.register": asItIs },
  updateApp: change,
  removeApp: { "app.remove": asItIs },
  rotateSecret: { "app.make-secret": asItIs },
  setIcon: { "app.change-icon": asItIs },
  removeIcon: { "app.change-icon": asItIs },
  adminAddAccount: { "account.add": newcomer, "account.grant-administration": asItIs },
  adminUpdateAccount: {
    "account.rename": () => ({ body: { username: fresh("other") } }),
    "account.enable": body({ enabled: true, admin: false }),
    "account.disable": body({ enabled: false }),
    "account.grant-administration": body({ admin: true }),
    "account.withdraw-administration": administrator,
  },
  adminRemoveAccount: { "account.remove": asItIs },
  adminSetPassword: { "account.set-password": asItIs },
  adminResetFactors: { "factor.remove": asItIs },
  adminListInvitations: { "invitation.list": asItIs },
  adminInvite: { "account.invite": asItIs },
  adminRevokeInvitation: { "invitation.revoke": asItIs },
  adminAddGroup: { "group.change": asItIs },
  adminUpdateGroup: { "group.change": asItIs },
  adminRemoveGroup: { "group.change": asItIs },
  adminJoinGroup: { "group.change": asItIs },
  adminLeaveGroup: { "group.change": asItIs },
  adminRegisterApp: {
    "app.register": body({
      ...plainApp,
      verified: false,
      resource_server: false,
      owner: null,
      step_up: true,
    }),
    "app.change-owner": body({ ...plainApp, owner: "ada" }),
    "app.verify": body({ ...plainApp, verified: true }),
    "app.mark-resource-server": body({ ...plainApp, resource_server: true }),
    "app.allow-administration": body({ ...plainApp, scope: "account:read admin:apps" }),
    "app.bind-service-account": body({ ...plainApp, service_account: "ci" }),
    "app.change-groups": body({ ...plainApp, groups: ["staff"] }),
    "app.remember-consent": body({ ...plainApp, remember_consent: true }),
  },
  adminUpdateApp: {
    ...change,
    "app.change": body({
      ...plainApp,
      client_type: undefined,
      owner: "root",
      verified: false,
      step_up: true,
    }),
    "app.change-owner": body({ owner: null }),
    "app.verify": body({ verified: true }),
    "app.mark-resource-server": body({ resource_server: true }),
    "app.allow-administration": body({ scope: "account:read admin:events" }),
    "app.bind-service-account": body({ service_account: "ci" }),
    "app.change-groups": body({ groups: ["staff"] }),
    "app.remember-consent": body({ remember_consent: true }),
  },
  adminRemoveApp: { "app.remove": asItIs },
  adminRotateSecret: { "app.make-secret": asItIs },
  adminSetIcon: { "app.change-icon": asItIs },
  adminRemoveIcon: { "app.change-icon": asItIs },
  adminPinDocument: { "app.change-keys": asItIs },
  adminRefreshDocument: { "app.change": asItIs },
  adminUnpinDocument: { "app.change": asItIs },
  adminDenyDocument: { "app.disable": asItIs },
  adminAllowDocument: { "app.change-keys": asItIs },
  adminRevokeCredential: revocation,
  adminSetSetting: { "setting.change": asItIs },
  adminUnsetSetting: { "setting.change": asItIs },
  adminUpdateAppearance: { "setting.change": asItIs },
  adminSetLogo: { "setting.change": asItIs },
  adminRemoveLogo: { "setting.change": asItIs },
  adminSetDarkLogo: { "setting.change": asItIs },
  adminRemoveDarkLogo: { "setting.change": asItIs },
}

describe("ELEV-1, AUTH-9, ERR-14: the API asks for a recent factor where the table says so", () => {
  async function asked(id: string, apiCase: ApiCase): Promise<Asked> {
    const operation = operations.find((one) => one.id === id)
    assert.ok(operation !== undefined)
    const base = await requestFor(world, operation)
    const { token = world.plain.access_token, ...more }: Partial<Sent> & { token?: string } = await apiCase(
      world,
      base,
    )
    return { sent: { ...base, ...more }, token }
  }

  for (const [id, cases] of Object.entries(apiCases))
    for (const [effect, apiCase] of Object.entries<ApiCase>(cases))
      test(`${id}: ${effect}`, async () => {
        const { sent, token } = await asked(id, apiCase)
        const answer = await ask(world.testServer, token, sent)
        if (needsRecentFactor([effect as Effect])) assertError(answer, 400, "FAILED_PRECONDITION")
        else assert.ok(answer.status < 300, JSON.stringify(answer.body))
      })

  test("what an app has already is not given again, and what it has is taken without", async () => {
    const { testServer, full, plain } = world
    const registered = await ask(testServer, full.access_token, {
      method: "POST",
      path: "/api/admin/apps",
      body: { ...plainApp, scope: "admin:apps", verified: true, resource_server: true, owner: "ada" },
    })
    const path = `/api/admin/apps/${String(registered.body["client_id"])}`
    const patch = async (members: unknown) =>
      (await ask(testServer, plain.access_token, { method: "PATCH", path, body: members })).status
    const same = { scope: "admin:apps", verified: true, resource_server: true, owner: "ada" }
    assert.equal(await patch({ ...same, client_name: "Renamed" }), 200)
    assert.equal(await patch({ scope: "", verified: false, resource_server: false }), 200)
    for (const member of [{ scope: "admin:apps" }, { verified: true }, { resource_server: true }])
      assert.equal(await patch({ client_name: "Refused", ...member }), 400, JSON.stringify(member))
    assert.equal(
      (await ask(testServer, plain.access_token, { method: "GET", path })).body["client_name"],
      "Renamed",
    )
  })
})

type Fields = Readonly<Record<string, string | readonly string[]>>
type FormCase = (testServer: TestServer) => Fields | Promise<Fields>

const PLAIN_APP = { name: "Plain", type: "confidential", redirect_uris: "https://plain.example/" }

/** Adds an app of "ada", or an app without an owner. */
async function appOf(testServer: TestServer, ownerName: string | null): Promise<string> {
  const { redirect_uris, ...app } = PLAIN_APP
  const added = await addApp(
    testServer.latchkey,
    {
      ...{ ...app, type: "confidential", redirectUris: [redirect_uris], permissions: ["account:read"] },
      ...{ verified: false, stepUp: false, resourceServer: false, ownerName },
    },
    OPERATOR,
  )
  assert.ok(added.ok)
  return added.value.client.clientId
}

const ofOwnApp: FormCase = async (testServer) => ({ ...PLAIN_APP, id: await appOf(testServer, "ada") })
const onApp =
  (fields: Fields): FormCase =>
  async (testServer) => ({ ...fields, id: await appOf(testServer, null) })
const onAccount =
  (fields: Fields, admin = false): FormCase =>
  async (testServer) => ({ ...fields, id: await testServer.addAccount(fresh("user"), admin) })
const newAccount: FormCase = () => ({ username: fresh("new"), password: PASSWORD })
const credential: FormCase = async (testServer) => {
  const held = await connect(testServer, await testServer.addApp(), "ada")
  return { id: held.token_id, token_id: held.token_id }
}
const powers = (base: Fields, on: (fields: Fields) => FormCase) => ({
  "app.change-owner": on({ ...base, owner: "ada" }),
  "app.verify": on({ ...base, verified: "on" }),
  "app.mark-resource-server": on({ ...base, resource_server: "on" }),
  "app.allow-administration": on({ ...base, permission: ["account:read", "admin:apps"] }),
  "app.bind-service-account": on({ ...base, service_account: "ci" }),
  "app.change-groups": on({ ...base, groups: "staff" }),
  "app.remember-consent": on({ ...base, remember_consent: "on" }),
})
const withFields =
  (fields: Fields): FormCase =>
  () =>
    fields

const DOCUMENT_URL = "https://app.example/client.json"

async function withDocument({ latchkey }: TestServer): Promise<Record<string, string>> {
  const document = { client_id: DOCUMENT_URL, redirect_uris: ["https://app.example/callback"] }
  const services = { ...latchkey, current: () => latchkey.settings.current() }
  const by = { address: null, actorId: null }
  await pinDocument(services, DOCUMENT_URL, JSON.stringify(document), by)
  assert.ok((await denyDocument(latchkey, DOCUMENT_URL, by)).ok)
  return { id: DOCUMENT_URL, do: "document-allow" }
}

/** The form of a group, which is made first. */
const onGroup =
  (fields: Readonly<Record<string, string>> & { readonly name: string }) =>
  async (testServer: TestServer) => {
    const group = { name: fields.name, title: null, createdAt: 0 }
    await testServer.store.change({}, () => decided(null, { change: "groupSet", group }))
    return fields
  }

const formCases: { readonly [P in FormPath]: { readonly [E in FormEffect<P>]: FormCase } } = {
  "/account/end-access": { "credential.revoke": credential },
  "/account/ask-again": { "consent.end-remembered": withFields({ app: "none" }) },
  "/account/allow-again": { "organization.allow": withFields({ app: "none" }) },
  "/account/apps/new": { "app.register": withFields(PLAIN_APP) },
  "/account/apps/edit": {
    "app.change": ofOwnApp,
    "app.change-keys": async (testServer) => ({
      ...(await ofOwnApp(testServer)),
      jwks: JSON.stringify(KEYS_EXAMPLE),
    }),
  },
  "/account/apps/secret": { "app.make-secret": ofOwnApp },
  "/account/apps/disable": { "app.disable": ofOwnApp },
  "/account/apps/enable": { "app.enable": ofOwnApp },
  "/account/apps/remove": { "app.remove": ofOwnApp },
  "/account/apps/icon": { "app.change-icon": ofOwnApp },
  "/account/apps/icon/remove": { "app.change-icon": ofOwnApp },
  "/account/email": { "account.set-email": withFields({ address: "ada@example.org" }) },
  "/account/prove": {},
  "/account/prove/with": {},
  "/account/security/browsers": { "browser.sign-out": withFields({ others: "yes" }) },
  "/account/security/rename": { "factor.rename": withFields({ id: "none", name: "Other" }) },
  "/account/security/remove": { "factor.remove": withFields({ id: "none" }) },
  "/account/security/totp": { "factor.add": withFields({ code: "000000" }) },
  "/account/security/passkey": { "factor.add": withFields({ name: "Key" }) },
  "/account/security/recovery": { "factor.make-recovery-codes": withFields({}) },
  "/account/security/connect": { "identity.link": withFields({ provider: "corp" }) },
  "/account/security/disconnect": { "identity.unlink": withFields({ id: "none" }) },
  "/account/security/password": { "account.set-password": withFields({ password: PASSWORD }) },
  "/console/account/new": {
    "account.add": newAccount,
    "account.grant-administration": async (testServer) => ({
      ...(await newAccount(testServer)),
      admin: "on",
    }),
  },
  "/console/account/rename": {
    "account.rename": async (testServer) => onAccount({ username: fresh("other") })(testServer),
  },
  "/console/account/password": { "account.set-password": onAccount({ password: PASSWORD }) },
  "/console/account/act": {
    "account.enable": onAccount({ do: "enable" }),
    "account.disable": onAccount({ do: "disable" }),
    "account.remove": onAccount({ do: "remove" }),
    "account.grant-administration": onAccount({ do: "grant" }),
    "account.withdraw-administration": onAccount({ do: "withdraw" }, true),
    "account.unlock": onAccount({ do: "unlock" }),
    "factor.remove": onAccount({ do: "factors" }),
  },
  "/console/invitation/new": { "account.invite": withFields({ days: "7" }) },
  "/console/invitation/revoke": { "invitation.revoke": withFields({ id: "none" }) },
  "/console/account/groups": { "group.change": onAccount({}) },
  "/console/group": { "group.change": onGroup({ name: "staff", title: "Staff" }) },
  "/console/group/new": { "group.change": withFields({ name: "staff" }) },
  "/console/group/remove": { "group.change": onGroup({ name: "staff" }) },
  "/console/app/new": { "app.register": withFields(PLAIN_APP), ...powers(PLAIN_APP, withFields) },
  "/console/app/edit": {
    "app.change": onApp({ ...PLAIN_APP, name: "Other", step_up: "on", permission: "account:read" }),
    "app.change-keys": onApp({
      ...PLAIN_APP,
      permission: "account:read",
      jwks_uri: "https://plain.example/keys",
    }),
    ...powers({ ...PLAIN_APP, permission: "account:read" }, onApp),
  },
  "/console/app/icon": { "app.change-icon": onApp({}) },
  "/console/app/act": {
    "app.change": onApp({ do: "allow-step-up" }),
    "app.change-keys": withDocument,
    "app.enable": onApp({ do: "enable" }),
    "app.disable": onApp({ do: "disable" }),
    "app.remove": onApp({ do: "remove" }),
    "app.make-secret": onApp({ do: "secret" }),
  },
  "/console/credential/revoke": { "credential.revoke": credential },
  "/console/providers": { "provider.check": withFields({ name: "none" }) },
  "/console/appearance": { "setting.change": withFields({ name: "Orchard" }) },
  "/console/appearance/logo": { "setting.change": withFields({}) },
  "/console/setting": { "setting.change": withFields({ key: "registration.open", value: "on" }) },
}

describe("ELEV-1, FACTOR-8: the pages ask for a recent factor where the table says so", () => {
  const events = async () => (await pageServer.store.events({}, { limit: 1_000 })).length
  const asks = (text: string) => text.includes("Confirm that it’s you")
  const csrfOf = async (browser: Browser) => hiddenFields((await browser.get("/account")).text, "/sign-out")

  for (const [path, cases] of Object.entries(formCases))
    for (const [effect, formCase] of Object.entries<FormCase>(cases))
      test(`${path}: ${effect}`, async () => {
        const ada = await signedInBrowser(pageServer, "ada")
        const fields = await formCase(pageServer)
        pageServer.clock.advance(FRESH_PROOF_SECONDS + 1)
        const count = await events()
        const sent = { ...fields, csrf: (await csrfOf(ada))["csrf"] ?? "" }
        const isPicture = /\/(?:icon|logo)$/.test(path)
        const answer = isPicture
          ? await ada.postFile(path, sent as Record<string, string>, "icon", null)
          : await ada.post(path, sent)
        assert.notEqual(answer.status, 403, answer.text)
        assert.equal(asks(answer.text), needsRecentFactor([effect as Effect]))
        if (!asks(answer.text)) return
        assert.equal(await events(), count, "nothing was done yet")
        // A file is chosen again after the factor.
        const action = isPicture ? "/account/prove" : path
        const wrong = await ada.submit(answer, action, { password: "not the password" })
        assert.deepEqual([wrong.status, asks(wrong.text)], [403, true])
        const proven = await ada.submit(wrong, action, { password: PASSWORD })
        assert.ok(
          proven.status < 300 || proven.status === 303 || proven.status === 400,
          String(proven.status),
        )
        assert.equal(asks(proven.text), false, "it goes on")
      })
})
