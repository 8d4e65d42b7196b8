import { type Answer, command, refused } from "../../platform/cli/command.ts"
import { table } from "../../platform/cli/print.ts"
import { readGateConfig } from "../file/gate-config.ts"
import { OPENAPI_METHODS } from "../openapi/document.rules.ts"
import { type Catalog, readCatalog } from "./catalog.rules.ts"
import { causeText } from "./cause.rules.ts"
import { type HostReport, remarksOn, reportOf, type RouteReport } from "./check.rules.ts"
import { configFlag } from "./gate.command.ts"

const TIMEOUT_MILLISECONDS = 5_000

export const gateCheck = command({
  name: "gate check",
  summary: "Check the file of the gate: what is covered, what is refused",
  operands: [],
  flags: { config: configFlag },
  notes: [
    "Lists the routes of each host, then the operations of its OpenAPI document that are refused with 403, with line and " +
      "reason. Then it asks the service for its permissions and names those of routes that are not among them.",
    "Exit status 1 if a file has problems, or if the catalog surely lacks a permission. Refused operations alone are " +
      "no failure. If the service cannot be asked, a remark says so, and the status is 0. Permissions that begin with " +
      "admin: are never listed. While apps can register themselves, others are left out too.",
  ],
  example: "latchkey gate check --config /etc/latchkey/gate.yaml",
  run: async ({ flags }): Promise<Answer> => {
    const config = readGateConfig(flags.config)
    if (!config.ok) return refused(...config.error)
    const { service, hosts } = config.value
    const catalog = await catalogOf(service)
    const reports = hosts.map((host) => reportOf(host, catalog))
    const isMissing = reports.some(({ permissions }) => permissions.some(({ state }) => state === "missing"))
    return {
      exit: isMissing ? 1 : 0,
      printed: {
        json: {
          service,
          catalog: "unchecked" in catalog ? { checked: false, reason: catalog.unchecked } : { checked: true },
          hosts: reports,
        },
        text: reports.map(textOf).join("\n\n"),
      },
      remarks: remarksOn(reports, service, catalog),
    }
  },
})

function textOf({ host, resource, covered, uncovered }: HostReport): string {
  const routes = table(
    ["methods", "path", "needs", "from"],
    covered.map((one) => [one.methods.join(" "), one.path, needsText(one), one.source]),
    "No route is covered.",
  )
  const refusals = table(
    ["methods", "path", "reason", "from"],
    uncovered.map(({ methods, path, reason, source }) => [methodsText(methods), path, reason, source]),
    "",
  )
  const parts = [`${host} (${resource})`, routes]
  if (uncovered.length > 0) parts.push("Refused with 403, whatever token is sent:", refusals)
  parts.push("Every other request is refused with 403.")
  return parts.join("\n\n")
}

/** A path item with `$ref` may have every method. */
function methodsText(methods: readonly string[]): string {
  return methods.length === OPENAPI_METHODS.length ? "every method" : methods.join(" ")
}

function needsText({ public: isPublic, permissions, elevation }: RouteReport): string {
  if (isPublic) return "public"
  return [...permissions, ...(elevation ? ["elevation"] : [])].join(" + ")
}

/** Asks the service which permissions it has. The well-known part of the address is before its path (RFC 8414 §3.1). */
async function catalogOf(service: string): Promise<Catalog> {
  const { origin, pathname } = new URL(service)
  try {
    const path = pathname.replace(/\/$/, "")
    const response = await fetch(`${origin}/.well-known/oauth-authorization-server${path}`, {
      headers: { accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
    })
    if (response.status === 200) return readCatalog(await response.json(), service)
    await response.body?.cancel()
    return { unchecked: `it answered ${response.status} to discovery` }
  } catch (error) {
    return { unchecked: `it cannot be reached: ${causeText(error)}` }
  }
}
