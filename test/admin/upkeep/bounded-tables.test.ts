/**
 * Tests what is in memory for each address, grant, app or account. When full, it takes as much memory as
 * docs/operating.md says.
 */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { GrantId } from "../../../src/kernel/ids.ts"
import { Budget, GuessCounters } from "../../../src/platform/services/budget.ts"
import { PollIntervals } from "../../../src/platform/services/poll-intervals.ts"
import { accountOf } from "../../../src/store/codecs/account-row.ts"
import { clientOf } from "../../../src/store/codecs/client-row.ts"
import { RowCache } from "../../../src/store/sqlite/engine/row-cache.ts"

const MANY = 2 ** 18
/** The kinds of counters against guessing. */
const KINDS = 20
const clock = { monotonic: () => 0 }
const limit = { requests: 600, seconds: 60 }

/** Each function adds more entries than the table keeps, as other requests would. No two keys share their text. */
const tables: Readonly<Record<string, () => unknown>> = {
  "addresses, for the anonymous budget": () => {
    const budget = new Budget(clock)
    for (let n = 0; n < MANY; n++)
      budget.spend(partOf(`anonymous 10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`), limit)
    return budget
  },
  "addresses and names that were guessed at, 20 kinds": () => {
    const guesses = new GuessCounters(clock)
    for (let kind = 0; kind < KINDS; kind++)
      for (let n = 0; n < MANY / KINDS; n++)
        guesses.spend(partOf(`registration ${kind}:2001:db8:${n}::/64`), limit)
    return guesses
  },
  "machines that poll": () => {
    const pace = new PollIntervals(clock)
    for (let n = 0; n < MANY; n++) pace.poll(presented(n) as GrantId)
    return pace
  },
  apps: () => {
    const rows = new RowCache()
    for (let n = 0; n < MANY; n++) rows.read("client", presented(n), () => clientOf(appRow(n)))
    return rows
  },
  accounts: () => {
    const rows = new RowCache()
    for (let n = 0; n < MANY; n++) rows.read("account", presented(n), () => accountOf(accountRow(n)))
    return rows
  },
  "short numbers of apps, accounts and sets of permissions": () => {
    const rows = new RowCache()
    for (let n = 0; n < MANY; n++) {
      rows.read("number", presented(n), () => ({ number: n }))
      rows.read("scopeNumber", apart(`${n} account:read`), () => ({ number: n }))
      rows.readNumbered("name", n, () => idOf(n))
      rows.readNumbered("scope", n, () => apart(`account:read ${n}`))
    }
    return rows
  },
}

test("machines that keep their pace are forgotten once their next poll cannot be early", () => {
  let nowMs = 0
  const pace = new PollIntervals({ monotonic: () => nowMs })
  const before = heldMiB()
  for (let n = 0; n < MANY; n++) {
    nowMs += 10
    pace.poll(presented(n) as GrantId)
  }
  const taken = heldMiB() - before
  assert.equal(pace.poll(presented(MANY - 1) as GrantId), 10)
  assert.ok(taken < 1, `${taken} MiB`)
})

test("a key stays the same, also one that is no text: a guess at it is counted", () => {
  const guesses = new GuessCounters(clock)
  for (const key of ["sign-in \ud800", "sign-in \ud83d\ude00 é", "sign-in"])
    assert.deepEqual(
      [1, 2, 3].map(() => guesses.spend(key, { requests: 2, seconds: 60 }).admitted),
      [true, true, false],
    )
})

const page = readFileSync(join(import.meta.dirname, "../../../docs/operating.md"), "utf8")

for (const [name, fill] of Object.entries(tables))
  test(`a full table takes no more memory than is written: ${name}`, (t) => {
    const said = Number(new RegExp(`^\\| ${name} +\\| [\\d,]+ +\\| (\\d+) +\\|$`, "m").exec(page)?.[1])
    const before = heldMiB()
    const table = fill()
    const taken = heldMiB() - before
    t.diagnostic(`${taken.toFixed(1)} MiB`)
    assert.ok(table)
    assert.ok(taken < said, `${taken} MiB where ${said} are written`)
    assert.ok(taken > said / 2, `${taken} MiB where ${said} are written`)
  })

function heldMiB(): number {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
  return process.memoryUsage().heapUsed / 2 ** 20
}

/** Returns a text with its own bytes, like one that was read from a socket. */
function apart(text: string): string {
  return Buffer.from(text).toString("latin1")
}

function idOf(n: number): string {
  return apart(String(n).padStart(26, "0"))
}

/**
 * Returns a text as a request has it: a part of a longer text. The longer text must not stay in memory because of it.
 */
function partOf(text: string): string {
  return apart(`${text}&device_code=${"s".repeat(200)}`).slice(0, text.length)
}

function presented(n: number): string {
  return partOf(idOf(n))
}

function appRow(n: number): Parameters<typeof clientOf>[0] {
  return {
    client_id: idOf(n),
    type: "public",
    secret_hash: null,
    jwks: null,
    jwks_uri: null,
    signing_alg: null,
    workload: null,
    name: apart(`App ${n}`),
    redirect_uris: JSON.stringify([`https://app-${n}.example/callback`, "http://127.0.0.1/callback"]),
    ceiling: "account:read account:write credentials:write",
    switches: 16,
    enabled: 1,
    registered_by: "itself",
    owner_id: null,
    issued_at: n,
    registration_hash: apart(String(n).padStart(43, "h")),
    gone_at: null,
    disabled_by_owner: 0,
    service_account_id: null,
    service_token_id: null,
    icon_hash: null,
    groups: "",
    id_token_signed_response_alg: "RS256",
    post_logout_redirect_uris: "",
  }
}

function accountRow(n: number): Parameters<typeof accountOf>[0] {
  return {
    user_id: idOf(n),
    username: apart(`Account ${n}`),
    username_key: apart(`account ${n}`),
    password_hash: apart(String(n).padStart(97, "$")),
    admin: 0,
    enabled: 1,
    created_at: n,
    type: "person",
    language: null,
    groups: "",
    owner_id: null,
  }
}
