/** Runs the official suite of the Model Context Protocol: its scenarios for authorization servers and for servers. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { connect } from "../../test/support/connect.ts"
import { freePort } from "../../test/support/free-port.ts"
import { consentAt, HOLDER } from "./browser.ts"
import { explained, type Judge, ran, type Verdict } from "./judge.ts"

const AUTHORIZATION = "conformance, authorization server"
const SERVER = "conformance, MCP server"

/** The revision of the protocol that the SDK of the example supports. */
const REVISION = "2025-11-25"

/** Checks of features that the example does not offer, because it has only two tools. */
const notOffered: readonly (readonly [RegExp, string])[] = [
  [
    /^(tools-call|json-schema|elicitation)-/,
    "calls a tool of the suite's own name, which the example does not have",
  ],
  [/^resources-/, "needs resources, which the example does not offer"],
  [/^prompts-/, "needs prompts, which the example does not offer"],
  [/^completion-/, "needs completion, which the example does not offer"],
  [/^logging-/, "needs logging, which the example does not offer"],
]

export const conformance: Judge = async (subject, installed, work) => {
  const found = [await authorization(subject, installed, work), await server(subject, installed, work)]
  return {
    figures: Object.assign({}, ...found.map(({ figures }) => figures)) as Verdict["figures"],
    broken: found.flatMap(({ broken }) => broken),
  }
}

const authorization: Judge = async (subject, installed, work) => {
  const port = await freePort()
  const app = await subject.addApp(`http://127.0.0.1:${port}/callback`)
  const mcp = await subject.startMcp(() => null)
  const given = ["--url", subject.url, "--client-id", app.clientId, "--port", String(port), "--resource", mcp]
  const consents: Promise<void>[] = []
  const output = join(work, "authorization")
  const flags = ["--spec-version", REVISION, "--output-dir", output]
  await ran([process.execPath, installed.conformance, "authorization", ...given, ...flags], {
    cwd: work,
    heard: (text) => {
      const address = /^(http\S+\/oauth\/authorize\?\S+)\s/m.exec(text)?.[1]
      if (address !== undefined && consents.length === 0) consents.push(consentAt(address))
    },
  })
  await Promise.all(consents)
  const checks = checksIn(output)
  const failed = checks.filter(({ status }) => status !== "SUCCESS")
  const said = new Map(failed.map(({ id, status, errorMessage = "" }) => [id, `${status}: ${errorMessage}`]))
  const { figures, broken } = explained(AUTHORIZATION, said, {})
  const passed = checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => id)
  return {
    figures: { [`${AUTHORIZATION} (${REVISION}): checks passed`]: passed.join(", "), ...figures },
    broken: passed.length === 0 ? [`${AUTHORIZATION}: nothing passed`, ...broken] : broken,
  }
}

const server: Judge = async (subject, installed, work) => {
  let token: string | null = null
  const mcp = await subject.startMcp(() => token)
  const app = await subject.addApp("https://app.example/callback")
  const held = await connect(subject, app, HOLDER, { resource: mcp, scope: "notes:write" })
  token = held.access_token
  const { stdout } = await ran(
    [
      process.execPath,
      installed.conformance,
      "server",
      "--url",
      mcp,
      "--requirements",
      REVISION,
      "--timeout",
      "10000",
    ],
    { cwd: work },
  )
  const results = [...stdout.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed/gm)]
  const passed = results.filter(([, mark, , count]) => mark === "✓" && count !== "0")
  const failed = results.filter(([, mark]) => mark === "✗").map(([, , name = ""]) => name)
  const broken = results.length === 0 ? [`${SERVER}: no results: ${stdout.slice(-500)}`] : []
  const by = new Map<string, string[]>()
  for (const name of failed) {
    const reason = notOffered.find(([pattern]) => pattern.test(name))?.[1]
    if (reason === undefined) broken.push(`${SERVER}: ${name} failed`)
    else by.set(reason, [...(by.get(reason) ?? []), name])
  }
  const figures: Record<string, string> = {
    [`${SERVER} (${REVISION}): scenarios passed`]: passed.map(([, , name]) => name).join(", "),
  }
  for (const [reason, names] of by) figures[`${SERVER}: ${reason}`] = names.join(", ")
  return { figures, broken }
}

type Check = { readonly id: string; readonly status: string; readonly errorMessage?: string }

/** Returns the suite's output, which is a file of checks for each scenario. */
function checksIn(dir: string): readonly Check[] {
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith("checks.json"),
  )
  return files.flatMap((name) => JSON.parse(readFileSync(join(dir, name), "utf8")) as Check[])
}
