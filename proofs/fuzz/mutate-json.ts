/** Spoils a JSON body: one of its nodes, or its text. */
import type { Choice } from "../choice.ts"
import { type Body, utf8 } from "./draft.ts"
import { MARKER, PROTOTYPE_NAMES, word } from "./words.ts"

const DEPTHS = [10, 500, 5000, 30_000]

/** Texts of values that a parser might accept but a program might not expect. */
const LITERALS = [
  "null",
  "true",
  "false",
  "0",
  "-0",
  "-1",
  "1.5",
  "1e309",
  "-1e309",
  "1e-400",
  "9007199254740993",
  "9".repeat(400),
  "0.".padEnd(400, "1"),
  '""',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"\\u202e"',
  '"\\uffff"',
  "[]",
  "[[]]",
  "[null]",
  '[""]',
  "[{}]",
  "{}",
  '{"__proto__":null}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"toString":1}',
  '{"toJSON":1}',
  '{"then":1}',
  '{"length":1}',
  "NaN",
  "Infinity",
  "undefined",
  "01",
  "+1",
  ".5",
  "'a'",
  "/*x*/1",
]

/** Marks the place where a value is inserted. No other text contains it. */
const HOLE = "\u0001hole\u0001"

export function mutateJson(choice: Choice, value: unknown): Body {
  const text = utf8(JSON.stringify(value) ?? "null")
  const bytes = (spoiled: string): Body => ({ kind: "bytes", bytes: spoiled })
  switch (choice.below(14)) {
    case 0:
      return bytes(text.slice(0, choice.below(text.length + 1)))
    case 1:
      return bytes(text + choice.one([",", "}", "]", "\0", text, "//x", " \n\t", "\xef\xbb\xbf"]))
    case 2:
      return bytes(choice.one(LITERALS))
    case 3:
      return bytes(`${choice.one(["\xef\xbb\xbf", " ", ")]}',\n", "\0"])}${text}`)
    case 4: {
      const at = choice.below(text.length + 1)
      return bytes(`${text.slice(0, at)}${String.fromCharCode(choice.below(256))}${text.slice(at + 1)}`)
    }
    case 5:
      // The member is repeated with another value. Some parsers use the first value and others the last.
      return bytes(text.replace(/^\{/, `{${member(choice, value)},`))
    case 6:
      return bytes(text.replace(/\}$/, `,${member(choice, value)}}`).replace("{,", "{"))
    case 7: {
      const name = JSON.stringify(choice.one(PROTOTYPE_NAMES))
      return bytes(text.replace(/^\{/, `{${name}:${choice.one(LITERALS)}${text === "{}" ? "" : ","}`))
    }
    case 8: {
      const deep = choice.one(DEPTHS)
      const [open, close] = choice.one([
        ["[", "]"],
        ['{"a":', "}"],
      ] as const)
      return filled(choice, value, `${open.repeat(deep)}1${close.repeat(deep)}`)
    }
    case 9:
      return filled(choice, value, utf8(JSON.stringify(Buffer.from(word(choice), "latin1").toString("utf8"))))
    case 10:
      return filled(choice, value, `"${"a".repeat(choice.one([101, 2001, 5000, 66_000]))}"`)
    case 11:
      return filled(choice, value, utf8(JSON.stringify(MARKER)))
    default:
      return filled(choice, value, choice.one(LITERALS))
  }
}

/** Returns a member whose name already exists. */
function member(choice: Choice, value: unknown): string {
  const names = typeof value === "object" && value !== null ? Object.keys(value) : []
  return `${JSON.stringify(choice.one(names.length === 0 ? ["a"] : names))}:${choice.one(LITERALS)}`
}

/** Returns `value` with `text` in place of one of its nodes. */
function filled(choice: Choice, value: unknown, text: string): Body {
  const holed = utf8(JSON.stringify(withHole(choice, value)))
  return { kind: "bytes", bytes: holed.replace(JSON.stringify(HOLE), () => text) }
}

function withHole(choice: Choice, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0) {
    const at = choice.below(value.length)
    return value.with(at, withHole(choice, value[at]))
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return HOLE
  const members = Object.entries(value)
  if (members.length === 0 || choice.chance(0.1)) return HOLE
  const [name, inner] = choice.one(members)
  return { ...value, [name]: withHole(choice, inner) }
}
