/** Checks that requests of apps and their responses pass unchanged: JSON endpoints, CORS and caching. */
import { header, objectIn, type Reply } from "./ask.ts"
import { fine, type Finding, problem, warning } from "./finding.ts"
import { form, type Target } from "./target.ts"
import { endpoints } from "../../model/refusals/endpoints.rules.ts"

/** Every app endpoint responds to an empty request in this way. */
const EMPTY_REQUEST = { status: 400, error: "invalid_request" }

const interfaces = [
  endpoints.token_endpoint,
  endpoints.device_authorization_endpoint,
  endpoints.revocation_endpoint,
  endpoints.introspection_endpoint,
]

export async function appEndpoints(target: Target): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const path of interfaces) {
    const reply = await target.at(path, form({}))
    findings.push(errorFinding(path, reply))
    if (path === endpoints.token_endpoint) findings.push(storing(path, reply))
  }
  findings.push(await authorizationHeader(target), await preflight(target), await pageWithoutCors(target))
  return findings
}

function errorFinding(path: string, reply: Reply): Finding {
  const { status, error } = EMPTY_REQUEST
  if (reply.status === 429)
    return warning(
      path,
      "It answers 429: this address has used up its anonymous requests.",
      "If other clients get that too, the service counts them all as the proxy: start it with --trusted-proxy and the proxy's address.",
    )
  if (reply.status !== status || objectIn(reply)?.["error"] !== error)
    return problem(
      path,
      `An empty request gets ${reply.status} and ${abbreviated(reply.body)}`,
      `The service answers ${status} and "${error}" as JSON. The proxy must pass POST on, and must not replace errors with its own pages.`,
    )
  return fine(path, `Errors arrive as apps expect them (${status}, ${error}).`)
}

/** Checks that a response with a token cannot be cached. RFC 6749 §5.1. */
function storing(path: string, reply: Reply): Finding {
  const kept = header(reply, "cache-control")
  const isCached = reply.headers.has("age") || /\bHIT\b/.test(header(reply, "x-cache") ?? "")
  return kept?.includes("no-store") === true && !isCached
    ? fine("caching", "Responses of the token endpoint are not cached.")
    : problem(
        "caching",
        `${path} answers with Cache-Control ${kept === null ? "missing" : `"${kept}"`}${isCached ? ", from a cache" : ""}.`,
        "Another person could get the same token. Put no cache in front of the service, and leave its headers unchanged.",
      )
}

/** Checks that the Authorization header arrives. Confidential apps authenticate with it. RFC 6749 §2.3.1. */
async function authorizationHeader(target: Target): Promise<Finding> {
  const basic = `Basic ${Buffer.from("doctor:no-secret").toString("base64")}`
  const reply = await target.at(
    endpoints.introspection_endpoint,
    form({ token: "x" }, { authorization: basic }),
  )
  const challenge = header(reply, "www-authenticate")
  return reply.status === 401 && challenge?.startsWith("Basic") === true
    ? fine("Authorization header", "It reaches the service, and WWW-Authenticate arrives.")
    : problem(
        "Authorization header",
        `With it, introspection answers ${reply.status}, and WWW-Authenticate is ${challenge === null ? "missing" : `"${challenge}"`}.`,
        "A proxy removes one of the two headers, or asks for its own password. Pass both on.",
      )
}

/** Checks a preflight request. docs/interface.md, "CORS". */
async function preflight(target: Target): Promise<Finding> {
  const reply = await target.at(endpoints.token_endpoint, {
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
        `A preflight request gets ${reply.status} and Access-Control-Allow-Origin ${origins.map((one) => `"${one}"`).join(" and ") || "missing"}.`,
        "Apps in browsers get no tokens then. The service answers OPTIONS itself: pass it on, and do not add this header in the proxy.",
      )
}

async function pageWithoutCors(target: Target): Promise<Finding> {
  const reply = await target.at("/sign-in?with=password", { headers: { origin: "https://app.example" } })
  const names = [...reply.headers.keys()].filter((name) => name.startsWith("access-control-allow"))
  return names.length === 0
    ? fine("CORS of pages", "No other origin can read a page.")
    : problem(
        "CORS of pages",
        `The sign-in page comes with ${names.join(", ")}.`,
        "Another site could read the pages of a person who is signed in. The service does not send that header with pages: remove it from the proxy.",
      )
}

function abbreviated(body: string): string {
  const text = body.replaceAll(/\s+/g, " ").trim()
  if (text === "") return "an empty body."
  return text.length > 60 ? `${JSON.stringify(text.slice(0, 60))}….` : `${JSON.stringify(text)}.`
}
