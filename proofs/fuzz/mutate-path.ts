/** Spellings of a path that a parser may read as another path. */
import type { Choice } from "../choice.ts"
import { escapedWord, spoiled } from "./words.ts"

const TAILS = [
  "/",
  "//",
  "/.",
  "/..",
  "/%2e",
  "/%2e%2e",
  "%2f",
  "%5c",
  "\\",
  ";",
  ";x=1",
  ";jsessionid=1",
  ".json",
  ".php",
  "%00",
  "%20",
  "%0a",
  "%0d%0ax-zq-injected:%201",
  "%23",
  "#",
  "#x",
  "%3f",
  "~",
  "*",
  ":80",
  "/__proto__",
  "/constructor",
  "/toString",
  "/hasOwnProperty",
  "%c0%ae",
  "%u002f",
  "%E2%80%8B",
  "%ff",
  "%",
  "%zz",
  "&x=1",
  "/*",
  "/:client_id",
  "\t",
  "/a\x80",
]

const LENGTHS = [100, 1000, 8000, 14_000, 16_384, 20_000]

export function mutatePath(choice: Choice, path: string): string {
  const segments = path.split("/")
  const at = 1 + choice.below(Math.max(1, segments.length - 1))
  const segment = segments[at] ?? ""
  const withSegment = (other: string) => segments.with(at, other).join("/")
  if (segments.length < 2) return `/${path}`
  switch (choice.below(16)) {
    case 0:
    case 1:
      return path + choice.one(TAILS)
    case 2:
      return choice.one(["/", "//", "/.", "/%2e", "/x/..", "/x/%2e%2e", "\\", "/%2f", "/;", "."]) + path
    case 3:
      return path.toUpperCase()
    case 4:
      // The URL stays the same, because only letters are escaped.
      return withSegment(hexed(segment))
    case 5:
      return segment === "" ? path : withSegment(hexed(segment.slice(0, 1)) + segment.slice(1))
    case 6:
      return withSegment(
        choice.one(["", ".", "..", "%2e%2e", "*", "__proto__", "constructor", "%2F", "a%2Fb"]),
      )
    case 7:
    case 8:
    case 9:
      return withSegment(escapedWord(choice).replaceAll(/[\s#?]/g, "%20"))
    case 10:
      return withSegment(spoiled(choice, segment).replaceAll(/[\s#?]/g, "%20"))
    case 11:
      return segments.toSpliced(at, 1).join("/") || "/"
    case 12:
      return segments.toSpliced(at, 0, segment).join("/")
    case 13:
      return absolute(choice, path)
    case 14:
      return path.replaceAll("/", choice.one(["%2f", "%2F", "//", "/./", "%5c", "\\"]))
    default:
      return choice.chance(0.15)
        ? `${path}/${"a".repeat(choice.one(LENGTHS))}`
        : `/${choice.one(["api", "oauth", "console", "account", ".well-known", "assets"])}${path}`
  }
}

function hexed(text: string): string {
  return [...text].map((one) => `%${one.charCodeAt(0).toString(16)}`).join("")
}

function absolute(choice: Choice, path: string): string {
  return choice.one([
    `http://localhost${path}`,
    `HTTP://EVIL.example${path}`,
    `http://evil.example:80${path}`,
    `https://a:b@localhost${path}`,
    `http://[::1]${path}`,
    `http://${path}`,
    `//evil.example${path}`,
    `ftp://localhost${path}`,
    `urn:x${path}`,
    `*${path}`,
    path.slice(1),
    "*",
    "",
    "localhost:80",
  ])
}
