/** Spoils one place of a request: its method, path, parameters, cookies, headers or body. */
import type { Choice } from "../choice.ts"
import { type Body, chunked, type Draft, type Pair, utf8 } from "./draft.ts"
import { mutateHeaders } from "./mutate-headers.ts"
import { mutateJson } from "./mutate-json.ts"
import { mutatePairs } from "./mutate-pairs.ts"
import { mutateParts } from "./mutate-parts.ts"
import { mutatePath } from "./mutate-path.ts"
import { word } from "./words.ts"

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const
const ODD_METHODS = [
  ..."TRACE PROPFIND SEARCH REPORT LINK COPY LOCK MKCOL".split(" "),
  "get",
  "Post",
  "BREW",
  "__proto__",
  "constructor",
  "CONNECT",
  "PRI",
  "",
]

/** Returns `draft` with one place changed. Parts may be replaced by parts of `others`. */
export function mutate(choice: Choice, draft: Draft, others: readonly Draft[]): Draft {
  const dice = choice.below(100)
  if (dice < 10)
    return { ...draft, method: choice.chance(0.7) ? choice.one(METHODS) : choice.one(ODD_METHODS) }
  if (dice < 22) return { ...draft, path: mutatePath(choice, draft.path) }
  if (dice < 40) return { ...draft, query: mutatePairs(choice, draft.query, "&", swapped(choice, others)) }
  if (dice < 48) return { ...draft, cookies: mutatePairs(choice, draft.cookies, ";") }
  if (dice < 62) return { ...draft, headers: mutateHeaders(choice, draft) }
  if (dice < 64) return { ...draft, isChunked: !draft.isChunked }
  if (dice < 65) return { ...draft, version: choice.one(["1.0", "1.1", "2.0", "0.9", "1.2", "1.1 ", "1"]) }
  if (dice < 67) return moved(draft)
  return { ...draft, body: mutateBody(choice, draft.body, others) }
}

/** Returns the query or form of another request, because other endpoints know its names. */
function swapped(choice: Choice, others: readonly Draft[]): readonly Pair[] {
  const { query, body } = choice.one(others)
  return body.kind === "form" ? body.pairs : query
}

/** Moves parameters to places where they are not expected. */
function moved(draft: Draft): Draft {
  if (draft.body.kind === "form")
    return { ...draft, query: [...draft.query, ...draft.body.pairs], body: { kind: "form", pairs: [] } }
  return { ...draft, query: [], body: { kind: "form", pairs: draft.query } }
}

function mutateBody(choice: Choice, body: Body, others: readonly Draft[]): Body {
  if (choice.chance(0.04)) return stranger(choice, others)
  switch (body.kind) {
    case "form":
      return { kind: "form", pairs: mutatePairs(choice, body.pairs, "&", swapped(choice, others)) }
    case "json":
      return mutateJson(choice, body.value)
    case "parts":
      return mutateParts(choice, body)
    case "none":
    case "bytes":
      return stranger(choice, others)
  }
}

const DEEP = 20_000

/** Returns a body that is not expected here. */
function stranger(choice: Choice, others: readonly Draft[]): Body {
  const bytes = (text: string): Body => ({ kind: "bytes", bytes: text })
  switch (choice.below(9)) {
    case 0:
      return bytes(word(choice))
    case 1:
      return bytes("\x00\xff\xfe".repeat(1 + choice.below(200)))
    case 2:
      return bytes("[".repeat(DEEP))
    case 3:
      return bytes(`a=${"b".repeat(choice.one([65_500, 65_534, 65_535, 70_000]))}`)
    case 4:
      return bytes("&".repeat(choice.one([10, 3000, 60_000])))
    case 5:
      return bytes(Array.from({ length: 3000 }, (_, at) => `a${at}=b`).join("&"))
    case 6:
      // The body has a length or chunks, and itself contains chunks.
      return bytes(chunked(utf8("client_id=x")))
    case 7:
      return bytes(utf8('﻿{"a":1}'))
    default:
      return choice.one(others).body
  }
}
