import { type Json, type JsonObject, parseJson } from "../../kernel/json.ts"
import { JsonElements } from "./json-elements.rules.ts"
import { NotTheFile, RECORD_CHARACTERS_AT_MOST, TOO_LONG } from "./not-the-file.ts"

export type ObjectElement = { readonly list: string; readonly value: JsonObject }

/** An empty name in `lists` stands for a document that is a list. */
export async function* jsonElements(
  pieces: AsyncIterable<string>,
  lists: readonly string[],
): AsyncGenerator<ObjectElement> {
  const elements = new JsonElements()
  let isKnown = false
  for await (const piece of pieces) {
    for (const { list, text } of elements.add(piece)) {
      if (!lists.includes(list)) continue
      isKnown = true
      const value = parseJson(text)
      if (!(value instanceof Map))
        throw new NotTheFile(`an element of ${list || "the list"} is not an object`)
      yield { list, value }
    }
    if (elements.length > RECORD_CHARACTERS_AT_MOST) throw new NotTheFile(TOO_LONG)
  }
  if (!elements.isWhole) throw new NotTheFile("it is not a complete JSON document")
  if (!isKnown) throw new NotTheFile(`it has no list ${lists.filter((name) => name !== "").join(" or ")}`)
}

/** Yields the value and the number of each line that is not empty. */
export async function* jsonLines(
  pieces: AsyncIterable<string>,
): AsyncGenerator<{ readonly value: Json; readonly number: number }> {
  let number = 0
  for await (const line of linesOf(pieces)) {
    number++
    if (line.trim() === "") continue
    const value = parseJson(line)
    if (value === undefined) throw new NotTheFile(`line ${number} is not JSON`)
    yield { value, number }
  }
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ""
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n")
    rest = lines.pop() ?? ""
    if (rest.length > RECORD_CHARACTERS_AT_MOST) throw new NotTheFile(TOO_LONG)
    yield* lines
  }
  yield rest
}
