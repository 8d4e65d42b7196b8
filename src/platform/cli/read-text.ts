/** Reads a text file that an operator or a file of one names. */
import { readFileSync, statSync } from "node:fs"
import { causeOf } from "../../kernel/process/file-problem.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"

/**
 * The problem is what follows the name of the file. With `bytesAtMost` it is not read from a pipe or a
 * device, because another person may have written its name.
 */
export function readText(path: string, bytesAtMost: number | null = null): Result<string, Problem> {
  try {
    if (bytesAtMost !== null && !statSync(path).isFile()) return err("it is not a file")
    if (bytesAtMost !== null && statSync(path).size > bytesAtMost)
      return err(`it has more than ${bytesAtMost / 1024} KiB`)
    return ok(readFileSync(path, "utf8"))
  } catch (error) {
    return err(causeOf(error))
  }
}
