/** Only signed-in people and valid tokens may send bodies of more than 64 KiB. */
import { describe, test } from "node:test"
import assert from "node:assert/strict"
import { once } from "node:events"
import { open } from "../raw.ts"
import { fixture } from "../../../support/fixture.ts"

const LENGTH = 500_000
const COOKIE = `latchkey_session=${"a".repeat(43)}`
const TOKEN = `Authorization: Bearer ${"a".repeat(43)}`

const { testServer } = await fixture()

/** Sends the head and `body` of a request whose rest never arrives. Returns the head of the response. */
async function headOf(line: string, headers: readonly string[], body = ""): Promise<string> {
  const socket = open(testServer.url)
  socket.setTimeout(3_000, () => socket.destroy(new Error("no answer before the body is whole")))
  socket.write(`${[`${line} HTTP/1.1`, "Host: localhost", ...headers].join("\r\n")}\r\n\r\n${body}`)
  const [chunk] = (await once(socket, "data")) as [Buffer]
  socket.destroy()
  return chunk.toString("latin1")
}

describe("LOAD-1: who is signed out is answered before a large body is read", () => {
  const lengths: Record<string, string> = {
    "with a length": `Content-Length: ${LENGTH}`,
    "in chunks": "Transfer-Encoding: chunked",
  }
  const requests: Record<string, [line: string, headers: string[], status: number]> = {
    "an own app, no cookie": ["POST /account/apps/icon", [], 403],
    "an own app, an unknown session": ["POST /account/apps/icon", [`Cookie: ${COOKIE}`], 403],
    "the console, no cookie": ["POST /console/app/icon", [], 403],
    "the console, an unknown session": ["POST /console/app/icon", [`Cookie: ${COOKIE}`], 403],
    "the API, no token": ["PUT /api/apps/x/icon", [], 401],
    "the API, an unknown token": ["PUT /api/apps/x/icon", [TOKEN], 401],
    "the administrator's API, no token": ["PUT /api/admin/apps/x/icon", [], 401],
  }
  for (const [name, [line, headers, status]] of Object.entries(requests))
    for (const [how, length] of Object.entries(lengths))
      test(`${name}, ${how}`, async () => {
        const type = "Content-Type: image/png"
        const head = await headOf(line, [...headers, type, length])
        assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
        assert.match(head, /^connection: close\r$/im)
      })
})
