import assert from "node:assert/strict"
import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { describe, it } from "node:test"
import { type Change, decided } from "../../../../src/model/change.rules.ts"
import type { Permission } from "../../../../src/kernel/ids.ts"
import type {
  AccessToken,
  Credential,
  Family,
  RepeatElsewhere,
} from "../../../../src/model/credential.rules.ts"
import { event } from "../../../../src/model/event.rules.ts"
import { rotate } from "../../../../src/oauth/credential/family.rules.ts"
import { codeBytes } from "../../../../src/store/codecs/packed-code.ts"
import { familyBytes } from "../../../../src/store/codecs/packed-family.ts"
import { openSqlite } from "../../../../src/store/sqlite/sqlite-store.ts"
import { metaKeys } from "../../../../src/store/loadable.ts"
import type { Problem } from "../../../../src/store/list-shapes.ts"
import type { DeviceGrant, DevicePurpose } from "../../../../src/model/device-grant.rules.ts"
import {
  account,
  active,
  approval,
  client,
  code,
  consent,
  deviceGrant,
  family,
  hash,
  id,
  issued,
  NOW,
  session,
} from "../../samples.ts"
import { assertRefused, rawly, REFUSED, scratchDirectory } from "../../scratch.ts"

/** The signature of a PNG is enough, because the bytes after it are not checked. */
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** One credential of each kind: 0 is issued, 1 is active and rotated ten times, 2 is revoked. */
function credentials(): Credential[] {
  let rotated = family()
  for (let i = 1; i <= 10; i++) {
    const pair = { accessToken: "", refreshToken: "", accessHash: hash(`a${i}`), refreshHash: hash(`r${i}`) }
    const answeredScope = consent().scope
    const next = {
      pair,
      narrowedTo: answeredScope,
      answeredScope,
      accessSeconds: 60,
      from: "192.0.2.7",
    }
    rotated = rotate(consent(), rotated, next, NOW + i)
  }
  return [
    issued(0),
    { ...active(1), life: { state: "active", family: rotated, elevatedUntil: NOW } },
    { ...active(2), life: { state: "revoked", family: null, revokedAt: NOW, because: "app" } },
  ]
}

/** One grant of each kind: 0 is pending, 1 approved, 2 denied, 3 an approved step-up. */
function deviceGrants(): DeviceGrant[] {
  const purpose: DevicePurpose = {
    purpose: "step-up",
    tokenId: id("t", 1),
    userId: id("a"),
    reason: "To remove",
  }
  return [
    deviceGrant(0),
    deviceGrant(1, approval()),
    deviceGrant(2, { state: "denied", deniedAt: NOW, userId: id("a") }),
    deviceGrant(3, { ...approval(), granted: [] }, { purpose }),
  ]
}

/** The database is created once and copied for every test. */
let made: Promise<Uint8Array> | null = null

async function seeded(file: string): Promise<void> {
  made ??= seed(`${file}.first`)
  writeFileSync(file, await made)
}

async function seed(file: string): Promise<Uint8Array> {
  const store = openSqlite(file)
  const changes: Change[] = [
    { change: "accountAdded", account: account() },
    { change: "clientAdded", client: client() },
    { change: "sessionAdded", session: session() },
    { change: "browserKnown", browserHash: hash("browser"), userId: account().userId, at: NOW },
    {
      change: "codeTriesSet",
      userId: account().userId,
      tries: { userId: account().userId, unknownFailures: 1, knownFailures: 0 },
    },
    { change: "setupLinkSet", hash: hash("link"), at: NOW },
    { change: "iconSet", clientId: client().clientId, icon: { png: PNG, hash: hash("icon") } },
    { change: "ticketSpent", ticketId: id("t"), at: NOW },
    { change: "settingSet", key: "token.access_seconds", value: "60" },
    { change: "metaSet", key: metaKeys.serviceSecretCheck, value: "check" },
    { change: "eventRecorded", event: event("consented", NOW, { userId: account().userId }) },
    ...credentials().map((credential): Change => ({ change: "credentialAdded", credential })),
    ...deviceGrants().map((grant): Change => ({ change: "deviceGrantAdded", grant })),
  ]
  await store.change({}, () => decided(null, ...changes))
  await store.close()
  // All data is in this one file.
  assert.ok(!existsSync(`${file}-wal`))
  return readFileSync(file)
}

async function problemsOf(file: string): Promise<readonly Problem[]> {
  const store = openSqlite(file)
  try {
    return await store.verify()
  } finally {
    await store.close()
  }
}

/** Overwrites the first page of a table or an index with zeros. */
function losePage(file: string, name: string): void {
  const database = new DatabaseSync(file)
  const first = database.prepare("SELECT pageno, pgsize FROM dbstat WHERE name = ? ORDER BY pageno").get(name)
  database.close()
  const [page, size] = [Number(first?.["pageno"]), Number(first?.["pgsize"])]
  const descriptor = openSync(file, "r+")
  writeSync(descriptor, Buffer.alloc(size), 0, size, (page - 1) * size)
  closeSync(descriptor)
}

function at(number: number): string {
  return `WHERE token_id = '${id("t", number)}'`
}

function inHex(bytes: Uint8Array): string {
  return `x'${Buffer.from(bytes).toString("hex")}'`
}

function packedCode(isRedeemed: boolean): string {
  return inHex(codeBytes(code(), isRedeemed))
}

function accessToken(differing: Partial<AccessToken> = {}): AccessToken {
  return { hash: hash("access"), issuedAt: NOW, expiresAt: NOW + 60, narrowedTo: null, ...differing }
}

function elsewhere(differing: Partial<RepeatElsewhere> = {}): RepeatElsewhere {
  return { generation: 11, at: NOW, from: "203.0.113.7", firstFrom: "192.0.2.7", ...differing }
}

/** Moves new events to the indexed table. */
const INDEXED =
  "INSERT INTO event_row (id, at, kind) SELECT id, at, kind FROM event_new; DELETE FROM event_new"

/** Returns a statement that gives other tokens to the second credential, which is in its eleventh generation. */
function packedFamily(differing: Partial<Family>): string {
  const retired = { hash: hash("r"), nonce: "nonce", answeredScope: consent().scope }
  const whole = family({ retired, retirements: [{ generation: 10, at: NOW }], ...differing })
  return `UPDATE credential_row SET family = ${inHex(familyBytes(whole, consent().scope))} ${at(1)}`
}

function grantOf(number: number): string {
  return `WHERE grant_id = '${deviceGrant(number).request.grantId}'`
}

/** SQL that damages the database, and a word of the problem that must be reported. */
const broken: readonly [sql: string, table: string, problem: RegExp][] = [
  [`UPDATE credential_row SET state = 9 ${at(0)}`, "credential", REFUSED],
  [`UPDATE credential_row SET scope = '' ${at(0)}`, "credential", REFUSED],
  [`UPDATE credential_row SET scope = 'a:b a:b' ${at(0)}`, "credential", /different names/],
  [`UPDATE credential_row SET scope = 99 ${at(0)}`, "credential", /cannot be read/],
  ["UPDATE scope SET names = ''", "credential", REFUSED],
  [`UPDATE credential_row SET ends_at = ends_at + 1 ${at(0)}`, "credential", /365 days/],
  [`UPDATE credential_row SET resources = 'https://a/' ${at(0)}`, "credential", /resources/],
  [
    `UPDATE credential_row SET resources = '["a:1","a:2","a:3","a:4","a:5","a:6","a:7","a:8","a:9"]' ${at(0)}`,
    "credential",
    /too many/,
  ],
  [`UPDATE credential_row SET token_id = 'lost' ${at(0)}`, "credential", /not an identifier/],
  [`UPDATE credential_row SET token_id = '${id("t", 9)}' ${at(0)}`, "credential", /cannot be found by/],
  [`UPDATE credential_row SET id = id + 1 ${at(0)}`, "credential", /cannot be found by/],
  [
    "INSERT INTO credential_aside (id, token_id) SELECT id, token_id FROM credential_row",
    "credential",
    /cannot be found by/,
  ],
  [`UPDATE credential_row SET account = 99 ${at(2)}`, "credential", /not an identifier/],
  [`UPDATE credential_row SET client = 99 ${at(2)}`, "credential", /not an identifier/],
  ["UPDATE name SET id = 'lo st' WHERE number = 1", "credential", /not an identifier/],
  [`UPDATE credential_row SET installation_name = ' ' ${at(0)}`, "credential", /installation_name/],
  [
    `UPDATE credential_row SET installation_name = 'a' || char(10) ${at(0)}`,
    "credential",
    /installation_name/,
  ],
  [`UPDATE credential_row SET code = NULL ${at(0)}`, "credential", REFUSED],
  [`UPDATE credential_row SET code = substr(code, 1, 60) ${at(0)}`, "credential", /cut short/],
  [`UPDATE credential_row SET code = x'0800' ${at(0)}`, "credential", /version 2/],
  [`UPDATE credential_row SET code = ${packedCode(true)} ${at(0)}`, "credential", /has no challenge/],
  [`UPDATE credential_row SET code = ${packedCode(false)} ${at(1)}`, "credential", /challenge of a redeemed/],
  [`UPDATE credential_row SET generation = 1 ${at(0)}`, "credential", REFUSED],
  [`UPDATE credential_row SET over_at = 1 ${at(0)}`, "credential", REFUSED],
  [`UPDATE credential_row SET over_at = NULL ${at(2)}`, "credential", REFUSED],
  [`UPDATE credential_row SET because = 'idle' ${at(2)}`, "credential", /does not fit the state revoked/],
  [`UPDATE credential_row SET elevated_until = 5 ${at(2)}`, "credential", REFUSED],
  [`UPDATE credential_row SET generation = 0 ${at(1)}`, "credential", REFUSED],
  [`UPDATE credential_row SET family = NULL ${at(1)}`, "credential", REFUSED],
  [`UPDATE credential_row SET family = zeroblob(160) ${at(1)}`, "credential", /generation and family/],
  [`UPDATE credential_row SET family = substr(family, 1, 99) ${at(1)}`, "credential", /cut short/],
  [`UPDATE credential_row SET family = x'0800' ${at(1)}`, "credential", /version 2/],
  [`UPDATE credential_row SET rotated_from = '192.0.2.7' ${at(0)}`, "credential", REFUSED],
  [packedFamily({ key: "" }), "credential", /no key/],
  [packedFamily({ retired: null }), "credential", /retired token disagree/],
  [
    packedFamily({ retired: { hash: hash("r"), answeredScope: ["a", "a"] as Permission[] } }),
    "credential",
    /scope of the last response/,
  ],
  [packedFamily({ retirements: [] }), "credential", /last retirement/],
  [
    packedFamily({
      retirements: [
        { generation: 10, at: NOW },
        { generation: 10, at: NOW },
      ],
    }),
    "credential",
    /out of order/,
  ],
  [
    packedFamily({ retirements: Array.from({ length: 65 }, () => ({ generation: 10, at: NOW })) }),
    "credential",
    /65 retirements/,
  ],
  [packedFamily({ accessTokens: Array(33).fill(accessToken()) }), "credential", /33 access tokens/],
  [packedFamily({ accessTokens: [accessToken({ expiresAt: 3e9 })] }), "credential", /outlives/],
  [
    packedFamily({ accessTokens: [accessToken({ narrowedTo: ["a", "a"] as Permission[] })] }),
    "credential",
    /scope of an access token/,
  ],
  [
    packedFamily({ repeats: { count: 9, elsewhere: Array<RepeatElsewhere>(9).fill(elsewhere()) } }),
    "credential",
    /9 repeats from elsewhere/,
  ],
  [packedFamily({ repeats: { count: 1, elsewhere: [elsewhere(), elsewhere()] } }), "credential", /counted/],
  [
    packedFamily({ repeats: { count: 1, elsewhere: [elsewhere({ generation: 12 })] } }),
    "credential",
    /generation of a repeat is impossible/,
  ],
  [packedFamily({ repeats: { count: 1, elsewhere: [elsewhere({ from: "" })] } }), "credential", /no address/],
  [`UPDATE credential_row SET gone = gone + 1 ${at(1)}`, "credential", /gone_at/],
  ["DELETE FROM account", "credential", /account of a live/],
  ["DELETE FROM client", "credential", /app of a live/],
  ["DELETE FROM account", "session", /row of account/],
  [`UPDATE device_grant SET purpose = 'none' ${grantOf(0)}`, "device_grant", REFUSED],
  [`UPDATE device_grant SET state = 'lost' ${grantOf(0)}`, "device_grant", REFUSED],
  [`UPDATE device_grant SET device_hash = 'lkd_plain' ${grantOf(0)}`, "device_grant", /device_hash/],
  [`UPDATE device_grant SET user_code_hash = 'BCDF-GHJK' ${grantOf(0)}`, "device_grant", /user_code_hash/],
  [`UPDATE device_grant SET expires_at = expires_at + 1 ${grantOf(0)}`, "device_grant", /ten minutes/],
  [`UPDATE device_grant SET asked = NULL ${grantOf(0)}`, "device_grant", REFUSED],
  [`UPDATE device_grant SET asked = '' ${grantOf(0)}`, "device_grant", REFUSED],
  [`UPDATE device_grant SET asked = 'a:b a:b' ${grantOf(0)}`, "device_grant", /asked is not a list/],
  [`UPDATE device_grant SET reason = 'x' ${grantOf(0)}`, "device_grant", REFUSED],
  [
    `UPDATE device_grant SET installation_name = '${"x".repeat(101)}' ${grantOf(0)}`,
    "device_grant",
    /too long/,
  ],
  [`UPDATE device_grant SET answered_at = 1 ${grantOf(0)}`, "device_grant", REFUSED],
  [`UPDATE device_grant SET user_id = NULL ${grantOf(1)}`, "device_grant", REFUSED],
  [`UPDATE device_grant SET granted = 'apps:write' ${grantOf(1)}`, "device_grant", /not requested/],
  [`UPDATE device_grant SET granted = '' ${grantOf(1)}`, "device_grant", REFUSED],
  [
    `UPDATE device_grant SET granted = 'apps:read apps:read' ${grantOf(1)}`,
    "device_grant",
    /granted is not a list/,
  ],
  [`UPDATE device_grant SET granted = 'apps:read' ${grantOf(2)}`, "device_grant", REFUSED],
  [`UPDATE device_grant SET answered_at = NULL ${grantOf(2)}`, "device_grant", REFUSED],
  [`UPDATE device_grant SET step_up_token_id = NULL ${grantOf(3)}`, "device_grant", REFUSED],
  [`UPDATE device_grant SET granted = 'apps:read' ${grantOf(3)}`, "device_grant", /not requested/],
  ["DELETE FROM account", "device_grant", /account that approved/],
  ["UPDATE client SET type = 'confidential'", "client", REFUSED],
  [`UPDATE client SET secret_hash = '${hash("s")}'`, "client", REFUSED],
  ["UPDATE client SET type = 'confidential', secret_hash = 'lks_plain'", "client", /not a digest/],
  ["UPDATE client SET type = 'secret'", "client", REFUSED],
  ["UPDATE client SET resource_server = 1", "client", REFUSED],
  ["UPDATE client SET name = ''", "client", /name: .*empty/],
  ["UPDATE client SET name = name || char(8238)", "client", /name: .*invisible/],
  ["UPDATE client SET name = name || ' '", "client", /name is not composed and trimmed/],
  ["UPDATE client SET redirect_uris = 'https://a/'", "client", /redirect_uris is not a JSON list/],
  ["UPDATE client SET redirect_uris = '{}'", "client", /redirect_uris is not a JSON list/],
  ["UPDATE client SET redirect_uris = '[1]'", "client", /redirect_uris is not a JSON list/],
  [
    "UPDATE client SET redirect_uris = '[\"http://example/\"]'",
    "client",
    /redirect_uris, "http.*needs https/,
  ],
  [
    `UPDATE client SET type = 'confidential', secret_hash = '${hash("s")}'`,
    "client",
    /redirect_uris, "app.example:.*confidential/,
  ],
  [
    `UPDATE client SET redirect_uris = '["https://a/","https://a/"]'`,
    "client",
    /redirect_uris has a URI twice/,
  ],
  [
    `UPDATE client SET redirect_uris =
       (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 21)
        SELECT json_group_array('https://a/' || i) FROM n)`,
    "client",
    /redirect_uris has 21/,
  ],
  ["UPDATE client SET ceiling = 'a:b a:b'", "client", /ceiling/],
  ["UPDATE client SET ceiling = 'a:b c\\d'", "client", /ceiling/],
  ["UPDATE client SET registered_by = 'toString'", "client", /registered_by/],
  ["UPDATE client SET owner_id = '00000000000000000000000009'", "client", /row of account/],
  ["UPDATE client SET client_id = 'lo st'", "client", /client_id/],
  ["UPDATE client SET disabled_by_owner = 1", "client", REFUSED],
  [
    "UPDATE client SET registered_by = 'itself', gone_at = 5, registration_hash = 'x'",
    "client",
    /not a digest/,
  ],
  [`UPDATE client SET registration_hash = '${hash("w")}'`, "client", REFUSED],
  ["UPDATE client SET gone_at = 5", "client", /did not register itself/],
  ["UPDATE client SET ceiling = 'a:b  c:d'", "client", /ceiling/],
  ["UPDATE client SET verified = 2", "client", REFUSED],
  ["UPDATE account SET username_key = ''", "account", /username_key/],
  ["UPDATE account SET username_key = 'ADA 0'", "account", /username_key/],
  ["UPDATE account SET username = ''", "account", /username: .*empty/],
  ["UPDATE account SET username = username || char(8203)", "account", /username: .*cannot be seen/],
  ["UPDATE account SET username = username || ' '", "account", /username is not composed and trimmed/],
  ["UPDATE account SET user_id = ''", "account", /user_id/],
  ["UPDATE account SET password_hash = 'password'", "account", /argon2id/],
  ["UPDATE account SET admin = 7", "account", REFUSED],
  ["UPDATE session SET gone_at = 1", "session", /gone_at/],
  ["UPDATE session SET session_hash = 'plain'", "session", /session_hash/],
  ["UPDATE icon SET client_id = 'lost'", "icon", /row of client/],
  ["UPDATE icon SET png = x'3c737667'", "icon", REFUSED],
  ["UPDATE icon SET png_hash = 'plain'", "icon", /png_hash/],
  ["UPDATE spent_ticket SET ticket_id = 'lost'", "spent_ticket", /ticket_id/],
  ["UPDATE setting SET key = ''", "setting", /unknown setting/],
  ["UPDATE setting SET value = '1'", "setting", /value: .*seconds/],
  ["INSERT INTO setting VALUES ('appearance.color', 'red')", "setting", /value: .*#RRGGBB/],
  ["INSERT INTO logo VALUES ('appearance.logo', 'plain', x'89504e470d0a1a0a')", "logo", /png_hash/],
  [
    `INSERT INTO logo VALUES ('appearance.logo', '${"a".repeat(43)}', x'89504e470d0a1a0a')`,
    "logo",
    /another digest/,
  ],
  ["INSERT INTO logo VALUES ('appearance.logo', 'plain', x'3c737667')", "logo", REFUSED],
  ["INSERT INTO applied VALUES ('app', 'a', '', 'key')", "applied", /has no name/],
  ["INSERT INTO applied VALUES ('thing', 'a', 'set', 'key')", "applied", REFUSED],
  ["UPDATE meta SET key = 'lost'", "meta", /unknown key/],
  ["DROP TRIGGER event_new_stays; UPDATE event_new SET kind = 'lost'", "event", /kind lost/],
  [`${INDEXED}; DROP TRIGGER event_stays; UPDATE event_row SET kind = 'lost'`, "event", /kind lost/],
  [
    `${INDEXED}; INSERT INTO event_new (id, at, kind) VALUES (1, 1, 'signed-in')`,
    "event",
    /not greater than the ids of indexed/,
  ],
  ["DROP TRIGGER event_new_stays; UPDATE event_new SET user_id = 'ada l'", "event", /user_id/],
  ["DROP TRIGGER event_new_stays; UPDATE event_new SET client_id = ''", "event", /client_id/],
  ["DROP TRIGGER event_new_stays; UPDATE event_new SET token_id = 'lka_plain'", "event", /token_id/],
  ["UPDATE known_browser SET browser_hash = 'plain'", "known_browser", /browser_hash/],
  ["UPDATE code_tries SET unknown_failures = 101", "code_tries", /more than 100/],
  ["UPDATE code_tries SET unknown_failures = 0, known_failures = 0", "code_tries", REFUSED],
  ["UPDATE setup_link SET link_hash = 'plain'", "setup_link", /link_hash/],
]

describe("verify", () => {
  it("finds nothing in a database that the service wrote, and tells how far it is", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    await seeded(file)
    const store = openSqlite(file)
    const progress: [number, number][] = []
    assert.deepEqual(await store.verify((done, of) => progress.push([done, of])), [])
    assert.deepEqual(
      [progress[0], progress.at(-1)],
      [
        [0, 18],
        [18, 18],
      ],
    )
    await store.close()
  })

  for (const [sql, table, problem] of broken) {
    it(`finds: ${sql}`, async (t) => {
      const file = join(scratchDirectory(t), "latchkey.db")
      await seeded(file)
      if (problem === REFUSED) return assertRefused(file, sql)
      rawly(file, sql)
      const found = await problemsOf(file)
      assert.ok(
        found.some((one) => one.table === table && problem.test(one.problem)),
        JSON.stringify(found),
      )
    })
  }

  it("an event of the audit trail cannot be rewritten, by whatever hand", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    await seeded(file)
    assert.throws(() => rawly(file, "UPDATE event_new SET kind = 'signed-in'"), /never rewritten/)
    rawly(file, INDEXED)
    assert.throws(() => rawly(file, "UPDATE event_row SET kind = 'signed-in'"), /never rewritten/)
    assert.throws(() => rawly(file, "UPDATE event SET kind = 'signed-in'"), /view/)
  })

  it("looks at every row of a table whose key has two columns", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    const store = openSqlite(file)
    const accounts = Array.from({ length: 600 }, (_, number) => account(number))
    await store.change({}, () =>
      decided(
        null,
        ...accounts.flatMap((one): Change[] => [
          { change: "accountAdded", account: one },
          { change: "browserKnown", browserHash: hash("browser"), userId: one.userId, at: NOW },
        ]),
      ),
    )
    await store.close()
    rawly(file, "UPDATE known_browser SET browser_hash = 'plain'")
    const names = (await problemsOf(file)).map(({ key }) => key)
    assert.deepEqual(
      names,
      accounts.map(({ userId }) => `plain ${userId}`),
    )
  })

  it("finds a page of an index that the disk lost", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    await seeded(file)
    losePage(file, "credential_gone")
    assert.ok((await problemsOf(file)).some(({ table }) => table === "(file)"))
  })

  it("finds a page of a table that the disk lost, and goes on to the next table", async (t) => {
    const file = join(scratchDirectory(t), "latchkey.db")
    await seeded(file)
    rawly(file, "UPDATE setup_link SET link_hash = 'plain'")
    losePage(file, "credential_row")
    const tables = new Set((await problemsOf(file)).map(({ table }) => table))
    assert.ok(
      tables.has("(file)") && tables.has("credential") && tables.has("setup_link"),
      [...tables].join(),
    )
  })
})
