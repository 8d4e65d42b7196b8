import { test } from "node:test"
import assert from "node:assert/strict"
import type { Bearer } from "../../../src/oauth/credential/bearer.rules.ts"
import { knownResources } from "../../../src/model/known-resources.rules.ts"
import type { SignInProvider } from "../../../src/model/sign-in/provider.rules.ts"
import type { Identity } from "../../../src/model/sign-in/identity.rules.ts"
import {
  applicationUsers,
  introspection,
  mayBeLinked,
} from "../../../src/oauth/credential/introspection.rules.ts"
import { providerAt } from "../../support/oidc.ts"
import { Product } from "../../support/product.ts"
import {
  account,
  CLIENT_ID,
  consent,
  credential,
  firstFamily,
  lives,
  NOW,
  permissions,
  publicClient,
  TOKEN_ID,
  USER_ID,
} from "../../support/core-sample.ts"

const issuer = "https://login.example"
const bearer: Bearer = {
  credential: credential(lives.active),
  client: publicClient,
  account,
  accessToken: firstFamily.accessTokens[0] ?? assert.fail(),
  reach: permissions("files:read workers:read"),
  elevatedUntil: null,
}
const always = {
  active: true,
  scope: "files:read workers:read",
  client_id: CLIENT_ID,
  username: "Ada",
  account_type: "person",
  groups: [],
  token_type: "Bearer",
  exp: NOW + 3600,
  iat: NOW,
  sub: USER_ID,
  iss: issuer,
  token_id: TOKEN_ID,
}

test("INTRO-1 a live token: what it reaches, for whom, and until when; nothing without a value", () => {
  assert.deepEqual(introspection(bearer, issuer), always)
})

test("INTRO-1 with an audience and an elevation where there are such", () => {
  const resources = ["https://api.example/"]
  const bound = { ...bearer.credential, consent: { ...consent, resources } }
  const elevated = { ...bearer, credential: bound, elevatedUntil: NOW + 900 }
  assert.deepEqual(introspection(elevated, issuer), { ...always, aud: resources, elevated_until: NOW + 900 })
})

test("INTRO-1, RES-1 an audience that was stored in another spelling has that of the file", () => {
  const resources = ["https://API.example", "https://gone.example"]
  const bound = { ...bearer.credential, consent: { ...consent, resources } }
  const { spellingOf } = knownResources(
    new Map([["https://api.example/", { name: "API", jwt: null }]]),
    issuer,
  )
  const answer = introspection({ ...bearer, credential: bound }, issuer, spellingOf)
  assert.deepEqual(answer, { ...always, aud: ["https://api.example/", "https://gone.example"] })
})

test("INTRO-1 a token that reaches nothing is live all the same", () => {
  assert.deepEqual(introspection({ ...bearer, reach: [] }, issuer), { ...always, scope: "" })
})

test("GROUP-8 the groups of the account, sorted as they are stored", () => {
  const groups = ["billing", "staff:on-call"]
  const answer = introspection({ ...bearer, account: { ...account, groups } }, issuer)
  assert.deepEqual(answer, { ...always, groups })
})

test("INTRO-2 anything else is inactive, and nothing more is said", () => {
  assert.deepEqual(introspection(null, issuer), { active: false })
})

test("LOGIN-30 the users of applications are one more member, which is missing without any", () => {
  const identities = [{ provider: "shop", subject: "42" }]
  assert.deepEqual(introspection(bearer, issuer, undefined, identities), { ...always, identities })
  assert.deepEqual(introspection(bearer, issuer, undefined, []), always)
})

const application = (name: string) => new Product(() => NOW, name).provider()
const providersOf = (...all: SignInProvider[]) => new Map(all.map((one) => [one.name, one]))
const corp = providerAt("https://id.example")

test("LOGIN-30 only people, and only while the configuration has an application, are its users", () => {
  const providers = providersOf(corp, application("shop"))
  assert.equal(mayBeLinked({ type: "person" }, providers), true)
  assert.equal(mayBeLinked({ type: "service" }, providers), false)
  assert.equal(mayBeLinked({ type: "person" }, providersOf(corp)), false)
  assert.equal(mayBeLinked({ type: "person" }, new Map()), false)
})

test("LOGIN-30 every user of every application is named, sorted by application, then by time of the link", () => {
  const providers = providersOf(application("shop"), corp, application("blog"))
  const link = (of: string, subject: string, linkedAt = 0) =>
    ({ issuer: of, provider: of, subject, linkedAt }) as Identity
  const found = (...identities: Identity[]) => applicationUsers(providers, identities)
  const foreign = [link("https://id.example", "1"), link("crm", "2")]
  assert.deepEqual(found(), [])
  assert.deepEqual(found(...foreign), [])
  // An earlier provider of the same name was another one.
  assert.deepEqual(found({ ...link("https://old.example", "3"), provider: "shop" }), [])
  const [shop, blog] = [
    ["4", "5", "0"].map((subject) => ({ provider: "shop", subject })),
    [{ provider: "blog", subject: "6" }],
  ]
  assert.deepEqual(found(...foreign, link("shop", "4", 9)), shop.slice(0, 1))
  const links = [link("shop", "0", 10), link("shop", "5", 9), link("shop", "4", 9)]
  assert.deepEqual(found(...links), shop)
  const both = [...blog, ...shop]
  assert.deepEqual(found(...links, ...foreign, link("blog", "6", 11)), both)
  assert.deepEqual(found(link("blog", "6", 11), ...links.toReversed()), both)
})
