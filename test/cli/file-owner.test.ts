/** Files that root made, for a service that runs as another user. */
import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { environmentWith, LATCHKEY, newDirectory } from "../support/spawn.ts"

const USER = 65_534
const needsRoot = process.getuid?.() === 0 ? {} : { skip: "only root can make files of another user" }

test("MSG-1 a file that another user owns is named, with its owner and the remedy", needsRoot, (t) => {
  const dir = newDirectory(t)
  const run = (args: readonly string[], uid: number) =>
    spawnSync(LATCHKEY, [...args, "--data", dir], {
      encoding: "utf8",
      env: environmentWith({}),
      uid,
      gid: uid,
      input: "",
      timeout: 120_000,
    })
  const made = run(["app", "add", "--name", "N", "--type", "public", "--redirect", "http://127.0.0.1/"], 0)
  assert.equal(made.status, 0, made.stderr)
  const give = (user: number) => {
    chownSync(dir, USER, USER)
    chmodSync(dir, 0o700)
    for (const name of readdirSync(dir)) chownSync(join(dir, name), user, user)
  }
  const belongs = (name: string) =>
    new RegExp(
      `${name} belongs to user 0 \\(mode 0600\\), and user ${USER} may not use it: .*chown -R ${USER} ${dir}\\b`,
    )
  give(0)
  const listed = run(["app", "list"], USER)
  assert.deepEqual([listed.status, belongs("latchkey\\.db").test(listed.stderr)], [1, true], listed.stderr)
  assert.match(run(["serve", "--port", "0"], USER).stderr, belongs("latchkey\\.db"))
  for (const name of ["latchkey.db.keys", "secret.key"]) {
    give(USER)
    writeFileSync(join(dir, name), name === "secret.key" ? "s".repeat(40) : "", { mode: 0o600 })
    chownSync(join(dir, name), 0, 0)
    const served = run(["serve", "--port", "0"], USER)
    assert.equal(served.status, 1)
    assert.match(served.stderr, belongs(name.replaceAll(".", "\\.")))
  }
})

const runAsUser = (args: readonly string[], dir: string) =>
  spawnSync(LATCHKEY, [...args, "--data", dir], {
    encoding: "utf8",
    env: environmentWith({ LATCHKEY_MOVE_TO: "postgres://latchkey@127.0.0.1:1/none" }),
    uid: USER,
    gid: USER,
    input: "",
    timeout: 120_000,
  })

for (const mode of [0o755, 0o700])
  test(
    `MSG-1 each command names the directory of another user with mode ${mode.toString(8)}`,
    needsRoot,
    (t) => {
      const dir = newDirectory(t)
      writeFileSync(join(dir, "latchkey.db"), "", { mode: 0o600 })
      chmodSync(dir, mode)
      const expected = new RegExp(
        `${dir} belongs to user 0 \\(mode 0${mode.toString(8)}\\), and user ${USER} may not use it: .*chown -R ${USER} ${dir}\\.\n`,
      )
      for (const command of ["migrate", "move", "serve --port 0", "account list", "verify"]) {
        const { status, stderr } = runAsUser(command.split(" "), dir)
        assert.equal(status, 1, `${command}: ${stderr}`)
        assert.match(stderr, expected, command)
        assert.doesNotMatch(stderr, /EACCES|unable to open|    at /, command)
      }
    },
  )

test("MSG-1 a directory that cannot be made names the one above it", needsRoot, (t) => {
  const above = newDirectory(t)
  chmodSync(above, 0o755)
  const dir = join(above, "a", "data")
  const { status, stderr } = runAsUser(["serve", "--port", "0"], dir)
  assert.equal(status, 1)
  assert.ok(stderr.includes(`${dir} cannot be created: ${above} belongs to user 0 (mode 0755)`), stderr)
  assert.ok(stderr.includes(`install -d -m 0700 -o ${USER} ${dir}`), stderr)
  assert.doesNotMatch(stderr, /EACCES/)
})

test("MSG-1 a lock file of another user is named", needsRoot, (t) => {
  const dir = newDirectory(t)
  chmodSync(dir, 0o755)
  for (const name of ["serve.lock", "serve.pid"]) {
    const inside = join(dir, name)
    mkdirSync(inside, { recursive: true })
    chownSync(inside, USER, USER)
    writeFileSync(join(inside, name), "", { mode: 0o600 })
    const { stderr } = runAsUser(["serve", "--port", "0"], inside)
    assert.ok(stderr.includes(`${join(inside, name)} belongs to user 0 (mode 0600)`), stderr)
    assert.ok(stderr.includes(`chown -R ${USER} ${inside}`), stderr)
  }
})
