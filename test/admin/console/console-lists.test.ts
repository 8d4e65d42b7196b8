/** Tests the lists of the console: filters, pages, malicious names, and the audit trail as a file. */
import assert from "node:assert/strict"
import { before, describe, test } from "node:test"
import { consoleRoutes } from "../../../src/admin/pages.ts"
import { addAccount } from "../../../src/accounts/accounts.ts"
import { addTotp } from "../../../src/accounts/factors/totp.ts"
import { csvCell } from "../../../src/admin/events/event-export.ts"
import { decided } from "../../../src/model/change.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { connect } from "../../support/connect.ts"
import { tagsOf, textOf } from "../../platform/ui/markup.ts"
import { OPERATOR } from "../../support/test-server.ts"
import { consoleWorld, HOSTILE_NAME } from "./console-world.ts"

const world = await consoleWorld()

const get = async (path: string) => {
  const answer = await world.ada.get(path)
  assert.equal(answer.status, 200, path)
  return answer.text
}

/** Returns the texts in the first column. */
function rowsOf(page: string): readonly string[] {
  return [...page.matchAll(/<th role="rowheader"[\s\S]*?<\/th>/g)].map(([cell]) =>
    textOf(`<body>${cell.replace(/<span class="label"[\s\S]*?<\/span\s*>/, "")}`),
  )
}

const nextOf = (page: string) =>
  /rel="next"\s+href="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? null

describe("pages hold against names that try to break out", () => {
  test("every page is markup of ours, and shows the names as text", async () => {
    const { app, server, tokenId, bobId, testServer } = world
    const eve = await testServer.store.read({
      accountByName: `eve${HOSTILE_NAME}`.slice(0, 60).toLowerCase(),
    })
    const addresses = [
      ...consoleRoutes.map(({ path }): string => path).filter((path) => !path.endsWith("/export")),
      `/console/account?id=${eve.accountByName?.userId ?? bobId}`,
      `/console/account?id=${bobId}`,
      `/console/account/rename?id=${eve.accountByName?.userId ?? bobId}`,
      `/console/account/act?id=${eve.accountByName?.userId ?? bobId}&do=remove`,
      `/console/app?id=${server.clientId}`,
      `/console/app?id=${app.clientId}`,
      `/console/app/edit?id=${server.clientId}`,
      `/console/app/act?id=${server.clientId}&do=remove`,
      `/console/app/icon?id=${server.clientId}`,
      `/console/credential?id=${tokenId}`,
      `/console/credential/revoke?id=${tokenId}`,
      `/console/setting?key=registration.permissions`,
      `/console/accounts?name=${encodeURIComponent(HOSTILE_NAME)}&only=${encodeURIComponent(HOSTILE_NAME)}`,
      `/console/apps?name=${encodeURIComponent(HOSTILE_NAME)}&owner=${encodeURIComponent(HOSTILE_NAME)}`,
      `/console/credentials?account=${encodeURIComponent(HOSTILE_NAME)}&app=${encodeURIComponent(HOSTILE_NAME)}`,
      `/console/events?account=${encodeURIComponent(HOSTILE_NAME)}&since=${encodeURIComponent(HOSTILE_NAME)}`,
      `/console?period=${encodeURIComponent(HOSTILE_NAME)}&done=${encodeURIComponent(HOSTILE_NAME)}`,
    ]
    let shown = 0
    for (const address of addresses) {
      const { text, status } = await world.ada.get(address)
      assert.ok(status === 200 || status === 404, address)
      tagsOf(text)
      assert.doesNotMatch(text, /<script/, address)
      if (textOf(text).includes('<script>alert("1")</script>')) shown++
    }
    assert.ok(shown > 10, `shown on ${shown} pages`)
  })
})

describe("accounts", () => {
  before(async () => {
    // These accounts never sign in, so they share one password digest.
    const { testServer } = world
    const { accountByName } = await testServer.store.read({ accountByName: "bob" })
    if (accountByName === null) throw new Error("there is a bob")
    for (let i = 0; i < 120; i++) {
      const username = `Person ${String(i).padStart(3, "0")}`
      const account = { ...accountByName, userId: `0${String(i).padStart(25, "0")}` as never, username }
      await testServer.store.change({}, () =>
        decided(null, {
          change: "accountAdded",
          account: { ...account, usernameKey: username.toLowerCase(), enabled: i % 40 !== 0 },
        }),
      )
    }
  })

  test("a list is paged by key, each row once, the filters kept", async () => {
    for (const [filter, count] of [
      ["name=PERSON", 120],
      ["only=disabled", 3],
      ["only=disabled&name=person+0", 3],
      ["only=administrators", 2],
      ["", 124],
    ] as const) {
      const seen: string[] = []
      let path: string | null = `/console/accounts?${filter}`
      for (let pages = 0; path !== null && pages < 10; pages++) {
        const page = await get(path)
        seen.push(...rowsOf(page))
        path = nextOf(page)
        if (path !== null)
          for (const [name, value] of new URLSearchParams(filter))
            assert.equal(new URL(path, "http://x").searchParams.get(name), value)
      }
      assert.equal(seen.length, count, filter)
      assert.equal(new Set(seen).size, count, filter)
    }
  })

  test("an invalid key is the first page; a name is searched in its canonical form", async () => {
    const first = rowsOf(await get("/console/accounts"))
    for (const key of ["x y", "", "'; DROP TABLE account", "\u0000"])
      assert.deepEqual(rowsOf(await get(`/console/accounts?after=${encodeURIComponent(key)}`)), first)
    assert.deepEqual(rowsOf(await get("/console/accounts?name=%20%EF%BD%81DA")), ["ada"])
    assert.deepEqual(rowsOf(await get("/console/accounts?name=zz")), [])
  })
})

describe("credentials", () => {
  test("are filtered by account, app and state", async () => {
    const { testServer, app, server } = world
    await connect(testServer, app, "ada", { installation_name: "Desk" })
    assert.deepEqual(rowsOf(await get("/console/credentials?account=ADA")), ["Desk"])
    assert.deepEqual(rowsOf(await get(`/console/credentials?app=${app.clientId}&account=ada`)), ["Desk"])
    assert.deepEqual(rowsOf(await get("/console/credentials?app=noteb&account=ada&state=live")), ["Desk"])
    assert.deepEqual(rowsOf(await get(`/console/credentials?app=${server.clientId}&account=ada`)), [])
    assert.deepEqual(rowsOf(await get("/console/credentials?account=ada&state=over")), [])
    assert.match(await get("/console/credentials?account=unknown"), /There is no account of that name\./)
    assert.match(await get("/console/credentials?app=nothing"), /There is no app of that name\./)
  })

  test("what is over is found without an account and without an app, page by page", async () => {
    const { testServer, app } = world
    const held = []
    for (let i = 0; i < 3; i++)
      held.push(await connect(testServer, app, "carol", { installation_name: `Gone ${i}` }))
    for (const { token_id } of held)
      await testServer.latchkey.store.change({ credential: token_id as never }, ({ credential }) => {
        if (credential === null || credential.life.state !== "active") throw new Error("it is there")
        const { family } = credential.life
        const life = {
          state: "revoked",
          family,
          revokedAt: testServer.clock.now(),
          because: "administrator",
        } as const
        return decided(null, { change: "credentialChanged", credential: { ...credential, life } })
      })
    assert.deepEqual(rowsOf(await get("/console/credentials?state=over")), ["Gone 2", "Gone 1", "Gone 0"])
    assert.deepEqual(rowsOf(await get("/console/credentials?state=over&account=carol")), [
      "Gone 2",
      "Gone 1",
      "Gone 0",
    ])
    const all = rowsOf(await get("/console/credentials"))
    const live = rowsOf(await get("/console/credentials?state=live"))
    assert.equal(all.length - live.length, 3)
  })
})

describe("apps", () => {
  test("are filtered by name, owner, registrar and standing", async () => {
    const { testServer } = world
    await testServer.addApp({ name: "Verified thing", verified: true })
    assert.deepEqual(rowsOf(await get("/console/apps?name=THING")), ["Verified thing"])
    assert.deepEqual(rowsOf(await get("/console/apps?only=verified")), ["Verified thing"])
    assert.deepEqual(rowsOf(await get("/console/apps?by=itself")), [])
    assert.equal(rowsOf(await get("/console/apps?by=administrator")).length, 3)
    assert.deepEqual(rowsOf(await get("/console/apps?owner=bob")), [])
    assert.deepEqual(rowsOf(await get("/console/apps?name=%25")), [], "a wildcard is a character")
    assert.match(await get("/console/apps?owner=unknown"), /There is no account of that name\./)
  })
})

test("CONSOLE-7: the list of accounts shows the last sign-in and the second step", async () => {
  const { testServer, ada } = world
  await testServer.addAccount("newcomer")
  const rowOf = async (name: string) => {
    const { text } = await ada.get(`/console/accounts?name=${name}`)
    return textOf(`<body>${/<tbody[^]*<\/tbody>/.exec(text)?.[0] ?? ""}`).replaceAll(/\s+/g, " ")
  }
  assert.match(await rowOf("newcomer"), /Second step None Last sign-in None recorded/)
  assert.match(await rowOf("ada"), /Second step None Last sign-in 15 Jan 2027, 08:\d\d UTC/)
  const enrolled = await addTotp(testServer.latchkey, "newcomer", OPERATOR)
  assert.ok(enrolled.ok)
  assert.match(await rowOf("newcomer"), /Second step Enrolled/)
})

describe("events", () => {
  test("are filtered by kind, account, app, credential and day, and say who did it", async () => {
    const { tokenId, app } = world
    assert.deepEqual(
      new Set(rowsOf(await get("/console/events?kind=account-added"))),
      new Set(["Account added"]),
    )
    const ofCredential = rowsOf(await get(`/console/events?credential=${tokenId}`))
    assert.deepEqual(ofCredential, ["Code exchanged", "Consented"])
    assert.match(await get(`/console/events?credential=${tokenId}`), new RegExp(`value="${tokenId}"`))
    assert.match(await get("/console/events?credential=x"), /This is not the id of a credential/)
    assert.deepEqual(rowsOf(await get("/console/events?kind=nothing")), [])
    assert.deepEqual(rowsOf(await get("/console/events?account=unknown")), [])
    assert.ok(rowsOf(await get(`/console/events?app=${app.clientId}&kind=consented`)).length >= 1)
    const today = new Date(world.testServer.clock.now() * 1000).toISOString().slice(0, 10)
    const yesterday = new Date((world.testServer.clock.now() - DAY) * 1000).toISOString().slice(0, 10)
    assert.ok(rowsOf(await get(`/console/events?since=${today}&until=${today}`)).length > 5)
    assert.deepEqual(rowsOf(await get(`/console/events?until=${yesterday}`)), [])
    assert.match(await get("/console/events?since=2026-02-30"), /Write a date as/)
  })

  test("CONSOLE-3, AUDIT-1: serious ones stand out and can be shown alone; times have seconds and a zone", async () => {
    await world.testServer.set("token.access_seconds", "1800")
    const all = await get("/console/events")
    assert.match(
      all,
      /<span class="alarm">Setting changed<\/span>\s*<span class="mark-serious state">Serious</,
    )
    assert.match(all, /15 Jan 2027, 08:\d\d:\d\d UTC<\/time>/)
    assert.match(all, /href="\/console\/events\?kind=serious"/)
    const serious = await get("/console/events?kind=serious")
    assert.match(serious, /aria-current="true"\s*>Serious</)
    const kinds = new Set(rowsOf(serious).map((row) => row.replace(/\s*Serious$/, "")))
    assert.deepEqual(kinds, new Set(["Setting changed", "Administration granted"]))
  })

  test("the file has what the list has, and its names", async () => {
    const answer = await world.ada.get("/console/events/export?format=jsonl&kind=account-added")
    assert.equal(answer.headers.get("content-type"), "application/jsonl; charset=utf-8")
    assert.equal(answer.headers.get("content-disposition"), 'attachment; filename="events.jsonl"')
    assert.equal(answer.headers.get("cache-control"), "no-store")
    const rows = answer.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.deepEqual(
      rows
        .map(({ username }) => username)
        .toReversed()
        .slice(0, 3),
      ["ada", "carol", "bob"],
    )
    assert.deepEqual(new Set(rows.map(({ kind }) => kind)), new Set(["account-added"]))
    assert.equal(rows[0]?.["at"], Date.parse("2027-01-15T08:00:00Z") / 1000)
  })

  test("a file longer than a page is whole, in order, and each row once", async () => {
    const { testServer } = world
    const now = testServer.clock.now()
    const many = Array.from({ length: 1234 }, (_, i) => ({
      change: "eventRecorded" as const,
      event: event("recovery-code-used", now, { detail: `=cmd|' /C calc'!A0 ${i}` }),
    }))
    await testServer.store.change({}, () => decided(null, ...many))
    const { text } = await world.ada.get("/console/events/export?format=csv&kind=recovery-code-used")
    const lines = text.split("\r\n")
    assert.equal(
      lines[0],
      "id,at,kind,user_id,username,client_id,client_name,token_id,actor_id,actor,address,detail",
    )
    assert.equal(lines.length, 1 + 1234 + 1)
    assert.equal(lines[1]?.split(",")[1], `"${new Date(now * 1000).toISOString()}"`)
    assert.ok(lines.slice(1, -1).every((line, i) => line.endsWith(`,"'=cmd|' /C calc'!A0 ${1233 - i}"`)))
  })

  test("a filter that makes no sense, and an unknown format, export nothing", async () => {
    const senseless = ["account=unknown", "since=x", "kind=nothing", "credential=x"]
    for (const query of [...senseless.map((one) => `format=csv&${one}`), "format=xlsx", ""])
      assert.equal((await world.ada.get(`/console/events/export?${query}`)).status, 404, query)
  })

  test("no cell is a formula in a spreadsheet", () => {
    assert.equal(csvCell(null), '""')
    assert.equal(csvCell(-12), '"-12"')
    assert.equal(csvCell('a "b", c'), '"a ""b"", c"')
    assert.equal(csvCell("two\nlines"), '"two\nlines"')
    for (const begin of ["=", "+", "-", "@", "\t=", "\r", " =", "\n@", "＝", "＠", "\u00a0="])
      assert.equal(csvCell(`${begin}1`), `"'${begin}1"`, JSON.stringify(begin))
  })
})

test("the account's page has what there is of it, in short", async () => {
  const { testServer, bobId } = world
  const added = await addAccount(testServer.latchkey, {
    username: "dan",
    password: "a good password",
    admin: false,
    address: null,
  })
  assert.ok(added.ok)
  const bob = textOf(await get(`/console/account?id=${bobId}`))
  for (const part of ["Ordinary account", "Notebook", "Signed-in browsers", "Consented", "Second steps None"])
    assert.ok(bob.includes(part), part)
  const dan = textOf(await get(`/console/account?id=${added.value.userId}`))
  for (const part of ["No app has access.", "No browser is signed in."]) assert.ok(dan.includes(part), part)
})

test("PERM-6: a credential's page says why it reaches what it reaches", async () => {
  const { testServer, app } = world
  const held = await connect(testServer, app, "ada", { installation_name: "Reasons" })
  const markup = await get(`/console/credential?id=${held.token_id}`)
  const page = textOf(markup)
  assert.ok(page.includes("Active: the app holds tokens for it."))
  assert.match(page, /Read files files:read Reached: the account holder consented/)
  assert.match(
    page,
    /Change your account account:write Not reached: .*the account holder has not consented to it\. Put it on/,
  )
  assert.match(page, /Issued on .*:\d\d:\d\d UTC, good until/)
  assert.doesNotMatch(markup, /href="\/console\/credential\?id=/, "it links nowhere to itself")
})
