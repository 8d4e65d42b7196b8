/** The well-known documents, as clients look for them: RFC 8414 §3, RFC 9728 §3. */
import { ask, header, objectIn, type Reply } from "./ask.ts"
import { fine, type Finding, problem, notice } from "./finding.ts"
import type { Target } from "./target.ts"
import { endpoints } from "../../oauth/endpoints.rules.ts"

/** Whether something at that address says that it is an authorization server. */
export async function isPublished(patient: Target): Promise<boolean> {
  const reply = await patient.at(documents["authorization server metadata"][0])
  return reply.status === 200 && typeof objectIn(reply)?.["issuer"] === "string"
}

const documents = {
  "authorization server metadata": ["/.well-known/oauth-authorization-server", "issuer"],
  "protected resource metadata": ["/.well-known/oauth-protected-resource", "resource"],
} as const

export async function discovery(patient: Target): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, [path, member]] of Object.entries(documents)) {
    for (const address of placesOf(patient.base, path)) {
      const reply = await ask(new URL(address))
      findings.push(documentFinding(patient.base, `${name}`, address, reply, member))
    }
  }
  const published = objectIn(await patient.at(documents["authorization server metadata"][0]))
  if (published !== null) findings.push(endpointAddresses(patient, published))
  findings.push(await withoutSlash(patient), await otherHost(patient))
  return findings
}

/** Below the base address, and for a base with a path where the path comes last. */
function placesOf(base: string, path: string): string[] {
  const { origin, pathname } = new URL(base)
  return pathname === "/" ? [base + path] : [base + path, origin + path + pathname]
}

function documentFinding(base: string, name: string, address: string, reply: Reply, member: string): Finding {
  const published = objectIn(reply)
  if (reply.status !== 200 || published === null)
    return problem(
      name,
      `${address} answers ${reply.status}${published === null ? ", and no JSON object" : ""}.`,
      "Clients find everything by this document. Pass the address on to the service as it is, below a path also where the path comes last.",
    )
  const said = published[member]
  if (said !== base)
    return problem(
      name,
      `${address} says that "${member}" is ${JSON.stringify(said)}, and not "${base}".`,
      "Clients compare the two byte for byte, slashes and case too, and stop where they differ. " +
        `Use the address that it says, or start the service with --base-url ${base}.`,
    )
  const origin = header(reply, "access-control-allow-origin")
  if (origin !== "*")
    return problem(
      name,
      `${address} answers with Access-Control-Allow-Origin ${origin === null ? "missing" : `"${origin}"`}.`,
      "Apps in browsers may not read it then. The service sends * itself: let the proxy neither remove nor repeat it.",
    )
  return fine(name, `${address} is right.`)
}

function endpointAddresses({ base }: Target, published: Readonly<Record<string, unknown>>): Finding {
  const { issuer } = published
  const belowIssuer = Object.entries(endpoints).every(
    ([name, path]) => published[name] === `${String(issuer)}${path}`,
  )
  if (issuer !== base && belowIssuer)
    return notice(
      "endpoints",
      `They are published below ${JSON.stringify(issuer)}.`,
      "They follow the base URL of the service, and are right once that is.",
    )
  const wrong = Object.entries(endpoints).filter(([name, path]) => published[name] !== base + path)
  return wrong.length === 0
    ? fine("endpoints", "Every address that is published begins with the base address.")
    : problem(
        "endpoints",
        `Published elsewhere than under the base address: ${wrong.map(([name]) => name).join(", ")}.`,
        "Something rewrites what the service answers. Pass its answers on as they are.",
      )
}

/** A proxy that adds or takes away slashes turns a POST into a GET on the way. */
async function withoutSlash(patient: Target): Promise<Finding> {
  const [slash, doubled] = [
    await patient.at(`${endpoints.token_endpoint}/`, { method: "POST" }),
    await ask(new URL(`${patient.base}/${endpoints.token_endpoint}`), { method: "POST" }),
  ]
  const led = [slash, doubled].find(({ status }) => status >= 300 && status < 400)
  return led === undefined
    ? fine("slashes", "Addresses are taken as they are written.")
    : problem(
        "slashes",
        `An address with a slash too many is answered with a redirect to ${header(led, "location") ?? "nowhere"}.`,
        "The service redirects no endpoint, so it is the proxy that does: a client that follows loses the body of its POST. Switch that off.",
      )
}

/** The base address comes from the configuration. */
async function otherHost(patient: Target): Promise<Finding> {
  const reply = await patient.at(documents["authorization server metadata"][0], {
    headers: {
      "x-forwarded-host": "elsewhere.invalid",
      "x-forwarded-proto": "http",
      forwarded: "host=elsewhere.invalid",
    },
  })
  return reply.body.includes("elsewhere.invalid")
    ? problem(
        "forwarded host",
        "A header of the request changes the published addresses.",
        "That is not the service's doing: look for something in front of it that writes answers anew.",
      )
    : fine("forwarded host", "No header of a request changes a published address.")
}
