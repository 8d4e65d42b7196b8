import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { hashSync } from "bcryptjs"
import { importFile, type Imported } from "../../../src/admin/moving-in/import.ts"
import type { SourceName } from "../../../src/admin/moving-in/source.ts"
import { Browser } from "../../support/browser.ts"
import { codeAt, halfSignedIn, isSignedIn, wrongCode } from "../../accounts/factors/factors.ts"
import { fixture } from "../../support/fixture.ts"
import { everything } from "../../support/stored.ts"
import { PASSWORD, OPERATOR } from "../../support/test-server.ts"

const { testServer } = await fixture({ admins: ["root"] })

const HASH = hashSync(PASSWORD, 4)

async function imported(
  source: SourceName,
  text: string,
  isDryRun = false,
): Promise<Imported & { readonly reported: Imported | null }> {
  const answer = await tried(source, text, isDryRun)
  if (!answer.ok) throw new Error(answer.error)
  return { ...answer.value, reported: answer.reported }
}

async function tried(source: SourceName, text: string, isDryRun = false) {
  const file = join(testServer.dir, "export")
  writeFileSync(file, text)
  let reported: Imported | null = null
  const keep = (checked: Imported) => {
    reported = checked
  }
  const answer = await importFile(testServer.latchkey, { source, file, isDryRun }, keep, () => undefined)
  return { ...answer, reported }
}

function csv(...rows: readonly string[]): string {
  return ["user_id,username,password_hash", ...rows, ""].join("\n")
}

async function hashOf(username: string): Promise<string | undefined> {
  const [row] = await testServer.database.rows(
    "SELECT password_hash AS hash FROM account WHERE username = ?",
    username,
  )
  return row?.["hash"] as string | undefined
}

describe("MOVE-1, MOVE-2: a CSV file", () => {
  test("its accounts keep their ids, and their passwords sign in", async () => {
    const answer = await imported("csv", csv(`auth0|a/b?c#d,alice,${HASH}`, `7,"bob, the ""b""",${HASH}`))
    assert.deepEqual([answer.accounts, answer.apps, answer.tokens, answer.skipped], [2, 0, 0, []])
    const browser = new Browser(testServer.url)
    assert.equal((await browser.signIn("alice", "wrong password")).status, 403)
    assert.equal((await browser.signIn("alice", PASSWORD)).status, 303)
    assert.equal(
      (await testServer.latchkey.store.read({ accountByName: "alice" })).accountByName?.userId,
      "auth0|a/b?c#d",
    )
  })

  test("MOVE-4 the first sign-in replaces the hash, and the password still works", async () => {
    await imported("csv", csv(`r1,rehashed,${HASH}`))
    assert.equal(await hashOf("rehashed"), HASH)
    for (let times = 0; times < 2; times++) {
      const browser = new Browser(testServer.url)
      assert.equal((await browser.signIn("rehashed", PASSWORD)).status, 303)
      assert.match((await hashOf("rehashed")) ?? "", /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    }
  })

  test("MOVE-4 what bcrypt did not read is not hashed again: a typo there locks no owner out", async () => {
    const long = `${"a long passphrase ".repeat(4)}and its end`
    assert.ok(Buffer.byteLength(long) > 72)
    const longHash = hashSync(long, 4)
    const wide = "\ufb03".repeat(30)
    const wideHash = hashSync(wide.normalize("NFKC"), 4)
    await imported("csv", csv(`l1,longwinded,${longHash}`, `l2,wide,${wideHash}`))
    for (const typed of [`${long} with a typo`, long]) {
      assert.equal((await new Browser(testServer.url).signIn("longwinded", typed)).status, 303)
      assert.equal(await hashOf("longwinded"), longHash)
    }
    assert.equal((await new Browser(testServer.url).signIn("wide", wide)).status, 303)
    assert.equal(await hashOf("wide"), wideHash, "of either form")
  })

  test("MOVE-8 a secret of one-time passwords asks for its code, and is stored encrypted", async () => {
    const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    const head = "user_id,username,password_hash,totp_secret\n"
    await imported("csv", `${head}otp-1,guarded,${HASH},${secret.toLowerCase()}\n`)
    const { browser, page } = await halfSignedIn(testServer, "guarded")
    const step = "/sign-in/code"
    const wrong = await browser.submit(page, step, { code: wrongCode(testServer, secret) })
    assert.equal(wrong.status, 403)
    await browser.submit(page, step, { code: codeAt(testServer, secret) })
    assert.equal(await isSignedIn(browser), true)
    assert.ok(!JSON.stringify(await everything(testServer)).includes(secret))
  })

  test("MOVE-3 a repeated import adds nothing", async () => {
    const file = csv(`once-1,once,${HASH}`)
    assert.equal((await imported("csv", file)).accounts, 1)
    const again = await imported("csv", file)
    assert.deepEqual([again.accounts, again.skipped, again.present], [0, [], 1])
  })

  test("MOVE-3 what clashes is reported before anything is written", async () => {
    const rootId = (await testServer.latchkey.store.read({ accountByName: "root" })).accountByName?.userId
    const long = "x".repeat(256)
    const file = csv(
      `${rootId},other,${HASH}`,
      `new-1,ROOT,${HASH}`,
      `new-2,twin,${HASH}`,
      `new-2,twin2,${HASH}`,
      `new-3,TWIN,${HASH}`,
      `${long},long,${HASH}`,
      `,none,${HASH}`,
      `new-4,without,`,
      `new-5,odd,$md5$abc`,
    )
    const checked = await imported("csv", file, true)
    assert.equal(await hashOf("twin"), undefined, "a dry run writes nothing")
    const answer = await imported("csv", file)
    assert.deepEqual(answer.reported, checked.reported)
    assert.deepEqual(
      answer.skipped.map(({ what, name }) => `${what} ${name}`),
      [
        "password without",
        "password odd",
        "account other",
        "account ROOT",
        "account twin2",
        "account TWIN",
        "account long",
        "account none",
      ],
    )
    assert.equal(answer.accounts, 3)
    const browser = new Browser(testServer.url)
    assert.equal((await browser.signIn("without", PASSWORD)).status, 403)
  })

  test("MOVE-3 no account gets the id of a removed one", async () => {
    const file = csv(`gone-1,gone,${HASH}`)
    await imported("csv", file)
    const { removeAccountOfId } = await import("../../../src/accounts/account-by-id.ts")
    assert.equal((await removeAccountOfId(testServer.latchkey, "gone-1", OPERATOR)).ok, true)
    const answer = await imported("csv", file)
    assert.equal(answer.accounts, 0)
    assert.match(answer.skipped[0]?.reason ?? "", /removed account/)
  })

  test("MOVE-1 a file that is not what the command says changes nothing", async () => {
    const bad = [
      "",
      "name,hash\n",
      csv(`bad-1,bad,${HASH}`, "bad-2,too few"),
      csv(`bad-1,bad,${HASH},too,many`),
      "user_id,username,password_hash,enabled\nbad-1,bad,x,perhaps\n",
      "user_id,username,password_hash,created_at\nbad-1,bad,x,yesterday\n",
      `user_id,username,password_hash\nbad-1,bad,"${"x".repeat(1 << 21)}`,
      "user_id,user_id,username,password_hash\n",
    ]
    for (const text of bad) {
      const answer = await tried("csv", text)
      assert.equal(answer.ok, false, text.slice(0, 80))
      assert.match(answer.ok ? "" : answer.error, /is not a file of csv: .*Nothing was imported/)
    }
    assert.equal(await hashOf("bad"), undefined)
  })
})
