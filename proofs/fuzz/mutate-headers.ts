/** Spoils the headers of a request. */
import type { Choice } from "../choice.ts"
import { type Draft, FORM, type Pair } from "./draft.ts"
import { forgeJwt } from "./mutate-jwt.ts"
import { FORGED } from "./mutate-pairs.ts"
import { INJECTED, long, MARKER, PROTOTYPE_NAMES, spoiled, word } from "./words.ts"

const TYPES = [
  FORM,
  FORM.toUpperCase(),
  `${FORM}; charset=utf-8`,
  `${FORM};charset="UTF-8"`,
  `${FORM}; charset=utf-16`,
  `${FORM}; charset=utf-7; charset=utf-8`,
  `${FORM}; boundary=x`,
  `${FORM},application/json`,
  ` ${FORM} ;`,
  "application/json",
  "Application/JSON; charset=utf-8",
  "application/json; charset=iso-8859-1",
  "application/problem+json",
  "text/json",
  "text/plain",
  "text/xml",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  "multipart/form-data; boundary=x",
  'multipart/form-data; boundary="x"; boundary=y',
  `multipart/form-data; boundary=${"x".repeat(71)}`,
  "multipart/form-data; boundary=\xff",
  "image/png",
  "image/svg+xml",
  "image/",
  "application/octet-stream",
  "",
  ";",
  "__proto__/constructor",
  "*/*",
]

/** Unusual values of headers that the service or a proxy reads. */
const READ: Readonly<Record<string, readonly string[]>> = {
  Origin: ["null", "http://evil.example", "http://localhost", "https://localhost", "", MARKER, "file://"],
  "Sec-Fetch-Site": ["cross-site", "same-site", "none", "same-origin", "SAME-ORIGIN", "", MARKER],
  Authorization: [
    "Basic",
    "Basic ",
    "Basic !!!!",
    "Basic Og==",
    "Basic QQ==",
    "Basic /////w==",
    "Basic YTpi YTpi",
    "basic YTpi",
    "Basic X19wcm90b19fOmI=",
    "Bearer",
    "Bearer ",
    "Bearer  lka_x",
    "Bearer lka_x, Bearer lka_y",
    "bearer __proto__",
    "Digest username=x",
    "Negotiate",
    "DPoP x",
    "\xff",
  ],
  "X-Forwarded-For": [
    "",
    ",",
    "127.0.0.1",
    "127.0.0.1, 127.0.0.1",
    "unknown",
    "::1",
    "[::1]:80",
    "fe80::1%eth0",
    "::ffff:1.2.3.4",
    "1.2.3.4:80",
    "999.1.1.1",
    "2001:db8::1",
    "1".repeat(5000),
    "127.0.0.1,".repeat(600),
  ],
  "X-Forwarded-Proto": ["https", "http, https", MARKER],
  "X-Forwarded-Host": ["evil.example", MARKER],
  "X-Original-URL": ["/console"],
  "X-Rewrite-URL": ["/console"],
  Forwarded: ["for=1.2.3.4;proto=https;host=evil.example"],
  "X-HTTP-Method-Override": ["DELETE", "POST"],
  "X-Request-Id": ["", "a b", MARKER, "a".repeat(65), "../x", "__proto__"],
  "If-None-Match": ["*", '"x"', 'W/"x", "y"', "x", `"${"a".repeat(4000)}"`, ",,,", '"'],
  "If-Match": ["*", '"x"'],
  "If-Modified-Since": ["Thu, 01 Jan 1970 00:00:00 GMT", "yesterday", "99999999999999"],
  "If-Unmodified-Since": ["Thu, 01 Jan 1970 00:00:00 GMT"],
  "If-Range": ['"x"'],
  Range: ["bytes=0-0", "bytes=-1", "bytes=0-,0-,0-", "bytes=9-1", "lines=1-2", `bytes=${"0-0,".repeat(900)}`],
  Accept: ["text/html", "application/json", "*/*;q=0", "a/b;".repeat(500), ""],
  "Accept-Encoding": ["gzip, br", "identity;q=0", "*;q=0", "xz"],
  "Accept-Language": ["de", "*", "__proto__", "x".repeat(3000)],
  "Content-Encoding": ["gzip", "deflate, br", "identity", "x"],
  "User-Agent": ["", MARKER, "\xff", "x".repeat(4000), "curl/8"],
  Referer: ["http://evil.example/", MARKER, ""],
  "Last-Event-ID": ["0", "-1", "1e9", "__proto__", MARKER, "\xff"],
  "Access-Control-Request-Method": ["DELETE", MARKER],
  "Access-Control-Request-Headers": ["authorization, x-zq", MARKER],
  "MCP-Protocol-Version": ["x"],
  Connection: ["close", "keep-alive", "upgrade", "close, keep-alive", "x-forwarded-for", "TE"],
  Upgrade: ["websocket", "h2c", "TLS/1.0"],
  "HTTP2-Settings": ["AAMAAABkAAQAAP__"],
  Expect: ["100-continue", "100-Continue", "200-ok", ""],
  TE: ["trailers", "gzip"],
  Trailer: ["Content-Length"],
  "Keep-Alive": ["timeout=99999"],
  Host: ["", "evil.example", "localhost, evil.example", "a b", MARKER, "localhost:99999"],
  "Content-Length": ["0", "5", "+5", "-1", "5, 5", "0x5", "1e1"],
  "Transfer-Encoding": ["chunked", "identity", "gzip, chunked", "xchunked", "chunked, chunked"],
}
const NAMES = Object.keys(READ)

export function mutateHeaders(choice: Choice, { headers, body }: Draft): readonly Pair[] {
  const at = headers.length === 0 ? 0 : choice.below(headers.length)
  const [name, value] = headers[at] ?? ["Accept", "*/*"]
  const jwt = forgeJwt(choice, value)
  if (jwt !== null && choice.chance(FORGED)) return headers.toSpliced(at, 1, [name, jwt])
  const without = (gone: string) => headers.filter(([one]) => one.toLowerCase() !== gone.toLowerCase())
  switch (choice.below(14)) {
    case 0:
      return headers.toSpliced(at, 1)
    case 1:
      return [...headers, [name, value]]
    case 2:
      return [...headers, [name, plain(word(choice))]]
    case 3:
      return headers.toSpliced(at, 1, [name, plain(spoiled(choice, value))])
    case 4:
      return headers.toSpliced(at, 1, [name, plain(word(choice))])
    case 5:
      return headers.toSpliced(at, 1, [
        choice.chance(0.5) ? name.toUpperCase() : name.replaceAll("-", "_"),
        value,
      ])
    case 6:
    case 7:
      return body.kind === "none" && choice.chance(0.7)
        ? odd(choice, headers)
        : [...without("content-type"), ["Content-Type", choice.one(TYPES)]]
    case 8:
      return [...headers, ["Content-Type", choice.one(TYPES)]]
    case 9:
      return [...headers, [choice.one(PROTOTYPE_NAMES).replaceAll(/[[\]]/g, "-"), plain(word(choice))]]
    case 10:
      return choice.chance(0.3)
        ? [...headers, ...Array.from({ length: choice.one([50, 300]) }, (_, of): Pair => [`x-${of}`, "1"])]
        : [...headers, [`x-${choice.below(9)}`, choice.chance(0.1) ? long(choice) : plain(word(choice))]]
    case 11:
      return choice.chance(0.1) ? [...headers, [INJECTED, word(choice)]] : odd(choice, headers)
    default:
      return odd(choice, headers)
  }
}

function odd(choice: Choice, headers: readonly Pair[]): readonly Pair[] {
  const name = choice.one(NAMES)
  return [...headers, [name, choice.one(READ[name] ?? [])]]
}

/** Returns a text, usually without characters that end the head. `broken.ts` tests those. */
function plain(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?")
}
