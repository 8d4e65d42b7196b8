import assert from "node:assert/strict"
import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, test } from "node:test"
import type { OpenIdProvider, SignInProviders } from "../../../src/model/sign-in/provider.rules.ts"
import { readConfig } from "../../../src/platform/config/config.ts"

let dir: string

before(() => {
  dir = mkdtempSync(join(tmpdir(), "latchkey-"))
  writeFileSync(join(dir, "corp.secret"), "a secret\n")
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  writeFileSync(join(dir, "apple.p8"), privateKey.export({ type: "pkcs8", format: "pem" }))
})

after(() => rmSync(dir, { recursive: true, force: true }))

async function read(...lines: readonly string[]) {
  writeFileSync(join(dir, "latchkey.yaml"), ["sign_in_providers:", ...lines].join("\n"))
  return readConfig({ data: dir, config: null, databaseUrl: null })
}

async function problemIn(...lines: readonly string[]): Promise<string> {
  const config = await read(...lines)
  return config.ok ? "" : config.error.join("\n")
}

function openIdProviderOf(providers: SignInProviders, name: string): OpenIdProvider | undefined {
  const provider = providers.get(name)
  return provider?.preset === "application" ? undefined : provider
}

const SECRET = "client_id: latchkey, client_secret_file: corp.secret"

test("UP-8 every member of a provider is read, and the presets fill in the rest", async () => {
  const config = await read(
    `  - { name: corp, issuer: "https://id.example.org/", ${SECRET}, label: Work, allowed_ranges: [10.0.0.0/8],`,
    "      create_accounts: { domains: [Example.ORG], claim: { name: groups, value: staff } },",
    "      second_factor: { acr: [phr], amr: [mfa] }, administrators: { claim: groups, value: admins },",
    "      groups: { claim: realm_access.roles, map: { Staff: team.staff, 7: seven, on call: team.staff } } }",
    `  - { name: google, preset: google, ${SECRET} }`,
    `  - { name: ms, preset: entra, tenant: organizations, ${SECRET} }`,
    `  - { name: gh, preset: github, ${SECRET} }`,
    "  - { name: apple, preset: apple, client_id: org.example.id, client_key_file: apple.p8, key_id: K, team_id: T }",
  )
  assert.ok(config.ok)
  const openId = (name: string) => openIdProviderOf(config.value.providers, name)
  const corp = openId("corp")
  assert.deepEqual(corp?.secret, { kind: "secret", secret: "a secret" })
  assert.equal(corp?.issuer, "https://id.example.org/", "a slash at its end belongs to the issuer")
  assert.equal(corp?.metadataUrl, "https://id.example.org/.well-known/openid-configuration")
  assert.deepEqual(corp?.createAccounts, {
    domains: ["example.org"],
    claim: { name: "groups", value: "staff" },
  })
  assert.deepEqual(corp?.administrators, { name: "groups", value: "admins" })
  assert.equal(corp?.groups?.name, "realm_access.roles")
  assert.deepEqual(
    [...(corp?.groups?.map ?? [])],
    [
      ["Staff", "team.staff"],
      ["7", "seven"],
      ["on call", "team.staff"],
    ],
  )
  assert.deepEqual(corp?.secondFactor, { acr: ["phr"], amr: ["mfa"] })
  assert.equal(openId("google")?.issuer, "https://accounts.google.com")
  assert.equal(openId("ms")?.issuer, "https://login.microsoftonline.com/{tenantid}/v2.0")
  assert.equal(openId("gh")?.metadataUrl, null)
  assert.deepEqual(openId("apple")?.scopes, ["openid"])
  assert.equal(openId("apple")?.secret.kind, "apple")
})

test("UP-13 a rule on a claim is refused where any tenant, or the person, can set the claim", async () => {
  const rules = [
    ["administrators", "administrators: { claim: roles, value: admin }"],
    ["groups", "groups: { claim: roles, map: { admin: chiefs } }"],
    ["create_accounts", "create_accounts: { claim: { name: roles, value: admin } }"],
  ] as const
  for (const [member, rule] of rules) {
    const anyTenant = new RegExp(`yaml:2: sign_in_providers: ms: ${member}: any tenant can give its people`)
    const consumers = "9188040d-6c67-4c5b-b112-36a304b66dad"
    for (const tenant of ["common", "organizations", "consumers", consumers])
      assert.match(
        await problemIn(`  - { name: ms, preset: entra, tenant: ${tenant}, ${rule}, ${SECRET} }`),
        anyTenant,
        tenant,
      )
    for (const tenant of ["COMMON", '"{tenantid}"', "common/", consumers.toUpperCase(), "organizations?"])
      assert.match(
        await problemIn(
          `  - { name: ms, preset: entra, tenant: "${tenant.replaceAll('"', "")}", ${rule}, ${SECRET} }`,
        ),
        /tenant: expected the id of a tenant/,
        tenant,
      )
    const one = "11111111-2222-3333-4444-555555555555"
    assert.equal(await problemIn(`  - { name: ms, preset: entra, tenant: ${one}, ${rule}, ${SECRET} }`), "")
    for (const issuer of ["/{tenantid}", "/common", "/common/", "?x=/"])
      assert.match(
        await problemIn(
          `  - { name: ms, preset: entra, issuer: "https://login.microsoftonline.com${issuer}", tenant: ${one}, ${rule}, ${SECRET} }`,
        ),
        /issuer: /,
        issuer,
      )
    assert.match(
      await problemIn(
        `  - { name: ms, issuer: "https://login.microsoftonline.com/{tenantid}/v2.0", ${rule}, ${SECRET} }`,
      ),
      /issuer: The URL has a character/,
      "a template without the preset",
    )
  }
  const common = ["username", "login", "nick", "bio", "company", "location"]
  const dotted = ["address.formatted", "profile.groups", "email.x", "phone_number.x"]
  for (const claim of ["preferred_username", "name", "nickname", "website", ...common, ...dotted])
    assert.match(
      await problemIn(
        `  - { name: corp, issuer: https://id.example, administrators: { claim: ${claim}, value: x }, ${SECRET} }`,
      ),
      new RegExp(`corp: administrators: people choose ${claim} themselves. Name a group`),
    )
  for (const claim of [
    "email",
    "phone_number",
    "sub",
    "groups",
    "realm_access.roles",
    "https://id.example/groups",
  ])
    assert.equal(
      await problemIn(
        `  - { name: corp, issuer: https://id.example, administrators: { claim: ${claim}, value: x }, ${SECRET} }`,
      ),
      "",
      claim,
    )
})

test("UP-13 Google and Entra verify an address in their own way, also where the file names only the issuer", async () => {
  const config = await read(
    `  - { name: g, issuer: https://accounts.google.com, ${SECRET} }`,
    `  - { name: ms, issuer: https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/v2.0, ${SECRET} }`,
    `  - { name: corp, issuer: https://accounts.google.com.evil.example, ${SECRET} }`,
  )
  assert.ok(config.ok)
  const [g, ms, corp] = [...config.value.providers.values()]
  assert.deepEqual([g?.preset, ms?.preset, corp?.preset], ["google", "entra", null])
  assert.equal(g?.label, "g")
})

test("GROUP-14 a problem in groups names the line, the provider and the key", async () => {
  const problem = (...lines: readonly string[]) =>
    problemIn(
      `  - { name: corp, issuer: https://id.example, ${SECRET},`,
      ...lines.map((line) => `      ${line}`),
    )
  const expected = /yaml:3: sign_in_providers: corp: groups: expected claim and map, with 1 to 500 values/
  assert.match(await problem("groups: { claim: a } }"), expected)
  assert.match(await problem("groups: { map: { a: b } } }"), expected)
  assert.match(await problem("groups: { claim: a, map: {} } }"), expected)
  const many = Array.from({ length: 501 }, (_, at) => `v${at}: g`).join(", ")
  assert.match(await problem(`groups: { claim: a, map: { ${many} } } }`), expected)
  for (const name of ["Staff", "a b", "é", "x".repeat(65)])
    assert.match(
      await problem("groups: { claim: a, map: { fine: fine,", `bad: "${name}" } } }`),
      /yaml:4: sign_in_providers: corp: groups: map: bad: a group’s name has 1 to 64 of a-z 0-9 . _ : -$/,
      name,
    )
  assert.match(
    await problem("groups: { claim: a, map: { bad: [b] } } }"),
    /groups: map: bad: expected a text/,
  )
  const value = "x".repeat(201)
  assert.match(await problem(`groups: { claim: a, map: { ${value}: b } } }`), /values of 1 to 200 characters/)
  assert.match(
    await problem("groups: { claim: a, maps: { a: b } } }"),
    /"maps" is not known; .*did you mean "?map/i,
  )
  assert.match(await problem("groups: { claim: a, map: { a: b, a: c } } }"), /unique/)
  assert.match(
    await problem("groups: { claim: preferred_username, map: { a: b } } }"),
    /yaml:3: sign_in_providers: corp: groups: people choose preferred_username themselves/,
  )
})

test("UP-8 a problem names the line, the provider and what is expected", async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      "{ name: Work, issuer: https://id.example }",
      /yaml:2: sign_in_providers: Work: name: expected lower-case/,
    ],
    [`{ name: corp, ${SECRET} }`, /corp: expected an issuer/],
    [`{ name: corp, issuer: http://id.example/, ${SECRET} }`, /issuer: The URL does not begin with https/],
    [`{ name: corp, issuer: https://id.example, tenant: x, ${SECRET} }`, /only the preset entra/],
    [`{ name: ms, preset: entra, tenant: example.org, ${SECRET} }`, /tenant: expected the id of a tenant/],
    [
      "{ name: corp, issuer: https://id.example, client_id: a, client_secret_file: none }",
      /client_secret_file: none: it does not exist/,
    ],
    ["{ name: gh, preset: github, client_id: a }", /GitHub needs client_secret_file/],
    ["{ name: a, preset: apple, client_id: a, client_key_file: apple.p8 }", /Apple needs/],
    [`{ name: corp, issuer: https://id.example, scopes: [email], ${SECRET} }`, /expected openid among them/],
    [
      `{ name: corp, issuer: https://id.example, administrators: { claim: a }, ${SECRET} }`,
      /expected claim and value/,
    ],
    ...["*.example.org", "@example.org", "example", "müller.example"].map(
      (domain): readonly [string, RegExp] => [
        `{ name: corp, issuer: https://id.example, authoritative_domains: ["${domain}"], ${SECRET} }`,
        /authoritative_domains: .*: expected a domain such as example\.org/,
      ],
    ),
    [
      `{ name: corp, issuer: https://id.example, create_accounts: { domains: ["*.a.example"] }, ${SECRET} }`,
      /create_accounts: domains: .*: expected a domain/,
    ],
    [
      `{ name: ms, preset: entra, tenant: common, authoritative_domains: [example.org], ${SECRET} }`,
      /authoritative_domains: any tenant can name any address/,
    ],
    [
      "{ name: a, preset: apple, client_id: a, client_key_file: apple.p8, key_id: K, team_id: T, authoritative_domains: [example.org] }",
      /authoritative_domains: Apple sends no e-mail address/,
    ],
    [`{ name: corp, issuer: https://id.example, isuer: a, ${SECRET} }`, /"isuer" is not known/],
  ]
  for (const [line, problem] of cases) assert.match(await problemIn(`  - ${line}`), problem, line)
  const twice = `  - { name: corp, issuer: https://id.example, ${SECRET} }`
  assert.match(await problemIn(twice, twice), /yaml:3: .*two providers named corp/)
})

test("ORG-1 assertions name apps and permissions, and the start refuses what no organization may give", async () => {
  const entry = (assertions: string, more = 'issuer: "https://id.example.org"') =>
    `  - { name: corp, ${more}, ${SECRET}, assertions: ${assertions} }`
  const config = await read(
    entry('{ clients: [abc, "https://app.example/client"], permissions: [account:read] }'),
  )
  assert.ok(config.ok)
  assert.deepEqual(config.value.providers.get("corp")?.assertions, {
    clients: ["abc", "https://app.example/client"],
    permissions: ["account:read"],
  })
  const whole = "{ clients: [abc], permissions: [account:read] }"
  for (const [lines, problem] of [
    [entry("{ clients: [abc] }"), /corp: assertions: expected clients and permissions/],
    [entry("{ clients: [], permissions: [account:read] }"), /expected clients and permissions/],
    ...[
      "https://*.example/client",
      "https://app.example/*",
      "http://app.example/client",
      "https://app.example",
    ].map(
      (client) =>
        [entry(`{ clients: ["${client}"], permissions: [account:read] }`), /expected a client_id/] as const,
    ),
    [
      entry("{ clients: [abc], permissions: [admin:apps] }"),
      /corp: assertions: admin:apps needs the consent/,
    ],
    [entry("{ clients: [abc], permissions: [notes:read] }"), /corp: assertions: notes:read is no permission/],
    [entry("{ clients: [abc], permissions: [acount:read] }"), /Did you mean account:read\?/],
    [entry("{ clients: [abc], permissions: [account:read], other: 1 }"), /"other" is not known/],
    [entry(whole, "preset: entra, tenant: common"), /assertions: any tenant can name any person/],
    [entry(whole, "preset: github"), /assertions: GitHub signs no assertions/],
    [
      `  - { name: shop, preset: application, url: "https://shop.example/in", secret_file: x, assertions: ${whole} }`,
      /assertions/,
    ],
  ] as const)
    assert.match(await problemIn(lines), problem)
})

test("ORG-1 a list of assertions with another form is named once", async () => {
  for (const [permissions, problem] of [
    ["[3]", "permissions: 3: expected a text"],
    ["notes:read", "permissions: expected a list of texts"],
  ] as const) {
    const list = `{ clients: [abc], permissions: ${permissions} }`
    const said = await problemIn(
      `  - { name: corp, issuer: "https://id.example.org", ${SECRET}, assertions: ${list} }`,
    )
    assert.match(said, new RegExp(`^[^\\n]*corp: assertions: ${problem.replace("[", "\\[")}$`))
  }
})

test("ORG-1 an unknown permission of assertions is named with its own line, beside the other problems of the file", async () => {
  const problems = await problemIn(
    `  - { name: corp, issuer: "https://id.example.org", ${SECRET}, assertions: { clients: [abc], permissions: [`,
    "      account:read,",
    "      notes:read,",
    "      notes:raed,",
    "      admin:events,",
    "      openid, profile, email, groups ] } }",
    "permissions: { notes:read: { title: Read your notes }, bad: {} }",
  )
  assert.deepEqual(
    problems.split("\n").map((line) => line.replace(/^.*latchkey\.yaml:/, "")),
    [
      "5: sign_in_providers: corp: assertions: notes:raed is no permission. Did you mean notes:read?",
      "6: sign_in_providers: corp: assertions: admin:events needs the consent of its holder",
      "8: bad: expected a title",
    ],
  )
})
