import { test } from "node:test"
import assert from "node:assert/strict"
import { defaultOpenid } from "../../src/model/clients/openid-members.rules.ts"
import type { TokenId, UserId } from "../../src/kernel/ids.ts"
import { defaultSwitches } from "../../src/model/clients/app-switches.rules.ts"
import { clientAfter, parseAppRegistration } from "../../src/apps/own-app.rules.ts"
import { confidentialClient, permissions, publicClient, sampleCatalog } from "../support/core-sample.ts"

const OWNER = { openSchemes: ["cursor"] }

const asked = {
  type: "public",
  name: "Notes",
  redirectUris: ["http://127.0.0.1/callback"],
  permissions: ["files:read"],
} as const

const mine = { ...publicClient, verified: true, registeredBy: "user" } as const

function updated(update: Parameters<typeof clientAfter>[2], client = mine) {
  const outcome = clientAfter(sampleCatalog, client, update, OWNER)
  assert.ok(outcome.ok, outcome.ok ? "" : outcome.error)
  return outcome.value
}

function problemOf(update: Parameters<typeof clientAfter>[2]): string {
  const outcome = clientAfter(sampleCatalog, mine, update, OWNER)
  return outcome.ok ? "" : outcome.error
}

test("SVC-8, CLIENT-8: what a user registers is unverified and no resource server; step-up is the user's to allow", () => {
  const { permissions: names, ...rest } = asked
  const off = { verified: false, stepUp: false, resourceServer: false, endsWithSession: false }
  const facts = {
    ...rest,
    keys: null,
    ceiling: names,
    groups: [],
    ...defaultSwitches,
    ...defaultOpenid,
    ...off,
    deviceFlow: true,
  }
  assert.deepEqual(parseAppRegistration(sampleCatalog, asked, OWNER), { ok: true, value: facts })
  const forged = { ...asked, stepUp: true, verified: true, resourceServer: true, endsWithSession: true }
  assert.deepEqual(parseAppRegistration(sampleCatalog, forged, OWNER), {
    ok: true,
    value: { ...facts, stepUp: true },
  })
})

test("KEY-2 an owner registers and changes keys, but no address of keys; an administrator both", () => {
  const keys = { jwks: '{"keys":[]}', jwksUri: null, algorithm: null, workload: null }
  const fetched = { ...keys, jwks: null, jwksUri: "https://app.example/keys" }
  const confidential = { ...asked, type: "confidential" } as const
  const registered = (one: typeof keys | typeof fetched, owner: typeof OWNER | null) =>
    parseAppRegistration(sampleCatalog, { ...confidential, keys: one }, owner)
  assert.ok(registered(keys, OWNER).ok)
  assert.match(JSON.stringify(registered(fetched, OWNER)), /Only an administrator/)
  assert.ok(registered(fetched, null).ok)
  assert.match(JSON.stringify(parseAppRegistration(sampleCatalog, { ...asked, keys }, OWNER)), /public app/)
  const secret = { ...mine, ...confidentialClient, registeredBy: "user" } as const
  const changed = clientAfter(sampleCatalog, secret, { keys }, OWNER)
  assert.ok(changed.ok)
  assert.deepEqual([changed.value.keys, changed.value.secretHash], [keys, null])
  assert.equal(clientAfter(sampleCatalog, secret, { keys: fetched }, OWNER).ok, false)
  assert.match(problemOf({ keys }), /public app/)
  // A redirect URI that an administrator registered stays when the owner changes something else.
  const theirs = { ...secret, secretHash: null, keys: fetched } as const
  const renamed = clientAfter(sampleCatalog, theirs, { name: "Other" }, OWNER)
  assert.deepEqual(renamed.ok && renamed.value.keys, fetched)
})

test("SVC-8, PERM-2: administration is not a user's to ask for", () => {
  const outcome = parseAppRegistration(
    sampleCatalog,
    { ...asked, permissions: ["files:read", "admin:events"] },
    OWNER,
  )
  assert.match(outcome.ok ? "" : outcome.error, /^Only an administrator .* admin:events\.$/)
})

test("SVC-8, CLIENT-4: a word of look-alike letters is no name of a user's app", () => {
  for (const name of ["P\u0430ypal", "\u0391pple notes", "G\u03bf\u043egle"]) {
    const outcome = parseAppRegistration(sampleCatalog, { ...asked, name }, OWNER)
    assert.match(outcome.ok ? "" : outcome.error, /look alike/, name)
    assert.match(problemOf({ name }), /look alike/, name)
  }
  for (const name of ["Заметки", "Σημειώσεις", "ノート Notes", "Моя App", "Café №1"])
    assert.ok(parseAppRegistration(sampleCatalog, { ...asked, name }, OWNER).ok, name)
})

test("CLIENT-7: an admin permission stays while its owner changes other things, and is not given back", () => {
  assert.deepEqual(updated({ addPermissions: ["files:write"] }).ceiling, [
    "account:read",
    "admin:events",
    "files:read",
    "files:write",
  ])
  assert.deepEqual(updated({ permissions: ["admin:events"] }).ceiling, ["admin:events"])
  assert.match(problemOf({ addPermissions: ["admin:settings"] }), /^Only an administrator/)
  const without = updated({ removePermissions: ["admin:events"] })
  const again = clientAfter(sampleCatalog, without, { permissions: permissions("admin:events") }, OWNER)
  assert.match(again.ok ? "" : again.error, /^Only an administrator/)
})

test("CLIENT-8: a new name or a new address is not what was verified; anything else is", () => {
  assert.equal(updated({ name: "Sample 2" }).verified, false)
  assert.equal(updated({ addRedirectUris: ["https://elsewhere.example/"] }).verified, false)
  assert.equal(updated({ redirectUris: ["https://elsewhere.example/"] }).verified, false)
  for (const update of [
    {},
    { name: mine.name },
    { redirectUris: [] },
    { addPermissions: ["files:write"] },
    { stepUp: true },
  ])
    assert.equal(updated(update).verified, true, JSON.stringify(update))
  assert.equal(updated({ name: "Sample 2" }, { ...mine, verified: false } as never).verified, false)
})

test("OIDC-10: what administrators set for OpenID Connect stays as it is with an owner's change", () => {
  const uris = ["https://a.example/"]
  const after = updated({ idTokenAlgorithm: "ES256", postLogoutRedirectUris: uris, rememberConsent: true })
  assert.deepEqual(
    [after.idTokenAlgorithm, after.postLogoutRedirectUris, after.rememberConsent],
    ["RS256", [], false],
  )
  const made = parseAppRegistration(
    sampleCatalog,
    { ...asked, idTokenAlgorithm: "ES256", postLogoutRedirectUris: uris, rememberConsent: true },
    OWNER,
  )
  assert.ok(made.ok)
  assert.deepEqual(
    [made.value.idTokenAlgorithm, made.value.postLogoutRedirectUris, made.value.rememberConsent],
    ["RS256", [], false],
  )
})

test("OIDC-10: an app that registered itself or has a document never remembers consent", () => {
  for (const registeredBy of ["administrator", "user", "itself", "document"] as const) {
    const outcome = clientAfter(sampleCatalog, { ...mine, registeredBy }, { rememberConsent: true }, null)
    assert.equal(outcome.ok, registeredBy === "administrator" || registeredBy === "user", registeredBy)
  }
})

test("CLIENT-6: a whole list takes the place of the one before", () => {
  assert.deepEqual(updated({ redirectUris: ["https://a.example/", "https://a.example/"] }).redirectUris, [
    "https://a.example/",
  ])
  assert.match(problemOf({ redirectUris: ["https://a.example/#"] }), /cannot be registered/)
  assert.match(problemOf({ permissions: ["no:such"] }), /no permission "no:such"/)
})

test("REDIR-5, SVC-8: a user's app may have a scheme with a period or one that the operator names", () => {
  const withAddress = (uri: string) =>
    parseAppRegistration(sampleCatalog, { ...asked, redirectUris: [uri] }, OWNER)
  for (const uri of ["com.example.app:/cb", "cursor://x/y"]) assert.ok(withAddress(uri).ok, uri)
  const refused = withAddress("app:/cb")
  assert.match(
    refused.ok ? "" : refused.error,
    /"app:\/cb" cannot be registered: The scheme app: has no period/,
  )
  assert.match(problemOf({ addRedirectUris: ["app:/cb"] }), /has no period/)
  assert.deepEqual(updated({ redirectUris: ["cursor://x/y"] }).redirectUris, ["cursor://x/y"])
})

test("SERVICE-2 the owner of a bound app only takes permissions away, an administrator does both", () => {
  const binding = { userId: "ci" as UserId, tokenId: "token" as TokenId }
  const bound = { ...confidentialClient, ceiling: permissions("files:write"), binding } as const
  const after = (update: Parameters<typeof clientAfter>[2], owner: typeof OWNER | null = OWNER) => {
    const outcome = clientAfter(sampleCatalog, bound, update, owner)
    return outcome.ok ? outcome.value.ceiling.join(" ") : outcome.error
  }
  const refused = "The app acts for a service account. Only an administrator can let it ask for account:read."
  assert.equal(after({ addPermissions: ["account:read"] }), refused)
  assert.equal(after({ permissions: ["files:write", "account:read"] }), refused)
  assert.equal(after({ permissions: ["account:read"] }), refused, "in place of another one")
  assert.equal(after({ permissions: ["files:read"] }), "files:read", "what the app reaches already")
  assert.equal(after({ removePermissions: ["files:write"] }), "")
  assert.equal(after({ name: "Renamed" }), "files:write")
  assert.equal(after({ addPermissions: ["account:read"] }, null), "account:read files:write")
  const unbound = clientAfter(
    sampleCatalog,
    { ...bound, binding: null },
    { addPermissions: ["account:read"] },
    OWNER,
  )
  assert.equal(unbound.ok, true)
})

test("GROUP-17 an owner neither sets nor loses the groups of an app; an administrator sets both", () => {
  const bound = { ...mine, groups: ["sales"] }
  for (const update of [
    { groups: [] },
    { groups: ["b"] },
    { addGroups: ["b"] },
    { removeGroups: ["sales"] },
    { name: "Other" },
  ])
    assert.deepEqual(updated(update, bound).groups, ["sales"])
  const groupsOf = (owner: typeof OWNER | null) => {
    const parsed = parseAppRegistration(sampleCatalog, { ...asked, groups: ["b", "a"] }, owner)
    return parsed.ok && parsed.value.groups
  }
  assert.deepEqual([groupsOf(OWNER), groupsOf(null)], [[], ["a", "b"]])
  const after = clientAfter(sampleCatalog, bound, { addGroups: ["b"], removeGroups: ["sales"] }, null)
  assert.deepEqual(after.ok && after.value.groups, ["b"])
})

test("OIDC-17 a new name or address of the owner ends the remembered consent that an administrator allowed", () => {
  const allowed = { ...mine, rememberConsent: true }
  assert.equal(updated({ permissions: ["files:read"] }, allowed).rememberConsent, true)
  assert.equal(updated({ name: "Payroll" }, allowed).rememberConsent, false)
  assert.equal(updated({ addRedirectUris: ["https://evil.example/cb"] }, allowed).rememberConsent, false)
})
