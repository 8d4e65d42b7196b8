import { countOf } from "../../kernel/words.ts"
import { parseBaseUrl } from "../../platform/config/base-url.ts"
import { type Answer, command, usageError } from "../../platform/cli/command.ts"
import type { Finding, State } from "./finding.ts"
import { columns, visible } from "../../platform/cli/print.ts"

const words: Readonly<Record<State, string>> = {
  fine: "ok",
  notice: "see",
  warning: "warning",
  problem: "PROBLEM",
}

export const doctor = command({
  name: "doctor",
  summary: "Check a live service from outside",
  operands: ["URL"],
  flags: {
    "client-id": { value: "ID", summary: "also check the sign-in page of this app" },
    "redirect-uri": { value: "URI", summary: "a redirect URI registered for that app" },
  },
  notes: [
    "Checks metadata, endpoints, CORS, pages and their policies, TLS and the clock. It never signs in, changes nothing " +
      "and needs neither the database nor a secret. Run it from another machine.",
    "Exit status 1 if there is a problem. If your certificates come from your own authority, name it in NODE_EXTRA_CA_CERTS.",
  ],
  example: "latchkey doctor https://id.example.org",
  run: async ({ operands: [url], flags }): Promise<Answer> => {
    const base = parseBaseUrl(url)
    if (!base.ok) return usageError(base.error)
    const { "client-id": clientId, "redirect-uri": redirectUri } = flags
    if ((clientId === null) !== (redirectUri === null))
      return usageError("--client-id and --redirect-uri go together.")
    if (redirectUri !== null && !URL.canParse(redirectUri))
      return usageError(`--redirect-uri is an address, not "${redirectUri}".`)
    const app = clientId === null || redirectUri === null ? null : { clientId, redirectUri }
    // Only this command sends HTTP requests, so it loads their module itself.
    const { examine } = await import("./examine.ts")
    return answer(base.value, await examine(base.value, app))
  },
})

function answer(base: string, findings: readonly Finding[]): Answer {
  const count = (state: State) => findings.filter((finding) => finding.state === state).length
  const [problems, warnings] = [count("problem"), count("warning")]
  const summary = `${base}: ${countOrNo(problems, "problem")}, ${countOrNo(warnings, "warning")}, ${count("fine")} checks passed.`
  const lines = columns(findings.map(({ state, check, seen }) => [words[state], check, visible(seen)])).split(
    "\n",
  )
  const text = findings.flatMap(({ advice }, i) => [
    lines[i] ?? "",
    ...(advice === null ? [] : [wrapped(advice)]),
  ])
  return {
    exit: problems === 0 ? 0 : 1,
    printed: { json: { url: base, problems, warnings, findings }, text: [...text, "", summary].join("\n") },
    remarks: [],
  }
}

function countOrNo(count: number, unit: string): string {
  return count === 0 ? `no ${unit}s` : countOf(count, unit)
}

const INDENT = " ".repeat(9)
const WIDTH = 100

/** Breaks advice into indented lines. */
function wrapped(text: string): string {
  const lines = [""]
  for (const word of visible(text).split(" ")) {
    const line = lines.at(-1) ?? ""
    if (line.length + word.length < WIDTH) lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
    else lines.push(word)
  }
  return lines.map((line) => INDENT + line).join("\n")
}
