import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { CREDENTIAL_SECONDS, REMEMBERED_CONSENTS_AT_MOST } from "../../../src/kernel/limits.ts"
import type { MatchedRedirectUri, Permission } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import type { Client } from "../../../src/model/clients/client.rules.ts"
import type { RememberedConsent } from "../../../src/model/credential.rules.ts"
import { openidCatalog } from "../../../src/model/permissions/openid-permissions.rules.ts"
import type { AuthorizationRequest } from "../../../src/oauth/authorize/authorization-request.rules.ts"
import {
  findRemembered,
  isCoveredBy,
  isRememberable,
  remember,
  toRemember,
} from "../../../src/oauth/authorize/remembered.rules.ts"
import { sampleCatalog } from "../../support/core-sample.ts"
import { client, consent, id, NOW } from "../../store/samples.ts"

const catalog = openidCatalog(sampleCatalog) ?? assert.fail()
const names = (text: string) => text.split(" ").filter((name) => name !== "") as Permission[]
const app = client(0, { rememberConsent: true })

type Differing = Omit<Partial<AuthorizationRequest>, "redirectUri"> & { readonly redirectUri?: string }

function asking({
  redirectUri = "https://app.example/callback",
  ...differing
}: Differing = {}): AuthorizationRequest {
  return {
    clientId: app.clientId,
    redirectUri: redirectUri as MatchedRedirectUri,
    state: "s",
    codeChallenge: "c",
    scope: names("openid files:read"),
    asked: names("openid files:read"),
    resources: [],
    installationName: null,
    ...differing,
  }
}

describe("OIDC-16 a consent is remembered", () => {
  const is = (differing: Differing, of: Partial<Client> = {}, on = catalog) =>
    isRememberable(on, { ...app, ...of }, asking(differing))

  test("of an app that a person registered, at an https origin, in a request that names openid", () => {
    assert.ok(is({}))
    assert.ok(is({}, { registeredBy: "user" }))
    assert.ok(is({ redirectUri: "https://localhost.example/" }))
    for (const type of ["public", "confidential"] as const) assert.ok(is({}, { type }))
  })

  test("never without the switch, of a document or of a registration by the app itself", () => {
    assert.ok(!is({}, { rememberConsent: false }))
    for (const registeredBy of ["itself", "document"] as const) assert.ok(!is({}, { registeredBy }))
  })

  test("never at an address that another program can take", () => {
    for (const redirectUri of [
      "http://127.0.0.1/callback",
      "http://localhost:8080/callback",
      "https://127.0.0.1/callback",
      "https://localhost:8443/callback",
      "com.example.app:/callback",
      "com.example.app://host/callback",
    ])
      assert.ok(!is({ redirectUri }), redirectUri)
  })

  test("never without openid in scope, beyond the ceiling, or from the operator's file", () => {
    assert.ok(!is({ scope: names("files:read") }))
    const { scope: _, ...omitted } = asking()
    assert.ok(!isRememberable(catalog, app, omitted))
    assert.ok(!is({ asked: names("files:read") }))
    assert.ok(!is({}, {}, sampleCatalog))
  })

  test("never with a permission of administration, however it is reached", () => {
    assert.ok(!is({ asked: names("openid admin:events") }))
    assert.ok(!is({ asked: names("openid admin:settings files:read") }))
  })
})

const given = { id: id<RememberedConsent["id"]>("r"), userId: id<RememberedConsent["userId"]>("a") }

function row(differing: Partial<RememberedConsent> = {}): RememberedConsent {
  const request = asking()
  return { ...toRemember({ ...given, request, granted: request.asked }, NOW), ...differing }
}

describe("OIDC-16 a remembered consent covers", () => {
  const finds = (
    held: Partial<RememberedConsent>,
    differing: Differing,
    granted?: readonly Permission[],
    now = NOW,
  ) => {
    const request = asking(differing)
    return findRemembered({ ...given, request, granted: granted ?? request.asked }, [row(held)], now) !== null
  }

  test("the same request, a narrower one, and another path of the origin", () => {
    assert.ok(finds({}, {}))
    assert.ok(finds({}, { asked: names("openid") }))
    assert.ok(finds({}, { redirectUri: "https://app.example/other?x=1" }))
    // The account cannot grant more now, so nothing more is given.
    assert.ok(finds({}, { asked: names("openid files:read files:write") }, names("openid files:read")))
  })

  test("nothing wider, and nothing of others", () => {
    assert.ok(!finds({}, { asked: names("openid files:read files:write") }))
    assert.ok(!finds({}, {}, []))
    assert.ok(!finds({ userId: id("a", 1) }, {}))
    assert.ok(!finds({ clientId: id("c", 1) }, {}))
    for (const redirectUri of [
      "https://app.example.evil.example/callback",
      "https://app.example:8443/callback",
      "https://other.app.example/callback",
      "https://evil.example/?https://app.example/callback",
    ])
      assert.ok(!finds({}, { redirectUri }), redirectUri)
  })

  test("resources within those of the click, and none only if it had none", () => {
    const [one, two] = ["https://one.example/", "https://two.example/"]
    const cases: readonly (readonly [held: string[], asked: string[], isCovered: boolean])[] = [
      [[], [], true],
      [[], [one], false],
      [[one], [], false],
      [[one], [one], true],
      [[one], [two], false],
      [[one], [one, two], false],
      [[one, two], [two], true],
      [[one, two], [two, one], true],
    ]
    for (const [held, asked, isCovered] of cases)
      assert.equal(finds({ resources: held }, { resources: asked }), isCovered, JSON.stringify([held, asked]))
  })

  test("a year from the click, and not before it", () => {
    for (const [after, isCovered] of [
      [CREDENTIAL_SECONDS, true],
      [CREDENTIAL_SECONDS + 1, false],
      [-60, false],
    ] as const)
      assert.equal(finds({}, {}, undefined, NOW + after), isCovered, String(after))
    assert.equal(row().endsAt, NOW + CREDENTIAL_SECONDS)
  })

  test("the newest of several", () => {
    const request = asking()
    const rows = [
      row({ id: id("r", 1) }),
      row({ id: id("r", 2) }),
      row({ id: id("r", 3), scope: names("openid") }),
    ]
    const found = findRemembered({ ...given, request, granted: request.asked }, rows, NOW)
    assert.equal(found?.id, id("r", 2))
  })
})

test("OIDC-17 a later click keeps the codes of what it covers", () => {
  const later = row()
  const redirectUri = "https://app.example/other"
  const { userId, clientId, scope, resources } = later
  const behind = consent(0, { userId, clientId, scope, resources })
  assert.ok(isCoveredBy(later, behind, redirectUri))
  assert.ok(isCoveredBy(later, { ...behind, scope: names("openid") }, redirectUri))
  assert.ok(!isCoveredBy({ ...later, scope: names("openid") }, behind, redirectUri))
  assert.ok(!isCoveredBy({ ...later, clientId: id("c", 1) }, behind, redirectUri))
  assert.ok(!isCoveredBy(later, behind, "https://other.example/"))
})

test("OIDC-16 a click replaces what it covers, and leaves the rest", () => {
  const wide = row({ id: id("r", 9) })
  const rows = [
    row({ id: id("r", 1), scope: names("openid") }),
    row({ id: id("r", 2) }),
    row({ id: id("r", 3), scope: names("openid files:write") }),
    row({ id: id("r", 4), origin: "https://other.example" }),
    row({ id: id("r", 5), resources: ["https://one.example/"] }),
    row({ id: id("r", 6), clientId: id("c", 1) }),
  ]
  const ended = (change: Change) => (change.change === "rememberedEnded" ? change.id : change.change)
  assert.deepEqual(remember(wide, rows).map(ended), [id("r", 1), id("r", 2), "rememberedAdded"])
})

test("OIDC-16 a click beyond what an account may have ends the oldest, and counts what it replaces no more", () => {
  const rows = Array.from({ length: REMEMBERED_CONSENTS_AT_MOST }, (_, number) =>
    row({ id: id("r", number), resources: [`https://${number}.example/`] }),
  )
  const ended = (change: Change) => (change.change === "rememberedEnded" ? change.id : change.change)
  const another = row({ id: id("r", 999) })
  assert.deepEqual(remember(another, rows).map(ended), [id("r", 0), "rememberedAdded"])
  assert.deepEqual(remember(another, rows.slice(1)).map(ended), ["rememberedAdded"])
  const again = row({ id: id("r", 999), resources: ["https://7.example/"] })
  assert.deepEqual(remember(again, rows).map(ended), [id("r", 7), "rememberedAdded"])
})
