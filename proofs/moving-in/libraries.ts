/** Hashes that the libraries of other services make now, checked as a sign-in checks them. */
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { betterAuthHash, importedHash } from "../../src/admin/moving-in/password-dialect.rules.ts"
import { matchesHash } from "../../src/platform/services/match-password.ts"

const PYTHON = ["bcrypt==5.0.0", "Django==5.2.19", "passlib==1.7.4", "argon2-cffi==25.1.0"]
const BETTER_AUTH = "better-auth@1.7.25"
const MINUTES = 5 * 60_000

/** The second password has other bytes in NFC and NFKC. */
const PASSWORDS = ["correct horse battery staple", "e\u0301galite\u0301 \ufb01n"]

type Made = {
  readonly library: string
  readonly version: string
  readonly password: string
  readonly hash: string
}

const MAKE = `
import { hashPassword } from "better-auth/crypto"
const made = []
for (const password of process.argv.slice(2)) made.push({ password, hash: await hashPassword(password) })
console.log(JSON.stringify(made))`

/** Installs the libraries, and returns the number of hashes that were right. Throws for a wrong one. */
export async function tryLibraries(work: string): Promise<{ hashes: number; libraries: string }> {
  const made = [...withPython(work), ...withBetterAuth(work)]
  for (const { library, password, hash } of made) {
    const stored = library === "better-auth" ? betterAuthHash(hash) : importedHash(hash)
    if (stored === null) throw new Error(`${library}: ${hash} is not taken`)
    if (!(await matchesHash(password, stored))) throw new Error(`${library}: ${hash} is of another password`)
    if (await matchesHash(`${password}.`, stored)) throw new Error(`${library}: ${hash} takes every password`)
  }
  const libraries = new Set(made.map(({ library, version }) => `${library} ${version}`))
  return { hashes: made.length, libraries: [...libraries].join(", ") }
}

function withPython(work: string): readonly Made[] {
  const dir = join(work, "venv")
  run(["python3", "-m", "venv", dir], work)
  run([join(dir, "bin/pip"), "install", "--quiet", ...PYTHON], work)
  const script = join(import.meta.dirname, "make-hashes.py")
  return JSON.parse(run([join(dir, "bin/python"), "-W", "ignore", script, ...PASSWORDS], work)) as Made[]
}

function withBetterAuth(work: string): readonly Made[] {
  const dir = join(work, "better-auth")
  mkdirSync(dir)
  writeFileSync(join(dir, "package.json"), '{"type": "module"}')
  run(["npm", "install", "--no-audit", "--no-fund", BETTER_AUTH], dir)
  writeFileSync(join(dir, "make.js"), MAKE)
  const [library = "", version = ""] = BETTER_AUTH.split("@")
  const made = JSON.parse(run([process.execPath, "make.js", ...PASSWORDS], dir)) as Made[]
  return made.map((one) => ({ ...one, library, version }))
}

function run([command = "", ...args]: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    timeout: MINUTES,
  })
  if (status !== 0) throw new Error(`${command} ${args[0] ?? ""} failed: ${error?.message ?? stderr}`)
  return stdout
}
