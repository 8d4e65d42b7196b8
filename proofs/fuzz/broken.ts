/**
 * Requests with ambiguous, broken or missing framing, which a proxy and a server may read in two ways (RFC 9112 §11.2).
 * A second request follows each. It must never get a response if it may be part of the first request.
 */
import type { Choice } from "../choice.ts"
import { type Draft, encode, FORM, type Pair } from "./draft.ts"

export type Broken = {
  readonly name: string
  readonly bytes: string
  /** More responses than this are wrong. */
  readonly answersAtMost: number
}

/** The id of the request that must not be answered. */
export const SMUGGLED = "smuggled"

const HOST = "Host: localhost"
const hidden = (method = "GET") =>
  `${method} /health HTTP/1.1\r\n${HOST}\r\nX-Request-Id: ${SMUGGLED}\r\n\r\n`
const post = (lines: readonly string[], body: string) =>
  `POST /oauth/token HTTP/1.1\r\n${HOST}\r\nContent-Type: ${FORM}\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n${body}`
const get = (lines: readonly string[], rest = "") =>
  `GET /health HTTP/1.1\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n${rest}`

const CODINGS = [
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: Chunked",
  "Transfer-Encoding:chunked ",
  "Transfer-Encoding: xchunked",
  "Transfer-Encoding: chunked, identity",
  "Transfer-Encoding: identity, chunked",
  "Transfer-Encoding: gzip, chunked",
  "Transfer-Encoding: chunked, chunked",
  "Transfer-Encoding: identity",
  "Transfer-Encoding:\tchunked",
  "Transfer-Encoding:\x0bchunked",
  "Transfer-Encoding: \x00chunked",
  "Transfer-Encoding: chunked;x=1",
  'Transfer-Encoding: "chunked"',
  "Transfer-Encoding : chunked",
  " Transfer-Encoding: chunked",
  "X: y\nTransfer-Encoding: chunked",
  "X: y\rTransfer-Encoding: chunked",
  "Transfer-Encoding\r\n : chunked",
  "Transfer-Encoding:\r\n chunked",
  "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
  "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
]
const LENGTHS = [
  "+5",
  "-1",
  "0x5",
  "5,5",
  "5, 6",
  " 5\t",
  "5 5",
  "1e1",
  "",
  "5;x",
  "\xd9\xa5",
  "99999999999999999999999",
  "18446744073709551616",
  "5\r\nContent-Length: 6",
  "5\r\nContent-Length: 5",
  "5\r\ncontent-length : 5",
  "05",
]
const CHUNKS = [
  "5;ext=1\r\nab=cd\r\n0\r\n\r\n",
  `5;${"e".repeat(20_000)}\r\nab=cd\r\n0\r\n\r\n`,
  "5 \r\nab=cd\r\n0\r\n\r\n",
  "0x5\r\nab=cd\r\n0\r\n\r\n",
  "-1\r\nab=cd\r\n0\r\n\r\n",
  "+5\r\nab=cd\r\n0\r\n\r\n",
  "ffffffffffffffff1\r\nab=cd\r\n0\r\n\r\n",
  "ffffffffffffffff\r\nab=cd\r\n0\r\n\r\n",
  "0005\r\nab=cd\r\n0\r\n\r\n",
  `${"0".repeat(300)}5\r\nab=cd\r\n0\r\n\r\n`,
  "5\nab=cd\n0\n\n",
  "5\r\nab=cdXX\r\n0\r\n\r\n",
  "5\r\nab=cd0\r\n\r\n",
  "5\r\nab=cd\r\n0\r\nContent-Length: 5\r\n\r\n",
  "5\r\nab=cd\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n",
  `5\r\nab=cd\r\n0\r\nx: ${"y".repeat(20_000)}\r\n\r\n`,
  `5\r\nab=cd\r\n0\r\n${"x: y\r\n".repeat(3000)}\r\n`,
  "5\r\nab=cd\r\n0\r\n\0\r\n\r\n",
  "\r\n5\r\nab=cd\r\n0\r\n\r\n",
  ";\r\n",
  "zz\r\n",
]
const LINES = [
  "X : y",
  "Transfer_Encoding: chunked",
  "X\t: y",
  " X: y",
  "X y",
  ": y",
  "X\0: y",
  "X: \0",
  "X: y\nZ: w",
  "X: y\rZ: w",
  "X: y\r\n folded",
  "X: y\r\n\tfolded",
  "X\xc3\xa9: y",
  "X: \xc3\xa9\xff",
  ":authority: x",
  "X(): y",
  "X: y\x7f",
  "X: \x0c",
  '"X": y',
  `${"x".repeat(17_000)}: y`,
  `${"x: y\r\n".repeat(2100)}x: y`,
  "Content-Length: 0\r\nContent-Length:",
  "Expect: 100-continue\r\nExpect: 100-continue",
  "Expect: 200-ok",
  "Connection: close\r\nConnection: keep-alive",
  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13",
  "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
]
const HOSTS = [
  [],
  ["Host:"],
  ["Host: localhost", "Host: localhost"],
  ["Host: localhost", "Host: evil.example"],
  ["Host: a@localhost"],
  ["Host: localhost/path"],
  ["Host : localhost"],
  ["Host: local host"],
  ["Host: [::1"],
  ["host: x\0"],
]
const FIRST_LINES = [
  "GET /health",
  "GET /health HTTP/1.0",
  "GET /health HTTP/0.9",
  "GET /health HTTP/1.2",
  "GET /health HTTP/2.0",
  "GET /health HTTP/11.1",
  "GET /health http/1.1",
  "GET  /health HTTP/1.1",
  "GET\t/health\tHTTP/1.1",
  "GET /health HTTP/1.1 ",
  "GET /health HTTP/1.1\0",
  "GET /hea lth HTTP/1.1",
  "GET /hea\0lth HTTP/1.1",
  "GET /hea\xfflth HTTP/1.1",
  "GET health HTTP/1.1",
  "GET HTTP/1.1",
  " GET /health HTTP/1.1",
  "\r\n\r\n\r\nGET /health HTTP/1.1",
  "get /health HTTP/1.1",
  "GET /health?#x HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "GET * HTTP/1.1",
  "TRACE /health HTTP/1.1",
  "CONNECT localhost:80 HTTP/1.1",
  "CONNECT /health HTTP/1.1",
  "PRI * HTTP/2.0",
  "GET http://evil.example/health HTTP/1.1",
  "GET http:health HTTP/1.1",
  "GET //evil.example/health HTTP/1.1",
  `GET /${"a".repeat(17_000)} HTTP/1.1`,
  `${"A".repeat(17_000)} /health HTTP/1.1`,
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "SSH-2.0-OpenSSH_9.6",
  "\x00\x00\x00\x00",
  "{}",
]

type Shape = (choice: Choice) => Omit<Broken, "name">

const shapes: Readonly<Record<string, Shape>> = {
  "a length and chunks": (choice) => {
    const inner = hidden()
    const body = `0\r\n\r\n${inner}`
    const lines = [`Content-Length: ${choice.one([body.length, 5, 4])}`, choice.one(CODINGS)]
    return { bytes: post(choice.chance(0.5) ? lines : lines.toReversed(), body), answersAtMost: 1 }
  },
  "an odd transfer encoding": (choice) => ({
    bytes: post([choice.one(CODINGS.slice(3))], `5\r\nab=cd\r\n0\r\n\r\n`),
    answersAtMost: 2,
  }),
  "an odd length": (choice) => ({
    bytes: post([`Content-Length: ${choice.one(LENGTHS)}`], "ab=cd"),
    answersAtMost: 2,
  }),
  "odd chunks": (choice) => ({
    bytes: post(["Transfer-Encoding: chunked"], choice.one(CHUNKS)),
    answersAtMost: 2,
  }),
  "a request in the body of another": (choice) => {
    const inner = hidden(choice.one(["GET", "DELETE"]))
    const method = choice.one(["GET", "HEAD", "DELETE", "OPTIONS", "POST", "PUT"])
    return {
      bytes: `${method} /oauth/token HTTP/1.1\r\n${HOST}\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      answersAtMost: 1,
    }
  },
  "an odd header line": (choice) => ({ bytes: get([HOST, choice.one(LINES)]), answersAtMost: 1 }),
  "odd Hosts": (choice) => ({ bytes: get(choice.one(HOSTS)), answersAtMost: 1 }),
  "an odd first line": (choice) => ({
    bytes: `${choice.one(FIRST_LINES)}\r\n${HOST}\r\n\r\n`,
    answersAtMost: 1,
  }),
  "a tunnel": () => ({
    bytes: `CONNECT localhost:80 HTTP/1.1\r\n${HOST}\r\n\r\n${hidden()}`,
    answersAtMost: 1,
  }),
  "another protocol asked for": (choice) => ({
    bytes: `POST /oauth/token HTTP/1.1\r\n${HOST}\r\nConnection: Upgrade\r\nUpgrade: ${choice.one(["websocket", "h2c"])}\r\nContent-Length: 5\r\n\r\nab=cd`,
    answersAtMost: 1,
  }),
  "a body that is waited for": (choice) => ({
    bytes: post(["Expect: 100-continue", `Content-Length: ${choice.one([5, 70_000])}`], "ab=cd"),
    answersAtMost: 1,
  }),
  "half a head": (choice) => {
    const whole = get([HOST, "X-A: b"])
    return { bytes: whole.slice(0, choice.below(whole.length - 1)), answersAtMost: 1 }
  },
  "half a body": () => ({ bytes: post(["Content-Length: 500"], "client_id=x"), answersAtMost: 1 }),
}
const NAMES = Object.keys(shapes)

/** Returns one of these shapes, or a valid request in which bytes are changed, removed or repeated. */
export function broken(choice: Choice, valid: Draft, host: readonly Pair[]): Broken {
  if (choice.chance(0.35)) return jumbled(choice, valid, host)
  const name = choice.one(NAMES)
  const shape = shapes[name]
  if (shape === undefined) throw new Error(`no shape ${name}`)
  return { name, ...shape(choice) }
}

function jumbled(choice: Choice, valid: Draft, host: readonly Pair[]): Broken {
  const { head, body } = encode(valid, host)
  let bytes = head + body
  for (let left = 1 + choice.below(4); left > 0; left--) {
    const at = choice.below(bytes.length)
    const to = Math.min(bytes.length, at + 1 + choice.below(20))
    const [before, piece] = [bytes.slice(0, at), bytes.slice(at, to)]
    const byte = String.fromCharCode(choice.below(256))
    const rest = bytes.slice(at + 1)
    bytes = choice.one([
      before + byte + rest,
      before + byte + rest,
      before + byte + piece + bytes.slice(to),
      before + bytes.slice(to),
      before + piece + piece + bytes.slice(to),
    ])
  }
  return { name: "bytes changed", bytes, answersAtMost: 4 }
}
