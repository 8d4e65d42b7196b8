import { codePointCount, isVisibleText } from "../../../kernel/visible-text.ts"
import { type Problem, type Result, err, ok } from "../../../kernel/result.ts"

const LENGTH_AT_MOST = 60

/** Parses the operator's name, which is in the header and the text of every mail. */
export function parseSenderName(text: string): Result<string, Problem> {
  return isVisibleText(text) && codePointCount(text) <= LENGTH_AT_MOST
    ? ok(text)
    : err(`expected a name of at most ${LENGTH_AT_MOST} visible characters on one line`)
}
