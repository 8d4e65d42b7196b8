/** The tests must pass beside a service that runs on its default port. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { holdDefaultPort } from "./support/free-port.ts"

/** A port that is written in the source, either to listen on or in flags and environment variables. */
const FIXED = [
  /\.listen\(\s*[1-9]/,
  /\.listen\(\s*\{[^}]*\bport: [1-9]/,
  /--port[",=\s]+[1-9]/,
  /\bLATCHKEY_(?:PORT|METRICS)\b["']?\]?\s*[:=]\s*["']?[1-9]\d*\b/,
]

test("TEST-1 while the tests run, the default port of the service is taken", async () => {
  await holdDefaultPort()
  const second = createServer().listen(8787, "127.0.0.1")
  const [error] = (await once(second, "error")) as [NodeJS.ErrnoException]
  assert.equal(error.code, "EADDRINUSE")
})

test("TEST-1 a port that is written down is found", () => {
  const bad = [
    "server.listen(8787)",
    "server.listen({ host, port: 8787 })",
    '["serve", "--port", "8787"]',
    "latchkey serve --port 8787",
    'LATCHKEY_PORT: "8787"',
    'env["LATCHKEY_PORT"] = "8787"',
    "env LATCHKEY_METRICS=9464",
  ]
  for (const text of bad) assert.ok(isFixed(text), text)
  for (const text of ["server.listen(0)", '"--port", "0"', "LATCHKEY_PORT: String(port)"])
    assert.equal(isFixed(text), false, text)
})

test("TEST-1 no test listens on a port that is written down, and no script serves on the default one", () => {
  const root = join(import.meta.dirname, "..")
  const files = ["test", "proofs"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  )
  const read = (ending: string) =>
    files
      .filter((name) => name.endsWith(ending) && !name.endsWith("fixed-port.test.ts"))
      .map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }))
  const fixed = [...read(".ts"), ...read(".js")].filter(({ text }) => isFixed(text)).map(({ name }) => name)
  assert.deepEqual(fixed, [])
  // A line that begins with `>` must succeed. A script that serves in this way would never end.
  const serving = read(".txt").filter(({ text }) => /^> latchkey (?!.*--help).*\bserve\b/m.test(text))
  assert.deepEqual(
    serving.map(({ name }) => name),
    [],
  )
})

function isFixed(text: string): boolean {
  return FIXED.some((pattern) => pattern.test(text))
}
