import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { setAppEnabled } from "../../../src/apps/app.ts"
import { Browser } from "../../support/browser.ts"
import { authorizePath, newVerifier, REDIRECT_URI, signedInBrowser } from "../../support/connect.ts"
import { DESCRIPTION, returned, withoutLanguageLink } from "../../support/answers.ts"
import { open, readAll, sendRaw } from "../../platform/http/raw.ts"
import { fixture } from "../../support/fixture.ts"
import { recordLog } from "../../support/record-log.ts"
import { everything } from "../../support/stored.ts"
import { OPERATOR } from "../../support/test-server.ts"

const CHALLENGE = newVerifier().challenge
const EVIL = "https://evil.example/steal"

const { testServer, app, disabled } = await fixture({
  apps: {
    app: {
      redirectUris: [
        REDIRECT_URI,
        "http://127.0.0.1/callback",
        "https://localhost/callback",
        "https://app.example/cb?tenant=7",
        "com.paper:/back",
      ],
    },
    disabled: {},
  },
})
await setAppEnabled(testServer.latchkey, disabled.clientId, false, OPERATOR)

type Changes = Record<string, string | readonly string[] | undefined>

/** Returns a correct request with `changes`. Undefined removes a parameter, and an array repeats it. */
function path(changes: Changes = {}): string {
  const good: Changes = {
    client_id: app.clientId,
    response_type: "code",
    redirect_uri: REDIRECT_URI,
    state: "xyz",
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...good, ...changes })) {
    for (const one of [value].flat()) if (one !== undefined) query.append(name, one)
  }
  return `/oauth/authorize?${query.toString()}`
}

function ask(changes: Changes = {}) {
  return new Browser(testServer.url).get(path(changes))
}

test("AUTHZ-1…AUTHZ-6, AUTHZ-9: a good request is answered with a page", async () => {
  const page = await ask()
  assert.equal(page.status, 200)
  assert.equal(page.location, null)
  assert.match(page.text, /Sign in to continue to <bdi class="name">Paperclip<\/bdi>/)
})

describe("AUTHZ-12, ERR-12, SVC-6: until app and address are good, nothing is redirected", () => {
  const unknownId = "0".repeat(26)
  const cases: Record<string, () => Changes> = {
    "no client_id": () => ({ client_id: undefined }),
    "an empty client_id": () => ({ client_id: "" }),
    "an unknown client_id": () => ({ client_id: unknownId }),
    "a client_id of another form": () => ({ client_id: "<script>alert(1)</script>" }),
    "a client_id that is a prototype's name": () => ({ client_id: "__proto__" }),
    "client_id twice": () => ({ client_id: [app.clientId, app.clientId] }),
    "client_id twice, once empty": () => ({ client_id: [app.clientId, ""] }),
    "a disabled app": () => ({ client_id: disabled.clientId }),
    "no redirect_uri": () => ({ redirect_uri: undefined }),
    "an empty redirect_uri": () => ({ redirect_uri: "" }),
    "an address that is not registered": () => ({ redirect_uri: EVIL }),
    "redirect_uri twice": () => ({ redirect_uri: [REDIRECT_URI, REDIRECT_URI] }),
    "redirect_uri twice, the second evil": () => ({ redirect_uri: [REDIRECT_URI, EVIL] }),
    "a longer address": () => ({ redirect_uri: `${REDIRECT_URI}/more` }),
    "an address with a query more": () => ({ redirect_uri: `${REDIRECT_URI}?a=1` }),
    "an address with a fragment": () => ({ redirect_uri: `${REDIRECT_URI}#a` }),
    "another scheme": () => ({ redirect_uri: REDIRECT_URI.replace("https", "http") }),
    "another case of the host": () => ({ redirect_uri: REDIRECT_URI.replace("app", "APP") }),
    "a port at a host that is not loopback": () => ({ redirect_uri: "https://app.example:443/callback" }),
    "user information": () => ({ redirect_uri: "https://app.example@evil.example/callback" }),
    "localhost for 127.0.0.1": () => ({ redirect_uri: "http://localhost:4711/callback" }),
    "an invalid loopback port": () => ({ redirect_uri: "http://127.0.0.1:65536/callback" }),
    "a loopback host that goes on": () => ({ redirect_uri: "http://127.0.0.1:80@evil.example/callback" }),
    "everything wrong at once": () => ({ client_id: unknownId, redirect_uri: EVIL, response_type: "token" }),
  }
  for (const [name, changes] of Object.entries(cases)) {
    test(name, async () => {
      const page = await ask(changes())
      assert.equal(page.status, 400)
      assert.equal(page.location, null)
      assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
      const besideAddress = page.text.replace(/<p>The address: <code>[^<]*<\/code><\/p>/, "")
      assert.equal(/evil|app\.example|127\.0\.0\.1|localhost|<script/i.test(besideAddress), false)
      assert.equal(page.text.includes('href="http'), false)
    })
  }
})

test("AUTHZ-12: the page names the parameter that is missing or repeated", async () => {
  for (const name of ["client_id", "redirect_uri"]) {
    assert.ok((await ask({ [name]: undefined })).text.includes(`itself: ${name} is missing.`), name)
    const twice = await ask({ [name]: ["one-value", "other-value"] })
    assert.ok(twice.text.includes(`itself: ${name} is given more than once.`), name)
    assert.equal(twice.text.includes("one-value"), false, name)
  }
})

test("AUTHZ-12, HELP-1: the page and the log show the unregistered address as text, without query and fragment", async (t) => {
  const { log, lines } = recordLog()
  const { testServer: server } = await fixture({ log, span: t })
  const { clientId } = await server.addApp({ redirectUris: [REDIRECT_URI] })
  const shownFor = async (address: string) => {
    lines.length = 0
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: address })
    const page = await new Browser(server.url).get(`/oauth/authorize?${query.toString()}`)
    assert.equal(page.text.includes('href="http'), false)
    const logged = lines.find((line) => line["refusal"] === "redirectUriUnregistered")
    assert.deepEqual([logged?.["client_id"], logged?.["parameter"]], [clientId, "redirect_uri"])
    const [, shown] = /<p>The address: <code>([^<]*)<\/code><\/p>/.exec(page.text) ?? []
    assert.equal(shown?.replace("&lt;", "<"), logged?.["redirect_uri"])
    assert.equal(JSON.stringify(lines).includes("secret"), false)
    return shown
  }
  assert.equal(await shownFor("https://evil.example/steal?code=secret#secret"), "https://evil.example/steal")
  assert.equal(await shownFor("http://me:secret@127.0.0.1:80/cb"), "http://127.0.0.1:80/cb")
  assert.equal(
    await shownFor(`https://long.example/${"a".repeat(300)}`),
    `https://long.example/${"a".repeat(179)}`,
  )
  assert.equal(await shownFor("https://a.example/<\u202e\ud800"), "https://a.example/&lt;%E2%80%AE%EF%BF%BD")
})

test("AUTHZ-5, PAGE-1: the answer to a request without PKCE names code_challenge, which developers know", async () => {
  const missing = async (changes: Changes) => returned(await ask(changes), REDIRECT_URI)["error_description"]
  const both = { code_challenge: undefined, code_challenge_method: undefined }
  assert.equal(await missing(both), "A required parameter is missing: code_challenge.")
  const method = await missing({ code_challenge_method: undefined })
  assert.equal(method, "A required parameter is missing: code_challenge_method.")
  const challenge = await missing({ code_challenge: undefined })
  assert.equal(challenge, "A required parameter is missing: code_challenge.")
})

describe("AUTHZ-12, ERR-15: an app or an address that cannot be read is answered on a page of the service", () => {
  const cases: Record<string, () => string> = {
    "a client_id that is not UTF-8": () => path({ client_id: undefined }) + "&client_id=%ff",
    "a redirect_uri with a broken escape": () =>
      path({ redirect_uri: undefined }) + "&redirect_uri=https://app.example/callback%zz",
    "a client_id, and another that is not UTF-8": () => `${path()}&client_id=%ff`,
    "a redirect_uri, and another with a broken escape": () => `${path()}&redirect_uri=%zz`,
  }
  for (const [name, address] of Object.entries(cases)) {
    test(name, async () => {
      const page = await new Browser(testServer.url).get(address())
      assert.deepEqual([page.status, page.location], [400, null])
    })
  }
})

describe("ERR-15: an error in any other parameter goes to the app, with the characters of state as they came", () => {
  /** The text after `state=` in the query, and the same text in the redirect. */
  const states: Record<string, [sent: string, returned?: string]> = {
    "bytes that are not UTF-8": ["%ff%fe"],
    "an overlong form of a slash": ["%c0%af"],
    "half a character": ["a%ed%a0%80b"],
    "a broken escape": ["%zz"],
    "a cut escape": ["abc%4"],
    "an escape sign alone": ["%"],
    "a plus, an equals sign and escapes beside it": ["a+b=c%20d%26e%23f%ff"],
    "an escaped line break": ["%0d%0aSet-Cookie:%20a=b%ff"],
    "characters that no address has": ['<"x">{|}^`\\%ff', "%3C%22x%22%3E%7B%7C%7D%5E%60%5C%ff"],
  }
  for (const [name, [sent, expected = sent]] of Object.entries(states)) {
    test(`state: ${name}`, async () => {
      const location = await errorOf(`${path({ state: undefined })}&state=${sent}`)
      assert.match(location, /[?&]error=invalid_request&/)
      assert.ok(location.includes(`&state=${expected}&iss=`), location)
      assert.doesNotMatch(location, /[^\x21-\x7e]/)
    })
  }

  const others: Record<string, string> = {
    "scope: bytes that are not UTF-8": "&scope=%ff",
    "installation_name: half a character": "&installation_name=%ed%a0%80",
    "an unknown parameter: a broken escape": "&state2=%zz",
    "an unknown parameter: a cut escape": "&x=%4",
    "a name that is not UTF-8": "&%ff=x",
    "a scope of 8,000 characters": `&scope=${"a".repeat(8000)}`,
    "an installation_name of 8,000 characters": `&installation_name=${"a".repeat(8000)}`,
  }
  for (const [name, more] of Object.entries(others)) {
    test(name, async () => {
      const location = await errorOf(path() + more)
      assert.match(location, /[?&]error=invalid_(request|scope)&/)
      assert.ok(location.includes("&state="), location)
    })
  }

  test("a state of 8,000 characters goes back whole", async () => {
    const state = "s".repeat(8000)
    const location = await errorOf(path({ state }))
    assert.equal(new URL(location).searchParams.get("error"), "invalid_request")
    assert.equal(new URL(location).searchParams.get("state"), state)
  })

  test("a state that is given twice, once unreadable, does not go back", async () => {
    const location = await errorOf(`${path()}&state=%ff`)
    assert.equal(new URL(location).searchParams.get("error"), "invalid_request")
    assert.equal(new URL(location).searchParams.get("state"), null)
  })

  for (const count of [100, 1000])
    test(`${count} unknown parameters are ignored, also at sign-in and in an error`, async () => {
      const more = Array.from({ length: count }, (_, n) => `&x${n}=1`).join("")
      const page = await new Browser(testServer.url).get(path() + more)
      assert.equal(page.status, 200)
      assert.match(page.text, /Sign in to continue to <bdi class="name">Paperclip<\/bdi>/)
      const location = await errorOf(path({ response_type: undefined }) + more)
      assert.equal(new URL(location).searchParams.get("error"), "invalid_request")
    })

  /** Sends the URL byte for byte. Returns where the app's redirect goes. */
  async function errorOf(address: string): Promise<string> {
    const socket = open(testServer.url)
    const answer = readAll(socket)
    const head = `GET ${address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`
    socket.write(Buffer.from(head, "latin1"))
    const { status, headers } = await answer
    const location = headers.get("location") ?? ""
    assert.equal(status, 303)
    assert.ok(location.startsWith(REDIRECT_URI), location)
    assert.equal(headers.get("set-cookie"), null)
    return location
  }
})

describe("ERR-12, ERR-13, ERR-11: any other error goes to the app at once", () => {
  const cases: Record<string, [changes: Changes, error: string, id?: string]> = {
    "no response_type": [{ response_type: undefined }, "invalid_request"],
    "response_type token": [{ response_type: "token" }, "unsupported_response_type"],
    "response_type code id_token": [{ response_type: "code id_token" }, "unsupported_response_type"],
    "response_type in capitals": [{ response_type: "CODE" }, "unsupported_response_type"],
    "response_type twice": [{ response_type: ["code", "code"] }, "invalid_request"],
    "no code_challenge": [{ code_challenge: undefined }, "invalid_request"],
    "an empty code_challenge": [{ code_challenge: "" }, "invalid_request"],
    "a challenge of 42 characters": [{ code_challenge: "a".repeat(42) }, "invalid_request"],
    "a challenge of 44 characters": [{ code_challenge: "a".repeat(44) }, "invalid_request"],
    "a challenge with padding": [{ code_challenge: `${"a".repeat(42)}=` }, "invalid_request"],
    "a challenge in plain base64": [{ code_challenge: `${"a".repeat(42)}+` }, "invalid_request"],
    "code_challenge twice": [{ code_challenge: [CHALLENGE, CHALLENGE] }, "invalid_request"],
    "no challenge method": [{ code_challenge_method: undefined }, "invalid_request"],
    "plain as the method": [{ code_challenge_method: "plain" }, "invalid_request"],
    "s256 as the method": [{ code_challenge_method: "s256" }, "invalid_request"],
    "no PKCE at all": [{ code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    "scope twice": [{ scope: ["files:read", "files:read"] }, "invalid_request"],
    "an unknown parameter twice": [{ nonce: ["a", "a"] }, "invalid_request"],
  }
  for (const [name, [changes, error]] of Object.entries(cases)) {
    test(name, async () => {
      const back = returned(await ask(changes), REDIRECT_URI)
      assert.deepEqual(Object.keys(back), ["error", "error_description", "state", "iss"])
      assert.equal(back["error"], error)
      assert.match(back["error_description"] ?? "", DESCRIPTION)
      assert.equal(back["state"], "xyz")
      assert.equal(back["iss"], testServer.issuer)
    })
  }

  for (const [name, state] of Object.entries({ "no state": undefined, "an empty state": "" })) {
    test(`AUTHZ-4, ERR-13: ${name}`, async () => {
      const back = returned(await ask({ state }), REDIRECT_URI)
      assert.deepEqual(Object.keys(back), ["error", "error_description", "iss"])
      assert.equal(back["error"], "invalid_request")
    })
  }

  test("AUTHZ-4: state twice is answered without either", async () => {
    const back = returned(await ask({ state: ["one", "two"] }), REDIRECT_URI)
    assert.deepEqual(Object.keys(back), ["error", "error_description", "iss"])
    assert.equal(back["error"], "invalid_request")
  })
})

describe("AUTHZ-4: state comes back untouched", () => {
  const states: Record<string, string> = {
    "reserved characters": "a&b=c#d?e/f+g%20h;i:j@k,l$m!n'o(p)q*r",
    "a space and a plus": "a b+c",
    "characters beyond ASCII": "zażółć 日本 🦦",
    "quotes and angle brackets": "\"'<>\\`{}|^",
    "line breaks": "a\r\nLocation: https://evil.example/",
    JSON: '{"csrf":"a1","next":"/a?b=c&d=%2F"}',
    "what looks like parameters": "x&code=forged&iss=evil",
    "4096 characters": "s".repeat(4096),
  }
  for (const [name, state] of Object.entries(states)) {
    test(name, async () => {
      const page = await ask({ state, response_type: "token" })
      assert.equal(returned(page, REDIRECT_URI)["state"], state)
      assert.match(page.location ?? "", /^[\x21-\x7e]+$/)
    })
  }

  test("4097 characters are too many, and come back all the same", async () => {
    const back = returned(await ask({ state: "s".repeat(4097) }), REDIRECT_URI)
    assert.equal(back["error"], "invalid_request")
    assert.equal(back["state"], "s".repeat(4097))
  })
})

describe("AUTHZ-3, REDIR-1, REDIR-2: the answer goes to the very address that was asked for", () => {
  const addresses: Record<string, string> = {
    "an address with a query keeps it": "https://app.example/cb?tenant=7",
    "a loopback address keeps its port": "http://127.0.0.1:49152/callback",
    "a loopback address without one": "http://127.0.0.1/callback",
    "REDIR-4: a loopback address over https keeps its port": "https://localhost:8443/callback",
    "a private-use scheme": "com.paper:/back",
  }
  for (const [name, address] of Object.entries(addresses)) {
    test(name, async () => {
      const back = returned(await ask({ redirect_uri: address, response_type: "token" }), address)
      assert.equal(back["error"], "unsupported_response_type")
      assert.equal((await ask({ redirect_uri: address })).status, 200)
    })
  }
})

test("REDIR-4: the consent page says that a loopback address over https is on this computer", async () => {
  await testServer.addAccount("bob")
  const browser = await signedInBrowser(testServer, "bob")
  const asked = { redirect_uri: "https://localhost:8443/callback" }
  const page = await browser.get(authorizePath(app, newVerifier().challenge, asked))
  assert.match(page.text, /an app on this computer\s+<span class="host">\(<bdi>localhost:8443<\/bdi>\)/)
})

test("AUTHZ-9: parameters that mean nothing here are ignored", async () => {
  const page = await ask({
    nonce: "n",
    prompt: "none",
    response_mode: "fragment",
    request_uri: EVIL,
    request: "e30.e30.",
    display: "popup",
    ["__proto__"]: "x",
    constructor: "x",
  })
  assert.equal(page.status, 200)
  assert.equal(withoutLanguageLink(page.text).includes("evil"), false)
})

test("AUTHZ-9: HEAD answers as GET does, without a body", async () => {
  const page = await fetch(testServer.url + path(), { method: "HEAD" })
  assert.deepEqual([page.status, await page.text()], [200, ""])
  const wrong = await fetch(testServer.url + path({ response_type: "token" }), {
    method: "HEAD",
    redirect: "manual",
  })
  assert.equal(wrong.status, 303)
})

test("AUTHZ-12: POST and the rest are refused on a page", async () => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const page = await fetch(testServer.url + path(), { method, redirect: "manual" })
    assert.equal(page.status, 405, method)
    assert.equal(page.headers.get("allow"), "GET, HEAD")
    assert.equal(page.headers.get("location"), null)
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
  }
})

test("AUTHZ-12: a query that is not ASCII is not read", async () => {
  const answer = await sendRaw(testServer.url, [
    `GET ${path()}&x=ä HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
  ])
  assert.equal(answer.status, 400)
  assert.equal(answer.headers.get("location"), null)
})

test("AUTHZ-9, GRANT-1: asking stores nothing", async () => {
  const untouched = await everything(testServer)
  await ask()
  await ask({ scope: "nothing" })
  await ask({ redirect_uri: EVIL })
  assert.deepEqual(await everything(testServer), untouched)
})
