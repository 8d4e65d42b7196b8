/** Hostile names and values. Each character is one byte. */
import type { Choice } from "../choice.ts"
import { escaped, utf8 } from "./draft.ts"

/** Names that every JavaScript object has. */
export const PROTOTYPE_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "__defineGetter__",
  "__lookupSetter__",
  "constructor[prototype][polluted]",
  "__proto__.polluted",
  "__proto__[polluted]",
  "toJSON",
  "then",
  "length",
  "get",
  "size",
] as const

/** A page must never treat this text as markup. `LOOSE` detects that. */
export const MARKER = `a"zq='b'zq=<zq onload=1>&lt;zq&`

/** Matches the marker if a page did not escape it, either as an element or as the end of an attribute. */
export const LOOSE = /<zq|a"zq|[a-z]="[^"<>]*b'zq=<|<!--zq/

/** A response with this header has been injected. */
export const INJECTED = "x-zq-injected"

const UNICODE = [
  "аdmin",
  "ａｄｍｉｎ",
  "ⅼatchkey",
  "\u202eadmin\u202c",
  "ad\u200bmin",
  "ad\u00admin",
  "\ufeffadmin",
  "e\u0301",
  "é",
  "ſ",
  "İ",
  "ß",
  "ﷺ",
  "👩‍👩‍👧‍👦",
  "\u{10ffff}",
  "\ufffd",
  "\ufffe",
  "\u2028",
  "\u2029",
  "\u0085",
  "\u0000",
  "a\u0000b",
  "\t",
  "\u007f",
  "Z".concat("\u0335".repeat(60)),
]

const BROKEN_BYTES = [
  "\xff",
  "\xc0\xaf",
  "\xe0\x80\xaf",
  "\xf0\x80\x80\xaf",
  "\xc3",
  "\xed\xa0\x80",
  "\xed\xb0\x80",
  "\xf4\x90\x80\x80",
  "\xf8\x88\x80\x80\x80",
  "a\x80b",
]

/** Malformed escapes, and escapes that decode to another escape. */
export const BROKEN_ESCAPES = [
  "%",
  "%z",
  "%zz",
  "%2",
  "%%32%35",
  "%u0061",
  "%00",
  "%0d%0a",
  "%c0%af",
  "%e0%80%af",
  "%ed%a0%80",
  "%ff",
  "%25252e",
  "%2e%2e%2f",
  "+",
  "%20",
  "%E2%80%AE",
  "%EF%BB%BF",
]

const PLAIN = [
  "",
  " ",
  "0",
  "-1",
  "-0",
  "1e309",
  "NaN",
  "Infinity",
  "9007199254740993",
  "99999999999999999999999999999999",
  "0x10",
  "٣",
  "true",
  "null",
  "undefined",
  "[]",
  "{}",
  "[object Object]",
  "*",
  "%",
  "_",
  "..",
  "../../../../etc/passwd",
  "..\\..\\",
  "/",
  "//evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "data:text/html,<zq>",
  "http://localhost@evil.example/",
  "http://[::1]/",
  "' OR '1'='1",
  "'; DROP TABLE account; --",
  '" OR ""="',
  "') UNION SELECT * FROM credential --",
  "$(sleep 9)",
  "`id`",
  "${7*7}",
  "{{7*7}}",
  "<%= 7 %>",
  "%s%s%s%n",
  "(a+)+$",
  MARKER,
  MARKER,
  `a\r\n${INJECTED}: 1`,
  `a\n${INJECTED}: 1\n\n<zq>`,
  `a\r\n\r\nHTTP/1.1 200 OK\r\n${INJECTED}: 1\r\n\r\n`,
  "<!--zq",
  "]]>",
  "</title></style></textarea><zq>",
  "authorization_code",
  "refresh_token",
  "client_credentials",
  "password",
  "urn:ietf:params:oauth:grant-type:device_code",
  "code",
  "token",
  "S256",
  "plain",
  "openid",
  "openid profile email groups",
  "none",
  "login",
  "none login",
  "select_account",
  '{"id_token":{"sub":{"value":"x"}}}',
  "eyJhbGciOiJub25lIn0.e30.",
  "eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.AAAA",
  "acct:root@localhost",
  "admin:settings",
  "account:read account:read",
  "on",
  "off",
  "authorize",
  "refuse",
  "BCDF-GHJK",
  "000000",
  "lka_",
  "lkr_AAAA",
  "lkc_" + "A".repeat(75),
  "lkd_" + "0".repeat(26) + "A".repeat(49),
] as const

const WORDS: readonly string[] = [
  ...PROTOTYPE_NAMES,
  ...UNICODE.map(utf8),
  ...BROKEN_BYTES,
  ...PLAIN.map(utf8),
]

/** Lengths up to those that forms of the service accept, and some above. */
const LENGTHS = [64, 100, 101, 128, 129, 255, 256, 1024, 1025, 2000, 2001, 4096, 4097, 9000]
const FILL = ["a", "0", "A", "%41", "é", ".", "/", " ", "-", "\x80", "(", "[", "&#", "__proto__."]

export function word(choice: Choice): string {
  return choice.chance(0.06) ? long(choice) : choice.one(WORDS)
}

export function long(choice: Choice): string {
  const fill = utf8(choice.one(FILL))
  return fill.repeat(Math.ceil(choice.one(LENGTHS) / fill.length))
}

/** Encodes a word as in a query or a form, sometimes wrongly. */
export function escapedWord(choice: Choice): string {
  if (choice.chance(0.15)) return choice.one(BROKEN_ESCAPES)
  const chosen = word(choice)
  return choice.chance(0.05) ? chosen : escaped(chosen)
}

/** Changes `text` as a bad copy, a typing error or a guess would. */
export function spoiled(choice: Choice, text: string): string {
  const at = choice.below(text.length + 1)
  switch (choice.below(9)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return text.slice(at)
    case 2:
      return (
        text.slice(0, at) +
        choice.one(["%00", "%20", "+", ".", "A", "=", "%C3", "/", ";", ","]) +
        text.slice(at)
      )
    case 3:
      return text.slice(0, at) + String.fromCharCode(33 + choice.below(90)) + text.slice(at + 1)
    case 4:
      return text.toUpperCase()
    case 5:
      return text.toLowerCase()
    case 6:
      return text + text
    case 7:
      return `${text}%00${text}`
    default:
      return `${choice.one(["%20", "%09", "%0A", "%EF%BB%BF", '"', "'"])}${text}`
  }
}
