import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { snippetFor } from "../../../src/gate/snippets/snippets.rules.ts"
import { latchkey, newDirectory } from "../../support/spawn.ts"

const ASKED = ["gate", "snippet", "haproxy", "--host", "api.example.org"]

test("PROXY-1: gate snippet prints the files of a proxy, as text, as JSON or into a directory", async (t) => {
  const printed = await latchkey(ASKED)
  assert.equal(printed.code, 0, printed.stderr)
  assert.match(printed.stdout, /^===== \/etc\/haproxy\/haproxy\.cfg$/m)
  const { files } = JSON.parse((await latchkey([...ASKED, "--json"])).stdout) as {
    files: { path: string; text: string }[]
  }
  assert.deepEqual(
    files.map(({ path }) => path),
    ["/etc/haproxy/haproxy.cfg", "/etc/haproxy/latchkey-gate.lua"],
  )
  const dir = newDirectory(t)
  assert.equal((await latchkey([...ASKED, "--out", dir])).code, 0)
  assert.equal(readFileSync(join(dir, "latchkey-gate.lua"), "utf8"), files[1]?.text)
  const again = await latchkey([...ASKED, "--out", dir])
  assert.equal(again.code, 1)
  assert.match(again.stderr, /haproxy\.cfg/)
})

test("PROXY-1: the command of docs/gate.md prints the configuration that the tests run", async () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/gate.md"), "utf8")
  const [, words = ""] = /^bin\/latchkey (gate snippet .*[^\\])$/m.exec(page) ?? []
  const { stdout } = await latchkey(words.split(" "))
  const options = { gate: "127.0.0.1:8790", app: "127.0.0.1:3000", host: "api.example.org", secret: false }
  assert.deepEqual(
    snippetFor("nginx", options).map(({ text }) => text),
    [stdout],
  )
})

test("wrong options of gate snippet are named", async () => {
  for (const [more, problem] of [
    [["--gate", "8790"], /--gate must be HOST:PORT/],
    [["--app", "x;y:1"], /--app must be HOST:PORT/],
  ] as const) {
    const { code, stderr } = await latchkey([...ASKED, ...more])
    assert.equal(code, 2)
    assert.match(stderr, problem)
  }
  const { code, stderr } = await latchkey([
    "gate",
    "snippet",
    "gateway-api",
    "--host",
    "a.example",
    "--secret",
  ])
  assert.equal(code, 2)
  assert.match(stderr, /--secret is not for gateway-api/)
})
