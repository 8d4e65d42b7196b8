/** The API reads its input strictly and names the member that is wrong. */
import assert from "node:assert/strict"
import { describe, test } from "node:test"
import { operations } from "../../../src/admin/operations.ts"
import { requestFor } from "./api-requests.ts"
import { type ApiAnswer, ask, assertError, openWorld } from "./api-world.ts"

const world = await openWorld()

function post(body: unknown, type?: string): Promise<ApiAnswer> {
  const sent = { method: "POST", path: "/api/apps", body, ...(type !== undefined && { type }) }
  return ask(world.testServer, world.full.access_token, sent)
}

function get(path: string): Promise<ApiAnswer> {
  return ask(world.testServer, world.full.access_token, { method: "GET", path })
}

const good = { client_type: "public", client_name: "Notes", scope: "account:read" }

async function registered(): Promise<number> {
  const { body } = await get("/api/apps?limit=500")
  return (body["items"] as unknown[]).length
}

describe("API-11: a body is JSON, and nothing else", () => {
  const bad: Readonly<Record<string, readonly [body: string, message: RegExp]>> = {
    "no JSON": ["client_name=x", /well-formed JSON/],
    nothing: ["", /well-formed JSON/],
    "a comma too many": ['{"client_name":"x",}', /well-formed JSON/],
    "a second value": [`${JSON.stringify(good)} {}`, /well-formed JSON/],
    "half a character": ['{"client_type":"public","client_name":"\\ud800"}', /well-formed JSON/],
    "a member twice": [
      '{"client_type":"public","client_name":"x","client_name":"y"}',
      /the member "client_name" twice/,
    ],
    "a member twice, deeper": ['{"client_name":{"a":1,"a":1}}', /the member "a" twice/],
    "a number too deep": [`${"[".repeat(50)}1${"]".repeat(50)}`, /well-formed JSON/],
    "an array": ["[]", /^body is not an object\.$/],
    null: ["null", /^body is not an object\.$/],
    "an unknown member": [
      '{"client_type":"public","client_name":"x","verified":true}',
      /^"verified" is not a member of this body; see/,
    ],
    "a prototype's name": [
      '{"client_type":"public","client_name":"x","__proto__":{"scope":"a"}}',
      /^"__proto__" is not a member of this body; see/,
    ],
    "another of those": [
      '{"client_type":"public","client_name":"x","constructor":1}',
      /^"constructor" is not a member of this body; see/,
    ],
    "a member left out": ['{"client_type":"public"}', /^body\.client_name is missing\.$/],
    "a number for a string": [
      '{"client_type":"public","client_name":1}',
      /^body\.client_name is not a string\.$/,
    ],
    "null for a string": [
      '{"client_type":"public","client_name":null}',
      /^body\.client_name is not a string\.$/,
    ],
    "a string for a list": [
      '{"client_type":"public","client_name":"x","redirect_uris":"https://a.example/"}',
      /^body\.redirect_uris is not an array\.$/,
    ],
    "a number in a list": [
      '{"client_type":"public","client_name":"x","redirect_uris":["https://a.example/",2]}',
      /^body\.redirect_uris\[1\] is not a string\.$/,
    ],
    "a list too long": [
      JSON.stringify({
        ...good,
        redirect_uris: Array.from({ length: 1000 }, (_, i) => `https://a.example/${i}`),
      }),
      /^body\.redirect_uris has more than 20 entries\.$/,
    ],
    "a string for a flag": [
      '{"client_type":"public","client_name":"x","step_up":"true"}',
      /^body\.step_up is not true or false\.$/,
    ],
    "a choice that there is not": [
      '{"client_type":"secret","client_name":"x"}',
      /^body\.client_type is not one of public, confidential\.$/,
    ],
    "a name too long": [
      JSON.stringify({ ...good, client_name: "x".repeat(2000) }),
      /^body\.client_name is too long\.$/,
    ],
    "a name of nothing": [JSON.stringify({ ...good, client_name: "  " }), /name of an app is empty/],
    "a permission that there is not": [
      JSON.stringify({ ...good, scope: "account:raed" }),
      /no permission "account:raed"/,
    ],
    administration: [JSON.stringify({ ...good, scope: "admin:accounts" }), /Only an administrator/],
    "a redirect that cannot be": [
      JSON.stringify({ ...good, redirect_uris: ["javascript:alert(1)"] }),
      /javascript:alert/,
    ],
  }
  for (const [name, [body, message]] of Object.entries(bad)) {
    test(name, async () => {
      const count = await registered()
      assertError(await post(body), 400, "INVALID_ARGUMENT", message)
      assert.equal(await registered(), count)
    })
  }

  test("another type is 415", async () => {
    for (const type of [
      "application/x-www-form-urlencoded",
      "text/plain",
      "application/json; charset=utf-16",
      "application/jsonp",
      "multipart/form-data; boundary=x",
      "image/png",
    ])
      assertError(await post(JSON.stringify(good), type), 415, "INVALID_ARGUMENT", /application\/json/)
  })

  test("bytes that are not UTF-8 are no JSON", async () => {
    const body = JSON.stringify({ ...good, client_name: "\u00ff" })
    const answer = await post(new Uint8Array(Buffer.from(body, "latin1")))
    assertError(answer, 415, "INVALID_ARGUMENT", /application\/json in UTF-8/)
  })

  test("UTF-8 may be said", async () => {
    assert.equal((await post(JSON.stringify(good), "Application/JSON; charset=UTF-8")).status, 201)
  })

  test("more than 64 KiB is 413", async () => {
    const answer = await post(JSON.stringify({ ...good, scope: " ".repeat(70_000) }))
    assertError(answer, 413, "INVALID_ARGUMENT", "The body is larger than this address takes.")
  })

  test("where there is nothing to send, an empty object is nothing", async () => {
    const { testServer, full } = world
    const sent = { method: "DELETE", path: "/api/admin/settings/token.access_seconds" }
    assert.equal((await ask(testServer, full.access_token, { ...sent, body: "{}" })).status, 200)
    assertError(
      await ask(testServer, full.access_token, { ...sent, body: '{"value":"60"}' }),
      400,
      "INVALID_ARGUMENT",
      /takes no body/,
    )
  })
})

describe("API-11: pictures are the bytes of their file", () => {
  const put = async (body: unknown, type: string) => {
    const { testServer, full } = world
    const sent = await requestFor(world, { id: "setIcon", method: "PUT", path: "/api/apps/{client_id}/icon" })
    return ask(testServer, full.access_token, { ...sent, body, type })
  }

  test("other types are 415", async () => {
    for (const type of ["image/svg+xml", "application/json", "application/octet-stream", "image/bmp"])
      assertError(await put("<svg/>", type), 415, "INVALID_ARGUMENT", /must be an image/)
  })

  test("what is no picture is refused, and more than 512 KiB is 413", async () => {
    assertError(await put("<svg/>", "image/png"), 400, "INVALID_ARGUMENT", /^body: /)
    assertError(
      await put(new Uint8Array(600 * 1024), "image/png"),
      413,
      "INVALID_ARGUMENT",
      /larger than this address takes/,
    )
  })
})

describe("API-11: parameters of the query", () => {
  const bad: Readonly<Record<string, RegExp>> = {
    "limit=0": /^query\.limit is not a whole number from 1 to 500\.$/,
    "limit=501": /^query\.limit is not/,
    "limit=1e2": /^query\.limit is not/,
    "limit=-1": /^query\.limit is not/,
    "limit=0x10": /^query\.limit is not/,
    "limit=5&limit=5": /^query\.limit is given more than once\.$/,
    "after=a%20b": /^query\.after is not the `next` of a page\.$/,
    "after=../..%20etc": /^query\.after is not the `next`/,
    "before=1": /^"before" is not a parameter of this operation; see/,
    "__proto__=1": /^"__proto__" is not a parameter of this operation; see/,
    "limit=%ff": /query is not well-formed/,
    "access_token=abc": /^"access_token" is not a parameter of this operation; see/,
  }
  for (const [query, message] of Object.entries(bad)) {
    test(query, async () => {
      assertError(await get(`/api/apps?${query}`), 400, "INVALID_ARGUMENT", message)
    })
  }

  test("those of other lists", async () => {
    assertError(
      await get("/api/admin/events?kind=signed-in,nonsense"),
      400,
      "INVALID_ARGUMENT",
      /^query\.kind\[1\] is not one of/,
    )
    assertError(
      await get("/api/admin/events?after=abc"),
      400,
      "INVALID_ARGUMENT",
      /^query\.after is not the `next`/,
    )
    assertError(
      await get("/api/admin/events?since=yesterday"),
      400,
      "INVALID_ARGUMENT",
      /^query\.since is not a whole/,
    )
    assertError(
      await get("/api/admin/accounts?admin=maybe"),
      400,
      "INVALID_ARGUMENT",
      /^query\.admin is not true or false/,
    )
    assertError(
      await get("/api/admin/statistics?period=year"),
      400,
      "INVALID_ARGUMENT",
      /^query\.period is not one of/,
    )
  })

  test("an id has the form of one", async () => {
    for (const [path, name] of [
      ["/api/admin/events", "user_id"],
      ["/api/admin/credentials", "client_id"],
      ["/api/admin/apps", "owner_id"],
    ])
      assertError(
        await get(`${path}?${name}=the%20root`),
        400,
        "INVALID_ARGUMENT",
        `query.${name} is not ${name === "client_id" ? "an identifier" : "the id of an account"}.`,
      )
  })

  test("an operation without any has none", async () => {
    for (const operation of operations.filter(({ query, needs }) => query === null && needs !== null)) {
      const sent = await requestFor(world, operation)
      const answer = await ask(world.testServer, world.full.access_token, {
        ...sent,
        path: `${sent.path}?a=1`,
      })
      assertError(
        answer,
        400,
        "INVALID_ARGUMENT",
        '"a" is not a parameter of this operation; see /api/openapi.json.',
      )
    }
  })
})

describe("API-11: whatever is sent, the answer is one of the described ones", () => {
  const junk = [
    "",
    "null",
    "[]",
    "{}",
    '"x"',
    "1e999",
    '{"":""}',
    '{"a":{"b":[]}}',
    '{"admin":1,"enabled":"x"}',
    '{"value":{}}',
    "\u0000",
  ]
  for (const operation of operations.filter(({ body }) => body !== null)) {
    test(`${operation.method} ${operation.path}`, async () => {
      const sent = await requestFor(world, operation)
      for (const body of junk) {
        const answer = await ask(world.testServer, world.full.access_token, {
          ...sent,
          body,
          type: "application/json",
        })
        assert.ok(
          [200, operation.status, 400, 415].includes(answer.status),
          `${body}: ${JSON.stringify(answer)}`,
        )
      }
    })
  }
})
