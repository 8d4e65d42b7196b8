/** The file of the gate is read as a whole: every problem has its line. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readGateConfig } from "../../../src/gate/file/gate-config.ts"
import { readGateFile } from "../../../src/gate/file/gate-file.ts"

const FILE = `service: https://id.example
client_id: gate
client_secret_file: client-secret
proxies:
  trusted: [10.0.0.0/8]
  shared_secret_file: gate-secret
hosts:
  - host: api.example
    resource: https://api.example
    routes:
      - { methods: [GET], path: "/notes/{id}", permission: "notes:read" }
assertion:
  issuer: https://gate.example
  keys: keys
`

function problemsOf(text: string): readonly string[] {
  const read = readGateFile(text, "gate.yaml")
  return read.file === null ? read.problems.map(({ line, problem }) => `${line}: ${problem}`) : []
}

test("GATE-5 a file without problems", () => {
  const read = readGateFile(FILE, "gate.yaml")
  if (read.file === null) assert.fail(problemsOf(FILE).join())
  const { assertion, hosts, trusted } = read.file
  assert.deepEqual([assertion?.algorithm, assertion?.rotateDays], ["EdDSA", 30])
  assert.deepEqual(trusted, ["10.0.0.0/8"])
  assert.deepEqual(hosts[0]?.routes[0]?.permissions, ["notes:read"])
})

test("GATE-6 require_audience of a host is off unless the file turns it on", () => {
  const on = FILE.replace("    routes:", "    require_audience: true\n    routes:")
  for (const [text, expected] of [
    [FILE, false],
    [on, true],
  ] as const) {
    const { file } = readGateFile(text, "gate.yaml")
    assert.equal(file?.hosts[0]?.requireAudience, expected)
  }
})

test("GATE-5 the files in docs/gate.md have no problem", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/gate.md"), "utf8")
  const files = [...page.matchAll(/```yaml\n([^]*?)```/g)].map(([, text = ""]) => text)
  assert.equal(files.length, 2)
  assert.deepEqual(files.flatMap(problemsOf), [])
})

describe("GATE-5 a problem of the file names its line", () => {
  const changes: readonly (readonly [from: string, to: string, problem: RegExp])[] = [
    ["service: https://id.example", "service: http://id.example", /^1: service/],
    ["client_id: gate", "", /^1: expected client_id/],
    ["client_id: gate", "client_idd: gate", /^2: .*client_idd.*client_id/],
    ["trusted: [10.0.0.0/8]", "trusted: [10.0.0.0/99]", /^5: proxies: trusted: "10.0.0.0\/99"/],
    ["host: api.example", "host: api.example:443", /^8: .*a host name without a port/],
    ["resource: https://api.example", "resource: api.example", /^9: hosts: resource/],
    ["routes:", "require_audience: maybe\n    routes:", /^10: hosts: require_audience/],
    ["methods: [GET]", "methods: [get]", /^11: .*a method in capitals/],
    ["methods: [GET]", "methods: []", /^11: .*at least one/],
    ['"/notes/{id}"', '"/notes/{id}.json"', /^11: .*must be a whole segment/],
    ['permission: "notes:read"', 'permission: "notes:read notes:write"', /^11: .*the name of one permission/],
    ['permission: "notes:read"', 'permission: "notes:read", public: true', /^11: routes: a public route/],
    [', permission: "notes:read"', "", /^11: routes: expected permission, public: true or elevation: true/],
    ['"notes:read" }', '"notes:read", paths: { allow: [dots] } }', /^11: .*expected a list of encoded_slash/],
    ["issuer: https://gate.example", "issuer: gate", /^13: assertion: issuer/],
    [
      "keys: keys",
      "keys: keys\n  algorithm: none",
      /^15: assertion: algorithm: "none": expected EdDSA or RS256/,
    ],
    [
      "keys: keys",
      "keys: keys\n  rotate_days: 0",
      /^15: assertion: rotate_days: 0: expected a number from 1 to 3650/,
    ],
    ["assertion:", "hosts: []\nassertion:", /^12: /],
    ["hosts:", "hosts: [", /^\d+: /],
  ]
  for (const [from, to, problem] of changes)
    test(`${from} → ${to}`, () => {
      const text = FILE.replace(from, to)
      assert.notEqual(text, FILE)
      assert.ok(
        problemsOf(text).some((one) => problem.test(one)),
        problemsOf(text).join("\n"),
      )
    })
})

test("GATE-1 a file without trusted addresses and without a secret is refused, and so is a short secret", (t) => {
  const bare = FILE.replace(/proxies:[^]*gate-secret\n/, "proxies: { trusted: [] }\n")
  assert.deepEqual(problemsOf(bare), ["4: proxies: expected trusted, shared_secret_file or both"])
  assert.deepEqual(problemsOf(FILE.replace(/proxies:[^]*gate-secret\n/, "")), [
    "1: proxies: expected trusted, shared_secret_file or both",
  ])
  const directory = mkdtempSync(join(tmpdir(), "latchkey-gate-"))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, "gate.yaml")
  writeFileSync(path, FILE)
  writeFileSync(join(directory, "gate-secret"), "short-secret\n")
  const read = readGateConfig(path)
  const problems = read.ok ? "" : read.error.join("\n")
  assert.match(problems, /gate.yaml:3: client-secret cannot be read/)
  assert.match(problems, /gate.yaml:6: gate-secret: expected at least 32 visible characters/)
  assert.doesNotMatch(problems, /short-secret/)
})
