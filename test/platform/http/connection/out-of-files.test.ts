/**
 * Tests a service that can open no more files. It reports the problem where it needs a file, and works again when it
 * can. The test sets the limit from outside.
 */
import { before, test } from "node:test"
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { hiddenFields, type Browser } from "../../../support/browser.ts"
import { signedInBrowser } from "../../../support/connect.ts"
import { addAccount } from "../../../support/seed.ts"
import { png } from "../../../support/picture.ts"
import { newDirectory, SpawnedServer, wholeFile } from "../../../support/spawn.ts"
import { until } from "../../../support/until.ts"

const ICON = "/account/apps/icon"
/** The first visit to each of these pages loads a library. */
const TOTP = "/account/security/totp"
const PASSKEY = "/account/security/passkey"

const noLimits = spawnSync("prlimit", ["--version"]).status !== 0 && "there is no prlimit here"
const span = wholeFile()

let server: SpawnedServer
let person: Browser
let clientId: string

before(async () => {
  if (noLimits !== false) return
  const dir = newDirectory(span)
  await addAccount(dir, "ada")
  server = await SpawnedServer.start(span, dir)
  person = await signedInBrowser(server, "ada")
  const app = {
    name: "Notebook",
    type: "public",
    redirect_uris: "http://127.0.0.1/a",
    permission: "account:read",
  }
  const page = await person.get("/account/apps/new")
  const answer = await person.submit(page, "/account/apps/new", app)
  clientId = /[?]id=([0-9a-z]{26})/.exec(answer.location ?? answer.text)?.[1] ?? ""
})

/** Sets how many files the process may have open from now on. Open files stay open. */
function allow(files: number): void {
  const said = spawnSync("prlimit", ["--pid", String(server.pid), `--nofile=${files}:`], { encoding: "utf8" })
  assert.equal(said.status, 0, said.stderr)
}

async function lookAt(path: string): Promise<[number, string | null]> {
  const { status, headers } = await person.get(path)
  return [status, headers.get("retry-after")]
}

async function sendIcon(): Promise<[number, string | null]> {
  const fields = { ...hiddenFields((await person.get(`${ICON}?id=${clientId}`)).text, ICON), id: clientId }
  const { status, headers } = await person.postFile(ICON, fields, "icon", png(40, 20))
  return [status, headers.get("retry-after")]
}

test(
  "ERR-10, FACTOR-1, ICON-1: what needs a file is answered 503 while none can be opened, and 200 afterwards",
  {
    skip: noLimits,
  },
  async () => {
    for (const [what, ask, good] of [
      ["a library", () => lookAt(TOTP), 200],
      ["a picture", sendIcon, 303],
    ] as const) {
      allow(1)
      for (let times = 0; times < 2; times++) assert.deepEqual(await ask(), [503, "2"], what)
      allow(1024)
      assert.deepEqual(await ask(), [good, null], what)
    }
    // Log lines are buffered and written shortly after the response.
    const logLine = /"msg":"no file descriptor is left"/
    await until(() => logLine.test(server.stderr), "it is in the log")
  },
)

test("FACTOR-1: a library of which only a part could be read is read again", { skip: noLimits }, async () => {
  // The limit is lowered while the library is loading.
  const first = lookAt(PASSKEY)
  allow(1)
  assert.ok([200, 503].includes((await first)[0]))
  allow(1024)
  assert.deepEqual(await lookAt(PASSKEY), [200, null])
})
