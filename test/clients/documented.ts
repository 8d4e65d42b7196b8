/** Reads the commands and the code in the documents, so that tests can run them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

const read = (document: string) => readFileSync(join(import.meta.dirname, "../../docs", document), "utf8")

export const page = read("clients.md")

export type Block = { readonly language: string; readonly name: string; readonly text: string }

/** The code blocks of a document that have a name after their language. */
export function blocksOf(document: string): readonly Block[] {
  return [...read(document).matchAll(/^```(\w+) ([\w./-]+)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", name = "", text = ""]) => ({ language, name, text }),
  )
}

/** Those of docs/clients.md. */
export const blocks = blocksOf("clients.md")

/** Returns the shell commands of the block with this name. */
export function commands(name: string): string {
  const block = blocks.find((one) => one.language === "sh" && one.name === name)
  if (block === undefined) throw new Error(`docs/clients.md shows no commands called ${name}`)
  return block.text
}
