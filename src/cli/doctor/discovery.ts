/** Checks the metadata documents at the URLs where clients look for them: RFC 8414 §3, RFC 9728 §3. */
import { ask, header, objectIn, type Reply } from "./ask.ts"
import { fine, type Finding, problem, notice } from "./finding.ts"
import type { Target } from "./target.ts"
import { endpoints } from "../../model/refusals/endpoints.rules.ts"

export async function isPublished(target: Target): Promise<boolean> {
  const reply = await target.at(documents["authorization server metadata"][0])
  return reply.status === 200 && typeof objectIn(reply)?.["issuer"] === "string"
}

const documents = {
  "authorization server metadata": ["/.well-known/oauth-authorization-server", "issuer"],
  "protected resource metadata": ["/.well-known/oauth-protected-resource", "resource"],
} as const

export async function discovery(target: Target): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, [path, member]] of Object.entries(documents)) {
    for (const address of placesOf(target.base, path)) {
      const reply = await ask(new URL(address))
      findings.push(documentFinding(target.base, `${name}`, address, reply, member))
    }
  }
  const published = objectIn(await target.at(documents["authorization server metadata"][0]))
  if (published !== null) findings.push(endpointAddresses(target, published))
  findings.push(await withoutSlash(target), await otherHost(target))
  return findings
}

/** Returns the URLs of a metadata document. A base URL with a path also has the form of RFC 8414 §3.1. */
function placesOf(base: string, path: string): string[] {
  const { origin, pathname } = new URL(base)
  return pathname === "/" ? [base + path] : [base + path, origin + path + pathname]
}

function documentFinding(base: string, name: string, address: string, reply: Reply, member: string): Finding {
  const published = objectIn(reply)
  if (reply.status !== 200 || published === null)
    return problem(
      name,
      `${address} answers ${reply.status}${published === null ? ", without a JSON object" : ""}.`,
      "Clients find every endpoint in this document. Pass the address to the service unchanged, also the form that ends with the path.",
    )
  const said = published[member]
  if (said !== base)
    return problem(
      name,
      `${address} has "${member}" ${JSON.stringify(said)} instead of "${base}".`,
      "Clients compare the two byte for byte, including slashes and case, and stop if they differ. " +
        `Use the address in the document, or start the service with --base-url ${base}.`,
    )
  const origin = header(reply, "access-control-allow-origin")
  if (origin !== "*")
    return problem(
      name,
      `${address} answers with Access-Control-Allow-Origin ${origin === null ? "missing" : `"${origin}"`}.`,
      "Apps in browsers cannot read it then. The service sends *: the proxy must neither remove nor repeat it.",
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
      `The published addresses begin with ${JSON.stringify(issuer)}.`,
      "They follow the base URL of the service, and are correct as soon as that is.",
    )
  const wrong = Object.entries(endpoints).filter(([name, path]) => published[name] !== base + path)
  return wrong.length === 0
    ? fine("endpoints", "Every published address begins with the base URL.")
    : problem(
        "endpoints",
        `These are not published below the base URL: ${wrong.map(([name]) => name).join(", ")}.`,
        "Something rewrites the responses of the service. Pass them on unchanged.",
      )
}

/** Checks that an extra slash does not redirect. A client that follows the redirect turns its POST into a GET. */
async function withoutSlash(target: Target): Promise<Finding> {
  const [slash, doubled] = [
    await target.at(`${endpoints.token_endpoint}/`, { method: "POST" }),
    await ask(new URL(`${target.base}/${endpoints.token_endpoint}`), { method: "POST" }),
  ]
  const redirected = [slash, doubled].find(({ status }) => status >= 300 && status < 400)
  return redirected === undefined
    ? fine("slashes", "Addresses with an extra slash are not redirected.")
    : problem(
        "slashes",
        `An address with an extra slash is redirected to ${header(redirected, "location") ?? "nowhere"}.`,
        "The service redirects no endpoint, so the proxy does. A client that follows the redirect loses the body of its POST. Switch that off.",
      )
}

/** Checks that request headers do not change the published URLs, which come from the configuration. */
async function otherHost(target: Target): Promise<Finding> {
  const reply = await target.at(documents["authorization server metadata"][0], {
    headers: {
      "x-forwarded-host": "elsewhere.invalid",
      "x-forwarded-proto": "http",
      forwarded: "host=elsewhere.invalid",
    },
  })
  return reply.body.includes("elsewhere.invalid")
    ? problem(
        "forwarded host",
        "A request header changes the published addresses.",
        "The service does not do that. Look for a proxy in front of it that rewrites responses.",
      )
    : fine("forwarded host", "No request header changes a published address.")
}
