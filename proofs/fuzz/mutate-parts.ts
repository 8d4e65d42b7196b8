/** Spoils a form that carries a file. RFC 7578. */
import type { Choice } from "../choice.ts"
import { type Body, bodyText, type Part } from "./draft.ts"
import { MARKER, PROTOTYPE_NAMES, word } from "./words.ts"

type Parts = Extract<Body, { kind: "parts" }>

const HEADS = [
  "",
  "Content-Disposition: form-data",
  "Content-Disposition: attachment; name=icon",
  'Content-Disposition: form-data; name="icon"; name="csrf"',
  "Content-Disposition: form-data; name=\"icon\"; filename*=UTF-8''%ff",
  'Content-Disposition: form-data; name="icon"; filename="a\0b.png"',
  'Content-Disposition: form-data; name="icon"; filename="../../x.png"\r\nContent-Transfer-Encoding: base64',
  'Content-Disposition: form-data; name="icon"; filename="x"\r\nContent-Type: multipart/mixed; boundary=y',
  'content-disposition: FORM-DATA; NAME="icon"; FILENAME="x"',
  "Content-Disposition: form-data; name=icon; filename=x\r\n folded: yes",
  'Content-Disposition: form-data; name="_charset_"',
  `Content-Disposition: form-data; name="icon"; filename="${"x".repeat(9000)}"`,
  `${"X-A: b\r\n".repeat(900)}Content-Disposition: form-data; name="a"`,
]

export function mutateParts(choice: Choice, body: Parts): Body {
  const { parts, boundary } = body
  const at = choice.below(Math.max(1, parts.length))
  const part = parts[at] ?? { head: "", content: "" }
  const instead = (...these: readonly Part[]): Body => ({ ...body, parts: parts.toSpliced(at, 1, ...these) })
  const bytes = (text: string): Body => ({ kind: "bytes", bytes: text })
  const text = bodyText(body)
  switch (choice.below(14)) {
    case 0:
      return instead()
    case 1:
      return instead(part, part)
    case 2:
      return instead({ ...part, content: word(choice) })
    case 3:
      return instead({ ...part, content: flipped(choice, part.content) })
    case 4:
      return instead({ ...part, content: part.content.slice(0, choice.below(part.content.length + 1)) })
    case 5:
      return instead({ ...part, head: choice.one(HEADS) })
    case 6:
      return instead({
        ...part,
        head: part.head.replace(/name="[^"]*"/, `name="${choice.one(PROTOTYPE_NAMES)}"`),
      })
    case 7:
      return instead({ ...part, head: part.head.replace(/filename="[^"]*"/, `filename="${MARKER}"`) })
    case 8:
      return bytes(text.slice(0, choice.below(text.length + 1)))
    case 9:
      return bytes(text.replaceAll("\r\n", "\n"))
    case 10:
      return bytes(`${"--".concat(boundary, "\r\n").repeat(choice.one([3, 200, 3000]))}${text}`)
    case 11:
      return bytes(flipped(choice, text))
    case 12:
      return instead(part, { head: part.head, content: `--${boundary}\r\n${part.head}\r\n\r\n` })
    default:
      return { ...body, boundary: choice.one([`${boundary}x`, "", " ", "\xff", boundary.slice(1)]) }
  }
}

function flipped(choice: Choice, text: string): string {
  if (text === "") return "\0"
  const at = choice.below(text.length)
  return `${text.slice(0, at)}${String.fromCharCode(choice.below(256))}${text.slice(at + 1)}`
}
