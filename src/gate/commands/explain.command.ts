import type { Access, Trouble } from "#resource-server/resource-server.ts"
import { connect } from "#resource-server/connection.ts"
import { type Answer, command, refused, usageError } from "../../platform/cli/command.ts"
import { readSecret } from "../../platform/cli/password-input.ts"
import { facts } from "../../platform/cli/print.ts"
import { systemClock } from "../../kernel/clock.ts"
import { type GateConfig, readGateConfig } from "../file/gate-config.ts"
import { Guard } from "../guard.ts"
import { hostName } from "../routes/host.rules.ts"
import { findRoute } from "../routes/match.rules.ts"
import type { GateHost } from "../routes/route.rules.ts"
import { causeText } from "./cause.rules.ts"
import { explain, type Explanation, readRequest, type Request } from "./explain.rules.ts"
import { configFlag } from "./gate.command.ts"

const METHOD = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

export const gateExplain = command({
  name: "gate explain",
  summary: "Explain the answer of the gate to one request",
  operands: ["METHOD", "URL"],
  flags: {
    config: configFlag,
    "token-stdin": { summary: "read the access token from standard input" },
  },
  notes: [
    "Says which route matches, what it needs, what the token lacks, and the status: 200, 401, 403 or 503. The path is " +
      "taken as it is written. Quote the URL. The query is not printed, and neither is the token. The service is asked " +
      "about the token, but no event stream is opened.",
    "Exit status 0 after an explanation, whatever the answer is. Exit status 1 if a file has problems or the service " +
      "cannot check the token (503).",
  ],
  example: "latchkey gate explain GET 'https://api.example.org/notes/1' --token-stdin < token",
  run: async ({ flags, operands: [method, url] }): Promise<Answer> => {
    const request = readRequest(method, url)
    if (request === null)
      return usageError("URL is an address such as https://api.example.org/notes, without a user name.")
    if (!METHOD.test(method)) return usageError("METHOD is a method such as GET.")
    const config = readGateConfig(flags.config)
    if (!config.ok) return refused(...config.error)
    const token = flags["token-stdin"] ? await readSecret("Access token: ") : null
    if (token?.ok === false) return refused(token.error)
    if (token?.value === "") return refused("Standard input has no token.")
    const explanation = await explained(config.value, request, token?.value ?? null)
    return {
      exit: explanation.status === 503 ? 1 : 0,
      printed: { json: explanation, text: textOf(explanation) },
      remarks: [],
    }
  },
})

async function explained(config: GateConfig, request: Request, token: string | null): Promise<Explanation> {
  let trouble: Trouble | null = null
  const connection = connect({
    issuer: config.service,
    clientId: config.clientId,
    clientSecret: config.clientSecret,
    stream: false,
    clock: systemClock,
    onTrouble: (reported) => (trouble = reported),
  })
  const { hosts } = config
  const guard = new Guard({ connection, hosts, assert: null, monotonic: systemClock.monotonic })
  const incoming = { headers: token === null ? {} : { authorization: `Bearer ${token}` } }
  const { answer } = await guard.decide(request, incoming)
  const host = hosts.find(({ name }) => name === hostName(request.host)) ?? null
  const kit = guard.kits.find(({ name }) => name === host?.name)?.kit
  let access: Access | null = null
  if (answer.reason === "permissionLacking" || answer.reason === "elevationLacking") {
    const checked = await kit?.verify(incoming)
    if (checked?.ok === true) ({ access } = checked)
  }
  return explain({
    request,
    found: host && findRoute(host.table, request.method, request.target),
    methods: host === null ? [] : methodsFor(host, request.target),
    answer,
    resource: host?.resource ?? "",
    access,
    now: systemClock.now(),
    trouble: trouble === null ? null : causeText((trouble as Trouble).cause),
  })
}

function methodsFor({ table }: GateHost, target: string): readonly string[] {
  return [...table.keys()].filter((method) => findRoute(table, method, target).found === "route")
}

function textOf({ status, method, host, path, route, needs, lacks, because }: Explanation): string {
  return facts({
    request: `${method} ${host}${path}`,
    answer: status,
    because,
    ...(route !== null && { route: `${route.methods.join(" ")} ${route.path} (${route.source})` }),
    ...(needs !== null && { needs: needsText(needs) }),
    ...(lacks !== null && { lacks: needsText(lacks) }),
  })
}

function needsText({ permissions, elevation }: NonNullable<Explanation["needs"]>): readonly string[] {
  const all = [...permissions, ...(elevation ? ["elevation"] : [])]
  return all.length === 0 ? ["nothing"] : all
}
