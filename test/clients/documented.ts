/** Reads the commands and the code in docs/clients.md, so that tests can run them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const page = readFileSync(join(import.meta.dirname, "../../docs/clients.md"), "utf8")

export type Block = { readonly language: string; readonly name: string; readonly text: string }

/** The code blocks that have a name after their language. */
export const blocks: readonly Block[] = [...page.matchAll(/^```(\w+) ([\w./-]+)\n([\s\S]*?)^```$/gm)].map(
  ([, language = "", name = "", text = ""]) => ({ language, name, text }),
)

/** Returns the shell commands of the block with this name. */
export function commands(name: string): string {
  const block = blocks.find((one) => one.language === "sh" && one.name === name)
  if (block === undefined) throw new Error(`docs/clients.md shows no commands called ${name}`)
  return block.text
}
