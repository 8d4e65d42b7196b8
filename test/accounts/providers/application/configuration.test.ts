import assert from "node:assert/strict"
import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, before, test } from "node:test"
import { NO_TRUST } from "../../../../src/model/sign-in/provider.rules.ts"
import { readConfig } from "../../../../src/platform/config/config.ts"

let dir: string
const { publicKey, privateKey } = generateKeyPairSync("ed25519")
const jwk = publicKey.export({ format: "jwk" })

before(() => {
  dir = mkdtempSync(join(tmpdir(), "latchkey-"))
  const write = (name: string, text: string) => writeFileSync(join(dir, name), text)
  write("shop.pem", publicKey.export({ type: "spki", format: "pem" }).toString())
  write("shop.jwks", JSON.stringify({ keys: [{ ...jwk, kid: "one" }] }))
  write("private.pem", privateKey.export({ type: "pkcs8", format: "pem" }).toString())
  write("private.jwks", JSON.stringify({ keys: [privateKey.export({ format: "jwk" })] }))
  write("none.pem", "no key")
  write("shop.secret", `${"s".repeat(32)}\n`)
  write("short.secret", `${"s".repeat(31)}\n`)
})

after(() => rmSync(dir, { recursive: true, force: true }))

async function read(line: string) {
  writeFileSync(join(dir, "latchkey.yaml"), `sign_in_providers:\n  - ${line}\n`)
  return readConfig({ data: dir, config: null, databaseUrl: null })
}

async function shop(members: string) {
  const config = await read(`{ name: shop, preset: application, url: "https://shop.example/in", ${members} }`)
  assert.ok(config.ok, config.ok ? "" : config.error.join())
  return config.value.providers.get("shop")
}

const usual = {
  name: "shop",
  preset: "application",
  issuer: "shop",
  url: "https://shop.example/in",
  label: "shop",
  only: false,
  sessionSeconds: 600,
  createAccounts: { domains: [], claim: null },
  usernameClaim: null,
  groups: null,
  manager: null,
  ...NO_TRUST,
}

test("LOGIN-1 an application needs a name, a URL and its keys, and everything else has a usual value", async () => {
  const { kty, crv, x } = jwk
  const keys = { kind: "file", keys: [{ kty, crv, x }] }
  assert.deepEqual(await shop("key_file: shop.pem"), { ...usual, keys })
  const ofSet = { kind: "file", keys: [{ kty, crv, x, kid: "one" }] }
  assert.deepEqual(await shop("key_file: shop.jwks"), { ...usual, keys: ofSet })
  const url = "https://shop.example/jwks"
  assert.deepEqual(await shop(`jwks_uri: "${url}"`), {
    ...usual,
    keys: { kind: "url", jwksUri: url, allowedRanges: null },
  })
  const secret = { kind: "secret", secret: Buffer.from("s".repeat(32)) }
  assert.deepEqual(await shop("secret_file: shop.secret"), { ...usual, keys: secret })
})

test("LOGIN-1 every member of an application is read", async () => {
  const found = await shop(
    "key_file: shop.pem, label: The shop, only: true, session_minutes: 1440, manager: settings-page, " +
      "create_accounts: { domains: [Example.org], claim: { name: plan, value: pro } }, username_claim: handle, " +
      "groups: { claim: teams, map: { a: team-a } }",
  )
  assert.ok(found?.preset === "application")
  const { keys, ...rest } = found
  assert.equal(keys.kind, "file")
  assert.deepEqual(rest, {
    ...usual,
    label: "The shop",
    only: true,
    sessionSeconds: 86_400,
    manager: "settings-page",
    createAccounts: { domains: ["example.org"], claim: { name: "plan", value: "pro" } },
    usernameClaim: "handle",
    groups: { name: "teams", map: new Map([["a", "team-a"]]) },
  })
})

test("LOGIN-1 a browser is sent to https, or to http on this machine", async () => {
  const problem = async (url: string) => {
    const config = await read(`{ name: shop, preset: application, url: "${url}", key_file: shop.pem }`)
    return config.ok ? "" : config.error.join()
  }
  for (const url of [
    "https://shop.example",
    "https://shop.example:8443/in?from=latchkey",
    "http://localhost:3000/in",
    "http://127.0.0.1:3000",
  ])
    assert.equal(await problem(url), "", url)
  for (const url of [
    "",
    "/in",
    "shop.example/in",
    "http://shop.example/in",
    "http://localhost.shop.example",
    "javascript:alert(1)",
    "https://user@shop.example/",
    "https://:secret@shop.example/",
    "https://shop.example/#in",
    "https://shop.example/in#",
    "https://shop.example/a b",
    "https://müller.example/",
    "https:\\\\shop.example",
    `https://shop.example/${"x".repeat(2000)}`,
  ])
    assert.match(await problem(url), /yaml:2: sign_in_providers: shop: url: expected a/, url)
})

test("LOGIN-1 a problem of an application names the line, the provider and the member", async () => {
  const start = "name: shop, preset: application, url: https://shop.example/in"
  const cases: readonly (readonly [string, RegExp])[] = [
    [
      "{ name: Shop, preset: application, url: https://shop.example, key_file: shop.pem }",
      /yaml:2: sign_in_providers: Shop: name: expected lower-case/,
    ],
    [`{ ${start} }`, /yaml:2: sign_in_providers: shop: expected one of key_file, jwks_uri and secret_file$/],
    [`{ ${start}, key_file: shop.pem, secret_file: shop.secret }`, /shop: expected one of key_file/],
    [
      `{ ${start}, key_file: shop.pem, jwks_uri: https://shop.example/jwks }`,
      /shop: expected one of key_file/,
    ],
    [`{ ${start}, jwks_uri: http://shop.example/jwks }`, /shop: jwks_uri: The URL does not begin with https/],
    [`{ ${start}, key_file: missing.pem }`, /shop: key_file: missing\.pem: it does not exist/],
    [`{ ${start}, key_file: none.pem }`, /yaml:2: sign_in_providers: shop: key_file: none\.pem: /],
    [`{ ${start}, key_file: private.pem }`, /private\.pem: expected the public key/],
    [`{ ${start}, key_file: private.jwks }`, /private\.jwks: keys\[0\] is not a public key/],
    [`{ ${start}, secret_file: short.secret }`, /short\.secret: expected a secret of at least 32 bytes/],
    [`{ ${start}, key_file: shop.pem, only: perhaps }`, /shop: only: expected true or false/],
    ...["0", "1441", "1.5", "ten", '"10"'].map((minutes): readonly [string, RegExp] => [
      `{ ${start}, key_file: shop.pem, session_minutes: ${minutes} }`,
      /yaml:2: sign_in_providers: shop: session_minutes: \S+: expected a number from 1 to 1440/,
    ]),
    [`{ ${start}, key_file: shop.pem, manager: [] }`, /shop: manager: expected a text/],
    [`{ ${start}, key_file: shop.pem, create_accounts: { domains: [x] } }`, /create_accounts: domains: /],
    [
      `{ ${start}, key_file: shop.pem, groups: { claim: username, map: { a: b } } }`,
      /shop: groups: people choose username themselves/,
    ],
    ...["administrators", "second_factor", "authoritative_domains", "client_id", "icon"].map(
      (member): readonly [string, RegExp] => [
        `{ ${start}, key_file: shop.pem, ${member}: {} }`,
        new RegExp(
          `yaml:2: sign_in_providers: "${member}" is not known; expected name, preset, url, key_file`,
        ),
      ],
    ),
    [
      "{ name: corp, issuer: https://id.example, client_id: a, only: true }",
      /"only" is not known; expected name, preset, issuer/,
    ],
    [
      "{ name: corp, preset: applications, issuer: https://id.example, client_id: a }",
      /preset: expected google, entra, github, apple, keycloak, application, or none/,
    ],
  ]
  for (const [line, problem] of cases) {
    const config = await read(line)
    assert.match(config.ok ? "" : config.error.join("\n"), problem, line)
  }
})

test("LOGIN-12 one application can be the only way to sign in, and not two", async () => {
  const entry = (name: string, only: boolean) =>
    `{ name: ${name}, preset: application, url: https://shop.example/in, key_file: shop.pem, only: ${only} }`
  const one = await read([entry("shop", true), entry("games", false)].join("\n  - "))
  assert.ok(one.ok)
  const two = await read([entry("shop", true), entry("games", false), entry("more", true)].join("\n  - "))
  assert.deepEqual(two.ok ? [] : two.error.map((problem) => problem.replace(/^.*yaml:/, "")), [
    "4: sign_in_providers: more: only one provider can be the only one",
  ])
})
