/** Whether apps are heard as they speak, and hear what the service says: the JSON endpoints, CORS, what the proxy keeps. */
import { header, objectIn, type Reply } from "./ask.ts"
import { fine, type Finding, problem, warning } from "./finding.ts"
import { form, type Target } from "./target.ts"
import { endpoints } from "../../oauth/endpoints.rules.ts"

/** What every interface for apps answers to a request that says nothing. */
const SILENT = { status: 400, error: "invalid_request" }

const interfaces = [
  endpoints.token_endpoint,
  endpoints.device_authorization_endpoint,
  endpoints.revocation_endpoint,
  endpoints.introspection_endpoint,
]

export async function appEndpoints(patient: Target): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const path of interfaces) {
    const reply = await patient.at(path, form({}))
    findings.push(errorFinding(path, reply))
    if (path === endpoints.token_endpoint) findings.push(storing(path, reply))
  }
  findings.push(await authorizationHeader(patient), await preflight(patient), await pageWithoutCors(patient))
  return findings
}

function errorFinding(path: string, reply: Reply): Finding {
  const { status, error } = SILENT
  if (reply.status === 429)
    return warning(
      path,
      "It answers 429: the budget of anonymous requests is spent for this address.",
      "Where other clients meet that too, the service takes the proxy for all of them: start it with --trusted-proxy and the proxy's address.",
    )
  if (reply.status !== status || objectIn(reply)?.["error"] !== error)
    return problem(
      path,
      `An empty request is answered with ${reply.status} and ${shortly(reply.body)}`,
      `The service answers ${status} and "${error}" as JSON. Let the proxy pass POST on, and put no page of its own in the place of an error.`,
    )
  return fine(path, `It answers errors as apps expect them (${status}, ${error}).`)
}

/** RFC 6749 §5.1: what holds a token is kept nowhere. */
function storing(path: string, reply: Reply): Finding {
  const kept = header(reply, "cache-control")
  const isCached = reply.headers.has("age") || /\bHIT\b/.test(header(reply, "x-cache") ?? "")
  return kept?.includes("no-store") === true && !isCached
    ? fine("caching", "Answers of the token endpoint are kept nowhere.")
    : problem(
        "caching",
        `${path} answers with Cache-Control ${kept === null ? "missing" : `"${kept}"`}${isCached ? ", from a cache" : ""}.`,
        "Another person could be given the same token. Let no cache stand before the service, and leave its headers as they are.",
      )
}

/** RFC 6749 §2.3.1: confidential apps and resource servers prove themselves there. */
async function authorizationHeader(patient: Target): Promise<Finding> {
  const basic = `Basic ${Buffer.from("doctor:no-secret").toString("base64")}`
  const reply = await patient.at(
    endpoints.introspection_endpoint,
    form({ token: "x" }, { authorization: basic }),
  )
  const asked = header(reply, "www-authenticate")
  return reply.status === 401 && asked?.startsWith("Basic") === true
    ? fine("Authorization header", "It reaches the service, and WWW-Authenticate comes back.")
    : problem(
        "Authorization header",
        `With it, introspection answers ${reply.status}, and WWW-Authenticate is ${asked === null ? "missing" : `"${asked}"`}.`,
        "Something on the way takes one of the two headers, or asks for a password of its own. Pass both on.",
      )
}

/** docs/interface.md, "CORS". */
async function preflight(patient: Target): Promise<Finding> {
  const reply = await patient.at(endpoints.token_endpoint, {
    method: "OPTIONS",
    headers: {
      origin: "https://app.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    },
  })
  const origins = reply.headers.get("access-control-allow-origin") ?? []
  const isRight = reply.status >= 200 && reply.status < 300 && origins.length === 1 && origins[0] === "*"
  return isRight
    ? fine("CORS", "Apps in browsers may ask for tokens from any origin.")
    : problem(
        "CORS",
        `A browser that asks first is answered with ${reply.status} and Access-Control-Allow-Origin ${origins.map((one) => `"${one}"`).join(" and ") || "missing"}.`,
        "Apps in browsers get no tokens then. The service answers OPTIONS itself: pass it on, and add no such header in the proxy.",
      )
}

async function pageWithoutCors(patient: Target): Promise<Finding> {
  const reply = await patient.at("/sign-in", { headers: { origin: "https://app.example" } })
  const names = [...reply.headers.keys()].filter((name) => name.startsWith("access-control-allow"))
  return names.length === 0
    ? fine("CORS of pages", "No other origin may read a page.")
    : problem(
        "CORS of pages",
        `The sign-in page carries ${names.join(", ")}.`,
        "Another site could read pages of whoever is signed in. The service sends no such header with pages: take it out of the proxy.",
      )
}

function shortly(body: string): string {
  const text = body.replaceAll(/\s+/g, " ").trim()
  if (text === "") return "an empty body."
  return text.length > 60 ? `${JSON.stringify(text.slice(0, 60))}….` : `${JSON.stringify(text)}.`
}
