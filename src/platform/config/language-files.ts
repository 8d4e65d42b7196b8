/** Reads the operator's texts: the files `TAG.json` of the directory `languages` of the configuration file. LANG-5. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { causeOf } from "../../kernel/process/file-problem.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { checkTexts } from "../languages/check.ts"
import { canonicalTag } from "../languages/choose.ts"
import { ENGLISH, type OwnTexts, readTexts } from "../languages/languages.ts"
import type { TextFile } from "../languages/texts.ts"
import type { FileName } from "./yaml-reader.ts"

/** A relative path starts at the directory of the configuration file. */
export function readLanguageFiles(
  { path, line }: FileName,
  file: string,
): Result<OwnTexts, readonly Problem[]> {
  const directory = resolve(dirname(file), path)
  const own = new Map<string, TextFile>()
  const problems: string[] = []
  let names: readonly string[]
  try {
    names = readdirSync(directory).filter((name) => name.endsWith(".json"))
  } catch (error) {
    return err([`${file}:${line}: languages: ${path}: ${causeOf(error)}`])
  }
  const english = readTexts(ENGLISH)
  for (const name of names.toSorted()) {
    const tag = name.slice(0, -".json".length)
    const texts =
      canonicalTag(tag) === tag
        ? read(tag, join(directory, name), english)
        : ["expected a tag, such as pt-BR.json"]
    if (Array.isArray(texts)) problems.push(...texts.map((problem) => `${join(directory, name)}: ${problem}`))
    else own.set(tag, texts as TextFile)
  }
  return problems.length === 0 ? ok(own) : err(problems)
}

function read(tag: string, place: string, english: TextFile): TextFile | readonly string[] {
  try {
    return checkTexts(tag, JSON.parse(readFileSync(place, "utf8")), english)
  } catch (error) {
    return [causeOf(error)]
  }
}
