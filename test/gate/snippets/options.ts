/** Options of a snippet, and what it prints for them. */
import { type ProxyName, snippetFor } from "../../../src/gate/snippets/snippets.rules.ts"

export const OPTIONS = { gate: "127.0.0.1:8790", app: "app:3000", host: "api.example.org", secret: false }

export const textOf = (name: ProxyName, secret: boolean) =>
  snippetFor(name, { ...OPTIONS, secret })
    .map(({ text }) => text)
    .join("\n")

/** Returns the place of each text in `text`. Fails if one is missing. */
export function placesOf(text: string, ...parts: readonly string[]): readonly number[] {
  return parts.map((part) => {
    const at = text.indexOf(part)
    if (at < 0) throw new Error(`${part} is missing`)
    return at
  })
}
