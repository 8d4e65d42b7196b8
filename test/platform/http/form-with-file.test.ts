/** Tests forms with a file, both as browsers send them and malformed. */
import { after, before, test } from "node:test"
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Result } from "../../../src/kernel/result.ts"
import type { Refusal } from "../../../src/model/refusals/refusal.rules.ts"
import { type FormWithFile, formWithFile } from "../../../src/platform/http/form-with-file.ts"
import { readBody } from "../../../src/platform/http/connection/body.ts"
import { Incoming } from "../../../src/platform/http/connection/incoming.ts"
import { HttpRequest } from "../../../src/platform/http/connection/message.ts"
import { isInBytes, rawFormOf } from "../../../src/platform/http/request.ts"
import { png } from "../../support/picture.ts"

let read: Result<FormWithFile, Refusal> | undefined
let isPlainForm: boolean | undefined

const server = createServer({ IncomingMessage: Incoming }, (raw, rawReply) => {
  readBody(raw, 1024 * 1024, (body) => {
    assert.ok(typeof body !== "string")
    const request = new HttpRequest(raw, "id", "/")
    request.body = isInBytes(request) ? body : body.toString("utf8")
    void readForm(request).finally(() => rawReply.end())
  })
})
before(() => once(server.listen(0, "127.0.0.1"), "listening"))
after(() => server.close())

async function readForm(request: HttpRequest): Promise<void> {
  isPlainForm = rawFormOf(request) !== null
  read = await formWithFile(request)
}

async function send(type: string, payload: Buffer | string): Promise<Result<FormWithFile, Refusal>> {
  read = undefined
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const body = new Uint8Array(Buffer.from(payload))
  const answer = await fetch(url, { method: "POST", headers: { "content-type": type }, body })
  assert.equal(await answer.text(), "")
  assert.ok(read !== undefined)
  return read
}

/** Encodes the form as a browser does. */
async function submit(
  fields: readonly (readonly [string, string | Blob])[],
): Promise<Result<FormWithFile, Refusal>> {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (typeof value === "string") form.append(name, value)
    else form.append(name, value, "../../../etc/passwd")
  }
  const encoded = new Response(form)
  const type = encoded.headers.get("content-type") ?? ""
  return send(type, Buffer.from(await encoded.arrayBuffer()))
}

const picture = png(3, 3)
const file = new Blob([new Uint8Array(picture)], { type: "text/html" })
const reasonOf = (result: Result<FormWithFile, Refusal>) => (result.ok ? null : result.error.reason)

test("ICON-1: the fields and the bytes of the file, whatever its name and its type say", async () => {
  const form = await submit([
    ["csrf", "a token"],
    ["name", "naïve\r\n“x”"],
    ["empty", ""],
    ["__proto__", "plain"],
    ["icon", file],
  ])
  assert.ok(form.ok)
  assert.deepEqual(form.value.file, new Uint8Array(picture))
  assert.deepEqual(
    [...form.value.form.values],
    [
      ["csrf", "a token"],
      ["name", "naïve\r\n“x”"],
      ["__proto__", "plain"],
    ],
  )
  assert.equal(isPlainForm, false, "an address that wants no file takes it for no form")
})

test("ICON-1: no file chosen is no file", async () => {
  for (const fields of [
    [["csrf", "x"]],
    [
      ["csrf", "x"],
      ["icon", new Blob([])],
    ],
  ] as const) {
    const form = await submit(fields)
    assert.ok(form.ok)
    assert.equal(form.value.file, null)
  }
})

test("ERR-5, ICON-1: what is given twice is refused", async () => {
  const twice = await submit([
    ["csrf", "x"],
    ["csrf", ""],
  ])
  assert.equal(reasonOf(twice), "parameterRepeated")
  const files = await submit([
    ["icon", file],
    ["icon", file],
  ])
  assert.equal(reasonOf(files), "parameterRepeated")
})

const part = (head: string, content = ""): string =>
  `--B\r\ncontent-disposition: ${head}\r\n\r\n${content}\r\n`
const MULTIPART = "multipart/form-data; boundary=B"

const none: Record<string, readonly [type: string, body: Buffer | string]> = {
  "a file under another name": [MULTIPART, `${part('form-data; name="other"; filename="x"', "x")}--B--\r\n`],
  "a text where the file belongs": [MULTIPART, `${part('form-data; name="icon"', "x")}--B--\r\n`],
  "no boundary": ["multipart/form-data", `${part('form-data; name="a"')}--B--\r\n`],
  "another boundary": ["multipart/form-data; boundary=C", `${part('form-data; name="a"')}--B--\r\n`],
  "an end that never comes": [MULTIPART, part('form-data; name="a"', "x")],
  "a part without a name": [MULTIPART, `${part("form-data", "x")}--B--\r\n`],
  "no parts": [MULTIPART, "hello"],
  nothing: [MULTIPART, ""],
  "ten thousand parts": [MULTIPART, `${part('form-data; name="a"').repeat(10_000)}--B--\r\n`],
  "a boundary that hides behind another": [
    'multipart/form-data; x="; boundary=C"; boundary=B',
    `${part('form-data; name="a"', "x")}--B--\r\n`,
  ],
  "a part with five thousand headers": [
    MULTIPART,
    `${part(`form-data; name="a"${"\r\nx: y".repeat(5_000)}`, "x")}--B--\r\n`,
  ],
  "a hundred and one fields": [
    MULTIPART,
    `${Array.from({ length: 101 }, (_, n) => part(`form-data; name="a${n}"`, "x")).join("")}--B--\r\n`,
  ],
  "a text that is not UTF-8": [
    MULTIPART,
    Buffer.concat([Buffer.from(part('form-data; name="a"', "\u00ff"), "latin1"), Buffer.from("--B--\r\n")]),
  ],
  "an encoded form": ["application/x-www-form-urlencoded", "csrf=x"],
  "a form under the name of a picture": ["image/png", `${part('form-data; name="a"', "x")}--B--\r\n`],
  "something mixed": ["multipart/mixed; boundary=B", `${part('form-data; name="a"', "x")}--B--\r\n`],
}

for (const [name, [type, body]] of Object.entries(none))
  test(`ERR-5, ICON-1: no form with a file: ${name}`, async () => {
    assert.equal(reasonOf(await send(type, body)), "bodyNotForm")
  })
