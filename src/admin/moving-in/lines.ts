import { type Json, parseJson } from "../../kernel/json.ts"
import { NotTheFile, RECORD_CHARACTERS_AT_MOST, TOO_LONG } from "./not-the-file.ts"

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
