import assert from "node:assert/strict"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import {
  isOfKubernetes,
  isSecret,
  knownVariables,
  operatorVariables,
} from "../../../src/platform/config/variables.rules.ts"

const root = join(import.meta.dirname, "../../..")
const TABLE = "src/platform/config/variables.rules.ts"

/** Files with names that do not exist: the tests of wrong names, and a cookie. */
const OF_WRONG_NAMES = ["test/cli/environment.txt", "test/platform/config", "test/regress/front-door.test.ts"]

const folders = ["bin", "src", "packages", "deploy", "release", "examples", "test", "bench", "proofs", "docs"]
const variables = new Map<string, string>()
for (const folder of folders)
  for (const path of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
    const file = `${folder}/${path}`
    if (file === TABLE || /node_modules|\.(png|jpe?g|gif|webp|db|gz)$/.test(file)) continue
    if (OF_WRONG_NAMES.some((name) => file.startsWith(name)) || !statSync(join(root, file)).isFile()) continue
    const named = readFileSync(join(root, file), "utf8").matchAll(/\bLATCHKEY(?:_[A-Z]+)+\b/g)
    for (const [name] of named) if (!isOfKubernetes(name, "")) variables.set(name, file)
  }

test("CLI-3 every variable that the service, the gate, the kits, the examples, the tests or the documents name is known", () => {
  assert.ok(variables.size > 25, String(variables.size))
  for (const [name, file] of variables) assert.ok(knownVariables.has(name), `${file}: ${name}`)
})

test("CLI-3 no variable is known that nothing reads", () => {
  for (const name of knownVariables)
    assert.ok(variables.has(name) || isSecret(name.replace(/_FILE$/, "")), name)
})

test("CLI-4 each variable that can hold a secret has a twin with the path of a file", () => {
  for (const name of operatorVariables) assert.equal(knownVariables.has(`${name}_FILE`), isSecret(name), name)
  for (const name of ["SECRET_KEY", "SECRET_KEY_NEW", "DATABASE_URL", "SMTP_URL", "MOVE_TO"])
    assert.ok(isSecret(`LATCHKEY_${name}`), name)
})

test("CLI-3 what Kubernetes sets for a Service called latchkey is ignored, and a misspelled name is not", () => {
  const ofKubernetes: readonly (readonly [string, string])[] = [
    ["LATCHKEY_SERVICE_HOST", "10.96.7.1"],
    ["LATCHKEY_SERVICE_PORT", "80"],
    ["LATCHKEY_SERVICE_PORT_HTTP", "80"],
    ["LATCHKEY_PORT", "tcp://10.96.7.1:80"],
    ["LATCHKEY_PORT_80_TCP", "tcp://10.96.7.1:80"],
    ["LATCHKEY_PORT_80_TCP_PROTO", "tcp"],
    ["LATCHKEY_PORT_53_UDP_ADDR", "10.96.7.1"],
    ["LATCHKEY_GATE_PORT", "tcp://10.96.7.1:80"],
  ]
  for (const [name, value] of ofKubernetes) assert.ok(isOfKubernetes(name, value), name)
  for (const [name, value] of [
    ["LATCHKEY_PORT", "8787"],
    ["LATCHKEY_PORTS", "tcp://10.96.7.1:80"],
    ["LATCHKEY_PORT_80", "8080"],
    ["LATCHKEY_SERVICE", "x"],
  ] as const)
    assert.ok(!isOfKubernetes(name, value), name)
})
