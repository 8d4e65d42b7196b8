import { mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { command, done, refused, usageError } from "../../platform/cli/command.ts"
import { optionProblem, type SnippetFile } from "./snippet.rules.ts"
import { type ProxyName, snippetFor, snippets } from "./snippets.rules.ts"

export const gateSnippet = command({
  name: "gate snippet",
  summary: "Print the configuration of a proxy that asks the gate",
  operands: [Object.keys(snippets).join("|")],
  flags: {
    host: {
      value: "HOST",
      required: true,
      summary: "the public host of the app, as in the file of the gate",
    },
    app: { value: "HOST:PORT", default: "127.0.0.1:3000", summary: "the address of the app" },
    gate: { value: "HOST:PORT", default: "127.0.0.1:8790", summary: "the address of the gate" },
    secret: { summary: "the proxy sends the shared secret; the text says where it is read" },
    out: { value: "DIR", summary: "writes the files into DIR, over none that exists" },
  },
  notes: [
    "Change the certificate and whatever else your site needs, and keep the rest: it removes what a client could " +
      "forge. HAProxy needs two files.",
  ],
  example: "latchkey gate snippet nginx --host api.example.org --app 127.0.0.1:3000",
  run: async ({ flags, operands }) => {
    const [proxy] = operands
    const problem = optionProblem(flags)
    if (problem !== null) return usageError(problem)
    if (flags.secret && proxy === "gateway-api")
      return usageError(
        "--secret is not for gateway-api: it has no way to send one. Trust the addresses of the gateway.",
      )
    const files = snippetFor(proxy as ProxyName, flags)
    return flags.out === null ? done({ files }, textOf(files)) : write(flags.out, files)
  },
})

function textOf(files: readonly SnippetFile[]): string {
  if (files.length === 1) return files.map(({ text }) => text.trimEnd()).join("")
  return files.map(({ path, text }) => `===== ${path}\n\n${text}`).join("\n")
}

function write(dir: string, files: readonly SnippetFile[]) {
  const paths = files.map(({ path, text }) => ({ path: join(dir, basename(path)), text }))
  try {
    mkdirSync(dir, { recursive: true })
    for (const { path, text } of paths) writeFileSync(path, text, { flag: "wx" })
  } catch (error) {
    return refused(`Cannot write into ${dir}: ${error instanceof Error ? error.message : String(error)}`)
  }
  return done({ files: paths.map(({ path }) => path) }, paths.map(({ path }) => path).join("\n"))
}
