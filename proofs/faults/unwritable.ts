/**
 * Some files are not writable, or are not what they should be. The service names the file, ends with status 1 and
 * creates nothing. It runs as an ordinary user, because root may do everything.
 */
import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  done,
  type Ended,
  environmentWith,
  LATCHKEY,
  type Span,
  SpawnedServer,
} from "../../test/support/spawn.ts"
import type { Fault, Attempted } from "./fault.ts"
import { World } from "./world.ts"

type Case = {
  readonly what: string
  readonly spoil: (dir: string) => void
  readonly says: RegExp
  /** Whether a command beside a server is refused too. */
  readonly command?: boolean
}

const database = (dir: string) => join(dir, "latchkey.db")
const secret = (dir: string) => join(dir, "secret.key")
const replace = (file: string, make: (file: string) => void) => {
  rmSync(file, { force: true })
  make(file)
}
const asDirectory = (file: string) => replace(file, (path) => mkdirSync(path))

const cases: readonly Case[] = [
  {
    what: "the database is read-only",
    spoil: (dir) => chmodSync(database(dir), 0o400),
    says: /latchkey\.db|read-?only/,
    command: true,
  },
  {
    what: "the database is not readable",
    spoil: (dir) => chmodSync(database(dir), 0),
    says: /latchkey\.db|unable to open/,
    command: true,
  },
  {
    what: "the database is of another owner",
    spoil: (dir) => (chmodSync(database(dir), 0o600), chownSync(database(dir), 0, 0)),
    says: /latchkey\.db|unable to open/,
    command: true,
  },
  {
    what: "a directory is in the place of the database",
    spoil: (dir) => asDirectory(database(dir)),
    says: /latchkey\.db|unable to open/,
    command: true,
  },
  {
    what: "a directory is in the place of the log",
    spoil: (dir) => asDirectory(`${database(dir)}-wal`),
    says: /latchkey\.db|unable to open/,
    command: true,
  },
  {
    what: "the log is of another owner",
    spoil: (dir) => {
      writeFileSync(`${database(dir)}-wal`, "")
      chmodSync(`${database(dir)}-wal`, 0o600)
      chownSync(`${database(dir)}-wal`, 0, 0)
    },
    says: /latchkey\.db|unable to open|read-?only/,
    command: true,
  },
  {
    what: "the directory is read-only",
    spoil: (dir) => chmodSync(dir, 0o500),
    says: /may not use it: allow it with chmod -R u\+rwX/,
    command: true,
  },
  {
    what: "the directory may not be entered",
    spoil: (dir) => chmodSync(dir, 0),
    says: /may not use it|permission|unable to open/,
  },
  {
    what: "a file is in the place of the directory",
    spoil: (dir) => {
      rmSync(dir, { recursive: true })
      writeFileSync(dir, "a file")
    },
    says: /EEXIST|ENOTDIR|file/,
  },
  { what: "the secret may not be read", spoil: (dir) => chmodSync(secret(dir), 0), says: /secret\.key/ },
  {
    what: "the secret is of another owner",
    spoil: (dir) => (chmodSync(secret(dir), 0o600), chownSync(secret(dir), 0, 0)),
    says: /secret\.key/,
  },
  {
    what: "a directory is in the place of the secret",
    spoil: (dir) => asDirectory(secret(dir)),
    says: /secret\.key|EISDIR/,
  },
  {
    what: "the secret is empty",
    spoil: (dir) => writeFileSync(secret(dir), ""),
    says: /secret\.key must hold at least 32/,
  },
  {
    what: "the secret is cut short",
    spoil: (dir) => writeFileSync(secret(dir), readFileSync(secret(dir)).subarray(0, 20)),
    says: /secret\.key must hold at least 32/,
  },
  {
    what: "the secret is another",
    spoil: (dir) => writeFileSync(secret(dir), `${"x".repeat(43)}\n`),
    says: /another service secret/,
  },
  {
    what: "the secret is gone",
    spoil: (dir) => rmSync(secret(dir)),
    says: /service secret of this database is needed/,
  },
  {
    what: "the lock is of another owner",
    spoil: (dir) => {
      rmSync(join(dir, "serve.lock"))
      writeFileSync(join(dir, "serve.lock"), "", { mode: 0o600 })
    },
    says: /serve\.lock|permission|unable to open/,
  },
]

export const unwritable: Fault = {
  name: "file that cannot be written or read",
  rows: "SVC-2",
  engines: ["sqlite"],
  times: cases.length * 2,
  slice: 1,
  missing: () =>
    process.getuid?.() !== 0 || !hasSetpriv() ? "only root can run as another user for a while" : null,
  bringAbout: async ({ span, work, choice, times }: Attempted) => {
    const user = otherUser()
    mkdirSync(COMPILED, { recursive: true })
    chmodSync(COMPILED, 0o777)
    span.after(() => rmSync(COMPILED, { recursive: true, force: true }))
    // Other users must be able to enter this directory, because a folder in it belongs to the service's user.
    chmodSync(work, 0o755)
    chmodSync(join(work, ".."), 0o755)
    const original = join(work, "original")
    const world = await World.open(span, original)
    await world.pairs(1)
    await world.server.stop()
    const first = choice.below(cases.length)
    for (let n = 0; n < times; n++) {
      const one = cases[(first + n) % cases.length] as Case
      const dir = join(work, `copy-${n}`)
      cpSync(original, dir, { recursive: true })
      giveTo(user, dir)
      one.spoil(dir)
      await assertRefused(one, dir, user)
    }
    await assertMissing(span, join(work, "not", "there"))
    return times
  },
}

async function assertRefused({ what, says, command = false }: Case, dir: string, user: User): Promise<void> {
  const before = listing(dir)
  const { code, stdout, stderr } = await runAs(user, ["serve", "--data", dir, "--port", "0", "--json"])
  assert.deepEqual([code, stdout], [1, ""], `${what}: ${stderr}`)
  assert.match(stderr, says, what)
  assert.doesNotMatch(stderr, /^\s+at /m, `${what}: a sentence, no stack`)
  assert.equal(stderr.trim().split("\n").length, 1, `${what}: ${stderr}`)
  assert.deepEqual(listing(dir), before, `${what}: nothing is made`)
  if (!command) return
  const account = await runAs(
    user,
    ["account", "add", "bob", "--data", dir, "--password-stdin"],
    "a good long password\n",
  )
  assert.equal(account.code, 1, `${what}: ${account.stdout}`)
  assert.doesNotMatch(account.stderr, /^\s+at /m, what)
}

/** Checks that a missing directory is created with its parents, and that only its owner can enter it. */
async function assertMissing(span: Span, dir: string): Promise<void> {
  const server = await SpawnedServer.start(span, dir)
  await server.stop()
  assert.deepEqual(await done(dir, ["verify"]), [])
}

type User = { readonly uid: number; readonly gid: number }

function otherUser(): User {
  const id = (flag: string) => Number(spawnSync("id", [flag, "nobody"], { encoding: "utf8" }).stdout)
  return { uid: id("-u"), gid: id("-g") }
}

const COMPILED = join(tmpdir(), `latchkey-compiled-${process.pid}`)

function hasSetpriv(): boolean {
  return spawnSync("setpriv", ["--version"]).status === 0
}

function giveTo({ uid, gid }: User, dir: string): void {
  chmodSync(dir, 0o700)
  chownSync(dir, uid, gid)
  for (const name of readdirSync(dir)) chownSync(join(dir, name), uid, gid)
}

/** Lists the files that a start may leave, such as its lock, with their owners. */
function listing(dir: string): readonly string[] {
  try {
    return readdirSync(dir)
      .filter((name) => !/^serve\.|-(wal|shm)$/.test(name))
      .toSorted()
  } catch {
    return []
  }
}

async function runAs({ uid, gid }: User, args: readonly string[], input = ""): Promise<Ended> {
  const command = ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", LATCHKEY, ...args]
  const child = spawn(command[0] ?? "", command.slice(1), {
    // The code is compiled only once, because this user cannot write to the usual cache.
    env: environmentWith({ NODE_COMPILE_CACHE: COMPILED }),
    timeout: 60_000,
  })
  const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout.on("data", (part: Buffer) => parts.stdout.push(part))
  child.stderr.on("data", (part: Buffer) => parts.stderr.push(part))
  child.stdin.end(input)
  const [code] = (await once(child, "close")) as [number | null]
  const text = (all: readonly Buffer[]) => Buffer.concat(all).toString()
  return { code, stdout: text(parts.stdout), stderr: text(parts.stderr) }
}
