import { describe, test } from "node:test"
import assert from "node:assert/strict"
import {
  claimOf,
  type Claims,
  givenGroups,
  holds,
  isSecondFactor,
  neededClaims,
  needsVerified,
  notCreated,
  shownNameOf,
  suggestedUsername,
  trustedAddress,
  whyUnverified,
  withUserinfo,
} from "../../../../src/accounts/providers/upstream/claims.rules.ts"
import type { OpenIdProvider, Preset } from "../../../../src/model/sign-in/provider.rules.ts"

const provider: OpenIdProvider = {
  name: "work",
  preset: null,
  issuer: "https://id.example",
  metadataUrl: null,
  clientId: "client",
  secret: { kind: "none" },
  scopes: ["openid", "email"],
  label: "Work",
  icon: null,
  usernameClaim: null,
  allowedRanges: [],
  createAccounts: null,
  authoritativeDomains: [],
  secondFactor: { acr: [], amr: [] },
  administrators: null,
  groups: null,
}
const of = (preset: Preset | null) => ({ preset })

/** Whether the provider has verified this domain for the person, or another one, or none. */
function verifiedDomain({ preset }: Pick<OpenIdProvider, "preset">, claims: Claims, domain = "corp.example") {
  const createAccounts = { domains: [domain], claim: null }
  return notCreated({ ...provider, preset, createAccounts }, claims) ?? domain
}

const verified = { email: "Ada@Corp.Example", email_verified: true }

describe("UP-7, UP-13: the value of a claim", () => {
  const rule = (name: string, value = "staff") => ({ name, value })

  test("UP-7 is the text itself, or a list that contains it", () => {
    for (const claim of ["staff", ["staff"], ["guests", "staff"]])
      assert.equal(holds(of(null), { groups: claim }, rule("groups")), true, JSON.stringify(claim))
    const wrong = [
      "Staff",
      "staff ",
      "staff,guests",
      ["STAFF"],
      [["staff"]],
      { staff: true },
      true,
      1,
      null,
      [],
    ]
    for (const claim of wrong)
      assert.equal(holds(of(null), { groups: claim }, rule("groups")), false, JSON.stringify(claim))
    assert.equal(holds(of(null), {}, rule("groups")), false)
  })

  test("UP-7 may be inside objects; a claim with the whole name comes first", () => {
    const claims = { realm_access: { roles: ["staff"] }, "a.b": "whole", a: { b: "inner" } }
    assert.equal(holds(of(null), claims, rule("realm_access.roles")), true)
    assert.equal(claimOf(claims, "a.b"), "whole")
    assert.equal(claimOf({ a: { b: "inner" } }, "a.b"), "inner")
    for (const name of ["realm_access.other", "realm_access.roles.0.x", "a.b.c", "missing.roles", "", "."])
      assert.equal(claimOf(claims, name), undefined, name)
  })

  test("UP-7 is never one that every object inherits", () => {
    for (const name of ["constructor", "toString", "__proto__", "constructor.name", "a.constructor.name"])
      assert.equal(claimOf({ a: {} }, name), undefined, name)
    assert.equal(claimOf({ a: null }, "a.b"), undefined)
    assert.equal(claimOf({ a: "text" }, "a.length"), undefined)
  })
})

describe("UP-13: a rule on an e-mail address or a telephone number", () => {
  const email = "ada@corp.example"
  const rule = { name: "email", value: email }
  const by = (preset: Preset | null, claims: Claims) => holds(of(preset), { email, ...claims }, rule)

  test("UP-13 counts only what the provider verified, with the boolean true", () => {
    for (const preset of [null, "keycloak", "github"] as const) {
      assert.equal(by(preset, { email_verified: true }), true, `${preset}`)
      for (const isVerified of ["true", 1, false, null, undefined, ["true"]])
        assert.equal(by(preset, { email_verified: isVerified }), false, `${preset}: ${String(isVerified)}`)
    }
    for (const listed of [[email], { value: email }])
      assert.equal(by(null, { email: listed, email_verified: true }), false, "a list is not one address")
    assert.equal(by(null, { email: "eve@corp.example", email_verified: true }), false)
  })

  test("UP-13 Google also names the workspace, or the mailbox is at gmail.com", () => {
    assert.equal(by("google", { email_verified: true }), false)
    assert.equal(by("google", { email_verified: true, hd: "evil.example" }), false)
    assert.equal(by("google", { hd: "corp.example" }), false)
    assert.equal(by("google", { email_verified: true, hd: "corp.example" }), true)
    const mailbox = { name: "email", value: "ada@gmail.com" }
    const claims = { email: "ada@gmail.com", email_verified: true }
    assert.equal(holds(of("google"), claims, mailbox), true)
    assert.equal(holds(of("google"), { ...claims, email_verified: false }, mailbox), false)
  })

  test("UP-13, UP-16 Entra only with xms_edov", () => {
    assert.equal(by("entra", { email_verified: true }), false)
    for (const edov of ["true", "1", 1, false]) assert.equal(by("entra", { xms_edov: edov }), false)
    assert.equal(by("entra", { xms_edov: true }), true)
  })

  test("UP-13 a telephone number needs phone_number_verified", () => {
    const phone = { name: "phone_number", value: "+4420" }
    assert.equal(holds(of(null), { phone_number: "+4420" }, phone), false)
    assert.equal(holds(of(null), { phone_number: "+4420", phone_number_verified: "true" }, phone), false)
    assert.equal(holds(of(null), { phone_number: "+4420", phone_number_verified: true }, phone), true)
  })

  test("UP-13, UP-14 what verifies it is asked for too, also of a known person", () => {
    const administrators = rule
    assert.deepEqual(neededClaims({ ...provider, administrators }, true), ["email", "email_verified"])
    const entra = { ...provider, preset: "entra", administrators } as const
    assert.deepEqual(neededClaims(entra, true), ["email", "xms_edov"])
    const phone = { ...provider, administrators: { name: "phone_number", value: "+4420" } }
    assert.deepEqual(neededClaims(phone, true), ["phone_number", "phone_number_verified"])
    const createAccounts = { domains: [], claim: rule }
    const newcomer = ["email", "preferred_username", "email_verified"]
    assert.deepEqual(neededClaims({ ...provider, createAccounts }, false), newcomer)
    assert.equal(notCreated({ ...provider, createAccounts }, { email }), "claim")
    assert.equal(notCreated({ ...provider, createAccounts }, { email, email_verified: true }), null)
  })
})

describe("GROUP-14: the groups that a claim gives", () => {
  const map = new Map([
    ["staff", "team.staff"],
    ["admins", "a-admins"],
    ["also staff", "team.staff"],
    ["ada@corp.example", "ada"],
    ["+4420", "phones"],
  ])
  const given = (claims: Claims, name = "groups", preset: Preset | null = null) =>
    givenGroups({ preset, groups: { name, map } }, claims)

  test("GROUP-14 are those of its values in the map, sorted and each once; no rule gives null", () => {
    assert.deepEqual(given({ groups: "staff" }), ["team.staff"])
    assert.deepEqual(given({ groups: ["staff", "guests", "also staff", "admins"] }), [
      "a-admins",
      "team.staff",
    ])
    assert.deepEqual(given({ realm_access: { roles: ["admins"] } }, "realm_access.roles"), ["a-admins"])
    assert.equal(givenGroups({ preset: null, groups: null }, { groups: "staff" }), null)
  })

  test("GROUP-14 a claim that is missing or of another form gives none", () => {
    for (const groups of [
      undefined,
      null,
      "Staff",
      "staff,admins",
      "staff admins",
      [["staff"]],
      { staff: true },
      true,
      1,
    ])
      assert.deepEqual(given({ groups }), [], JSON.stringify(groups))
    for (const name of ["constructor", "__proto__", "toString"]) {
      assert.deepEqual(given({ groups: [name] }), [], name)
      assert.deepEqual(given({}, name), [], name)
    }
    const groups = [...Array.from({ length: 999 }, (_, at) => `g${at}`), "staff", "admins"]
    assert.deepEqual(given({ groups }), ["team.staff"], "of a long list the first thousand count")
  })

  test("GROUP-14, UP-13 an address or a telephone number counts only if the provider verified it", () => {
    const email = "ada@corp.example"
    for (const mark of [undefined, false, "true", 1])
      assert.deepEqual(given({ email, email_verified: mark }, "email"), [], String(mark))
    assert.deepEqual(given({ email, email_verified: true }, "email"), ["ada"])
    assert.deepEqual(given({ email: [email], email_verified: true }, "email"), [])
    assert.deepEqual(given({ email, email_verified: true }, "email", "google"), [])
    assert.deepEqual(given({ email, email_verified: true }, "email", "entra"), [])
    assert.deepEqual(given({ email, xms_edov: true }, "email", "entra"), ["ada"])
    assert.deepEqual(given({ phone_number: "+4420" }, "phone_number"), [])
    assert.deepEqual(given({ phone_number: "+4420", phone_number_verified: true }, "phone_number"), [
      "phones",
    ])
  })

  test("GROUP-14, UP-14 the claim and what verifies it are asked for, also of a known person", () => {
    const groups = { name: "groups", map }
    assert.deepEqual(neededClaims({ ...provider, groups }, true), ["groups"])
    const byMail = { ...provider, groups: { name: "email", map } }
    assert.deepEqual(neededClaims(byMail, true), ["email", "email_verified"])
    assert.equal(needsVerified(byMail), true)
  })
})

describe("UP-7: the verified domain", () => {
  test("UP-7 of most providers: that of an address with email_verified, the boolean true", () => {
    for (const preset of [null, "keycloak", "github", "apple"] as const)
      assert.equal(verifiedDomain(of(preset), verified), "corp.example")
    for (const isVerified of ["true", 1, false, null, undefined])
      assert.equal(verifiedDomain(of(null), { ...verified, email_verified: isVerified }), "unverified")
    for (const email of ["ada", "ada@", "@corp.example", "a@b@corp.example", "a b@corp.example", "", 5, null])
      assert.equal(verifiedDomain(of(null), { ...verified, email }), "unverified", JSON.stringify(email))
    assert.equal(
      verifiedDomain(of(null), { ...verified, hd: "other.example", xms_edov: true }),
      "corp.example",
    )
  })

  test("UP-7 of Google: only hd", () => {
    assert.equal(verifiedDomain(of("google"), verified), "unverified")
    assert.equal(
      verifiedDomain(of("google"), { ...verified, hd: "Other.Example" }, "other.example"),
      "other.example",
    )
    for (const hd of ["", " ", 1, true, ["corp.example"], null])
      assert.equal(verifiedDomain(of("google"), { ...verified, hd }), "unverified", JSON.stringify(hd))
  })

  test("UP-7 of Entra: only with xms_edov, the boolean true", () => {
    assert.equal(verifiedDomain(of("entra"), verified), "unverified")
    assert.equal(verifiedDomain(of("entra"), { email: "ada@corp.example", xms_edov: true }), "corp.example")
    for (const xms_edov of ["true", "1", 1, false])
      assert.equal(verifiedDomain(of("entra"), { ...verified, xms_edov }), "unverified")
  })

  test("HELP-1 the log says which claim is missing or wrong", () => {
    assert.equal(whyUnverified(of("google"), {}), "the claim hd is missing")
    assert.equal(whyUnverified(of("entra"), {}), "the claim xms_edov is missing")
    assert.equal(whyUnverified(of(null), {}), "the claim email_verified is missing")
    assert.equal(whyUnverified(of("entra"), { xms_edov: "1" }), "the claim xms_edov is not the boolean true")
    assert.equal(
      whyUnverified(of("keycloak"), { email_verified: "true" }),
      "the claim email_verified is not the boolean true",
    )
    const noAddress = "the claim email is missing or no address"
    assert.equal(whyUnverified(of(null), { email_verified: true }), noAddress)
    assert.equal(whyUnverified(of("google"), { hd: "" }), noAddress)
  })
})

describe("UP-17: the address that the operator trusts this provider for", () => {
  const trusting = { preset: null, authoritativeDomains: ["corp.example"] }

  test("UP-17 needs its domain in the list, exactly, and email_verified, the boolean true", () => {
    assert.deepEqual(trustedAddress(trusting, verified), {
      address: "Ada@corp.example",
      addressKey: "ada@corp.example",
    })
    assert.equal(trustedAddress({ ...trusting, authoritativeDomains: [] }, verified), null)
    for (const isVerified of ["true", 1, false, null, undefined])
      assert.equal(trustedAddress(trusting, { ...verified, email_verified: isVerified }), null)
    const others = ["ada@sub.corp.example", "ada@corp.example.evil", "ada@xcorp.example", "ada@corp", "ada"]
    for (const email of [
      ...others,
      "a@evil.example, b@corp.example",
      '"a@evil.example"@corp.example',
      1,
      null,
    ])
      assert.equal(trustedAddress(trusting, { ...verified, email }), null, JSON.stringify(email))
  })

  test("UP-17 of Google also hd must name it, except for gmail.com", () => {
    const google = { ...trusting, preset: "google" } as const
    assert.equal(trustedAddress(google, verified), null)
    assert.equal(trustedAddress(google, { ...verified, hd: "other.example" }), null)
    assert.equal(
      trustedAddress(google, { ...verified, hd: " Corp.Example " })?.addressKey,
      "ada@corp.example",
    )
    const gmail = { preset: "google", authoritativeDomains: ["gmail.com"] } as const
    const address = { email: "ada@gmail.com", email_verified: true }
    assert.equal(trustedAddress(gmail, address)?.address, "ada@gmail.com")
  })
})

describe("UP-7: whether the first sign-in creates an account", () => {
  const creating = (domains: readonly string[], value: string | null) => ({
    ...provider,
    createAccounts: { domains, claim: value === null ? null : { name: "groups", value } },
  })

  test("UP-7 not without create_accounts", () => {
    assert.equal(notCreated(provider, verified), "off")
  })

  test("UP-7 by a domain, by a claim, by both, or for everyone", () => {
    const claims = { ...verified, groups: ["staff"] }
    const rows: readonly (readonly [OpenIdProvider, Claims, string | null])[] = [
      [creating([], null), {}, null],
      [creating(["corp.example"], null), claims, null],
      [creating(["corp.example"], null), { ...claims, email_verified: "true" }, "unverified"],
      [creating(["other.example"], null), claims, "domain"],
      [creating([], "staff"), { groups: ["staff"] }, null],
      [creating([], "staff"), { groups: ["guests"] }, "claim"],
      [creating(["corp.example"], "staff"), claims, null],
      [creating(["corp.example"], "staff"), { ...claims, groups: [] }, "claim"],
      [creating(["other.example"], "staff"), claims, "domain"],
    ]
    for (const [one, given, expected] of rows)
      assert.equal(notCreated(one, given), expected, JSON.stringify(given))
  })
})

test("UP-7 the suggested name is the configured claim, or the usual one, or what stands before the @", () => {
  const named = (usernameClaim: string | null, claims: Claims) =>
    suggestedUsername({ ...provider, usernameClaim }, claims)
  assert.equal(named(null, { preferred_username: " ada ", email: "x@corp.example" }), "ada")
  assert.equal(named(null, { email: "ada@corp.example" }), "ada")
  assert.equal(named(null, { email: "ada@corp@evil.example\n" }), "ada")
  assert.equal(named("nick.name", { nick: { name: "Ada" }, preferred_username: "x" }), "Ada")
  assert.equal(named("nick", { preferred_username: "x", email: "x@corp.example" }), null)
  for (const preferred of [1, {}, ["ada"], "", "  "])
    assert.equal(named(null, { preferred_username: preferred }), null)
  assert.equal(named(null, { preferred_username: "a".repeat(1000) })?.length, 200)
})

test("UP-12 only what second_factor lists, in the ID token, stands for a second factor", () => {
  const mapping = { ...provider, secondFactor: { acr: ["mfa"], amr: ["otp", "hwk"] } }
  for (const token of [{ acr: "mfa" }, { amr: ["pwd", "otp"] }, { acr: "pwd", amr: ["hwk"] }])
    assert.equal(isSecondFactor(mapping, token), true, JSON.stringify(token))
  for (const token of [
    {},
    { acr: "MFA" },
    { acr: ["mfa"] },
    { amr: "otp" },
    { amr: ["pwd"] },
    { amr: { otp: 1 } },
  ])
    assert.equal(isSecondFactor(mapping, token), false, JSON.stringify(token))
  assert.equal(isSecondFactor(provider, { acr: "mfa", amr: ["otp"] }), false)
})

test("UP-1 the shown name is the address, else a name; it is cut, and identifies nothing", () => {
  const claims = { email: "ada@corp.example", preferred_username: "ada", name: "Ada Lovelace" }
  assert.equal(shownNameOf(provider, claims), "ada@corp.example")
  assert.equal(shownNameOf(provider, { ...claims, email: " " }), "ada")
  assert.equal(shownNameOf(provider, { name: "Ada Lovelace" }), "Ada Lovelace")
  assert.equal(shownNameOf(provider, { name: 5 }), null)
  assert.equal(shownNameOf(provider, { name: "a".repeat(1000) })?.length, 200)
  const application = { preset: "application" } as const
  assert.equal(shownNameOf(application, { ...claims, username: "lovelace" }), "Ada Lovelace")
  assert.equal(shownNameOf(application, { email: "ada@corp.example", username: "lovelace" }), "lovelace")
  assert.equal(shownNameOf(application, { email: "ada@corp.example" }), "ada@corp.example")
})

describe("UP-14: the claims that the rules need", () => {
  const administrators = { name: "groups", value: "admins" }
  const rules = (domains: readonly string[], claim: string | null = null) => ({
    domains,
    claim: claim === null ? null : { name: claim, value: "x" },
  })

  test("UP-14 of a known person only that of the rule administrators", () => {
    assert.deepEqual(neededClaims(provider, true), [])
    assert.deepEqual(neededClaims({ ...provider, administrators }, true), ["groups"])
  })

  test("UP-14 of others also name, address and what creates an account", () => {
    const names = ["email", "preferred_username"]
    assert.deepEqual(neededClaims(provider, false), names)
    const all = { ...provider, administrators, createAccounts: rules(["corp.example"], "team") }
    assert.deepEqual(neededClaims(all, false), [...names, "email_verified", "groups", "team"])
    assert.deepEqual(neededClaims({ ...provider, createAccounts: rules([], "team") }, false), [
      ...names,
      "team",
    ])
  })

  test("UP-14 email_verified is needed for domains, except of Google and Entra, and for UP-17", () => {
    const createAccounts = rules(["corp.example"])
    for (const [preset, expected] of [
      [null, true],
      ["keycloak", true],
      ["github", true],
      ["google", false],
      ["entra", false],
    ] as const) {
      assert.equal(needsVerified({ ...provider, preset, createAccounts }), expected, `${preset}`)
      assert.equal(needsVerified({ ...provider, preset, authoritativeDomains: ["corp.example"] }), true)
      assert.equal(needsVerified({ ...provider, preset, createAccounts: rules([]) }), false)
      assert.equal(needsVerified({ ...provider, preset }), false)
    }
  })
})

describe("UP-4: userinfo beside the ID token", () => {
  const noMarks = { email_verified: undefined, xms_edov: undefined, phone_number_verified: undefined }

  test("UP-4 the claims of the ID token win", () => {
    assert.deepEqual(withUserinfo({ sub: "1", name: "A" }, { sub: "2", name: "B", groups: ["x"] }), {
      sub: "1",
      name: "A",
      groups: ["x"],
      ...noMarks,
    })
  })

  test("UP-17 email_verified speaks only of the address beside it", () => {
    const { email } = verified
    assert.deepEqual(withUserinfo({}, verified), { ...noMarks, ...verified })
    assert.deepEqual(withUserinfo({ email }, verified), { ...noMarks, ...verified })
    const other = { email: "x@corp.example" }
    assert.deepEqual(withUserinfo(other, verified), { ...noMarks, ...other })
    const denied = { email, email_verified: false }
    assert.deepEqual(withUserinfo(denied, verified), { ...noMarks, ...denied })
    const { email: none, email_verified: isVerified } = withUserinfo({ email_verified: true }, { email })
    assert.deepEqual([none, isVerified], [email, undefined])
  })

  test("UP-13 every mark speaks only of the value beside it", () => {
    const { email } = verified
    const foreign = withUserinfo({ email: "x@corp.example" }, { email, xms_edov: true })
    assert.equal(foreign["xms_edov"], undefined)
    assert.equal(withUserinfo({ email }, { email, xms_edov: true })["xms_edov"], true)
    const phones = { phone_number: "+4420", phone_number_verified: true }
    assert.equal(withUserinfo({ phone_number: "+4421" }, phones)["phone_number_verified"], undefined)
    assert.equal(withUserinfo({}, phones)["phone_number_verified"], true)
  })
})
