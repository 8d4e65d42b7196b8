/** Tests the message for each field in the form of an app. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { TokenId, UserId } from "../../src/kernel/ids.ts"
import { defaultSwitches } from "../../src/model/clients/app-switches.rules.ts"
import { defaultOpenid } from "../../src/model/clients/openid-members.rules.ts"
import { appProblems, type TypedApp } from "../../src/apps/app-problems.rules.ts"
import { parseAppRegistration } from "../../src/apps/own-app.rules.ts"
import { permissions, sampleCatalog } from "../support/core-sample.ts"

const right: TypedApp = {
  type: "public",
  name: "Notebook",
  redirectUris: ["http://127.0.0.1/callback"],
  permissions: ["files:read"],
  groups: [],
  ...defaultSwitches,
  ...defaultOpenid,
  jwks: "",
  jwksUri: "",
  workload: { issuer: "", audience: "", subject: "" },
  owner: "",
  serviceAccount: "",
}
const sampleBinding = { userId: "ci" as UserId, tokenId: "token" as TokenId }
const none = { ceiling: permissions(""), redirectUris: [] as readonly string[], binding: null }
const problems = (more: Partial<TypedApp>, ceiling = "") =>
  appProblems(
    sampleCatalog,
    { ...right, ...more },
    { ...none, ceiling: permissions(ceiling) },
    {
      openSchemes: ["cursor"],
    },
  )

test("SVC-8 a form that is right has no problem, and may leave addresses and permissions empty", () => {
  assert.deepEqual(appProblems(sampleCatalog, right, null, { openSchemes: [] }), [])
  assert.deepEqual(problems({ redirectUris: [], permissions: [] }), [])
})

test("SVC-8 each field says what is wrong with it, all of them at once", () => {
  const all = problems({ type: null, name: " ", permissions: ["nothing:like"] })
  assert.deepEqual(
    all.map(({ field }) => field),
    ["type", "name", "permission"],
  )
  assert.deepEqual(problems({ name: "N\u043etebook" }), [
    {
      field: "name",
      message: "One word of the name mixes Latin, Cyrillic or Greek letters, which look alike.",
    },
  ])
})

test("CLIENT-6 of several addresses every line that is wrong is named, whatever kind of app it is, of one it is plain", () => {
  const bad = "https://a.example/#x"
  const [one] = problems({ redirectUris: [bad] })
  assert.equal(one?.message, "The address has a fragment (#), even if it is empty.")
  const [second] = problems({ redirectUris: ["http://127.0.0.1/", bad] })
  assert.equal(second?.message, "Line 2: The address has a fragment (#), even if it is empty.")
  const [both] = problems({ type: null, redirectUris: [bad, "http://127.0.0.1/", "app"] }).slice(1)
  assert.equal(
    both?.message,
    `Line 1: ${one?.message}\nLine 3: The address is not absolute: it has no scheme.`,
  )
  const many = Array.from({ length: 21 }, (_, at) => `https://a.example/${at}`)
  assert.equal(problems({ redirectUris: many })[0]?.message, "An app has at most 20 redirect URIs.")
  assert.equal(problems({ type: "confidential", redirectUris: ["app.example:/back"] }).length, 1)
})

test("REDIR-5 a scheme without a period is named with its line; one that is registered is not asked about", () => {
  const typed = { ...right, redirectUris: ["old:/done", "cursor://x/y", "app:/y"] }
  const registered = { ...none, redirectUris: ["old:/done"] }
  const [problem, ...more] = appProblems(sampleCatalog, typed, registered, { openSchemes: ["cursor"] })
  assert.match(problem?.message ?? "", /^Line 3: The scheme app: has no period, unlike com\.example\.app/)
  assert.equal(more.length, 0)
})

test("CLIENT-7 administration is for administrators to give; what they gave, and what left the catalog, may stay", () => {
  assert.equal(
    problems({ permissions: ["admin:events"] })[0]?.message,
    "Only an administrator can let an app ask for admin:events.",
  )
  assert.deepEqual(problems({ permissions: ["admin:events", "old:one"] }, "admin:events old:one"), [])
})

test("SVC-7 an administrator may use any scheme and name, and gives administration; a public app is no API", () => {
  const typed = { ...right, name: "N\u043etebook", redirectUris: ["app:/y"], permissions: ["admin:events"] }
  assert.deepEqual(appProblems(sampleCatalog, typed, null, null), [])
  const [problem, ...more] = appProblems(sampleCatalog, { ...typed, resourceServer: true }, null, null)
  assert.deepEqual([problem?.field, more.length], ["resource_server", 0])
})

test("SVC-8 what the form lets through, the registration takes; what it stops, that refuses", () => {
  const forms: readonly Partial<TypedApp>[] = [
    {},
    { name: "" },
    { name: "x".repeat(101) },
    { redirectUris: ["javascript:alert(1)"] },
    { redirectUris: ["https://a.example/", "https://a.example/"] },
    { redirectUris: ["cursor://x/y"] },
    { redirectUris: ["app:/y"] },
    { permissions: ["admin:settings"] },
    { permissions: ["toString"] },
  ]
  for (const more of forms) {
    const asked = { ...right, type: "public", ...more } as never
    const isTaken = parseAppRegistration(sampleCatalog, asked, { openSchemes: ["cursor"] }).ok
    assert.equal(problems(more).length === 0, isTaken, JSON.stringify(more))
  }
})

test("SERVICE-2 the permission that an owner adds to a bound app is marked at its field", () => {
  const bound = { ...none, ceiling: permissions("files:write"), binding: sampleBinding }
  const found = (owner: { openSchemes: readonly string[] } | null, ...names: string[]) =>
    appProblems(sampleCatalog, { ...right, permissions: names }, bound, owner)
  const [problem, ...more] = found({ openSchemes: [] }, "files:write", "account:read")
  assert.deepEqual(
    [problem?.field, problem?.message, more],
    [
      "permission",
      "The app acts for a service account. Only an administrator can let it ask for account:read.",
      [],
    ],
  )
  assert.deepEqual(found({ openSchemes: [] }, "files:read"), [])
  assert.deepEqual(found(null, "files:write", "account:read"), [])
})
