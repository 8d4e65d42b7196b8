/** What browsers are told with a page: the content policy with its `form-action`, framing, and the rest. RFC 9700 §4.16. */
import { createHash, randomBytes } from "node:crypto"
import { header, type Reply } from "./ask.ts"
import { fine, type Finding, problem, notice, warning } from "./finding.ts"
import type { Target } from "./target.ts"
import { endpoints } from "../../oauth/endpoints.rules.ts"

export async function pages(patient: Target): Promise<Finding[]> {
  const page = await patient.at("/sign-in")
  if (page.status !== 200 || header(page, "content-type")?.startsWith("text/html") !== true)
    return [
      problem(
        "pages",
        `The sign-in page answers ${page.status}.`,
        "Account holders sign in and consent there: pass everything below the base address on to the service.",
      ),
    ]
  return [
    policy(page),
    framing(page),
    strictTransport(patient, page),
    cookies(patient, page),
    await consent(patient),
  ]
}

function policy(page: Reply): Finding {
  const policies = page.headers.get("content-security-policy") ?? []
  const several = policies.length + policies.filter((one) => one.includes(",")).length
  if (policies.length === 0)
    return problem(
      "content policy",
      "Pages come without Content-Security-Policy.",
      "The service sends one with every page: let the proxy leave it.",
    )
  if (several > 1)
    return problem(
      "content policy",
      "Pages come with more than one Content-Security-Policy.",
      "A browser obeys all of them: with a second form-action the way back from consent to the app is stopped. Take out the proxy's own.",
    )
  const text = policies[0] ?? ""
  return /form-action 'self'/.test(text) && text.includes("frame-ancestors 'none'")
    ? fine("content policy", "It is the service's own, form-action and frame-ancestors included.")
    : problem(
        "content policy",
        "The policy of pages is not the one that the service sends.",
        "Its form-action names the app that a consent returns to, and its frame-ancestors keeps pages out of frames: let the proxy replace neither.",
      )
}

function framing(page: Reply): Finding {
  const values = page.headers.get("x-frame-options") ?? []
  return values.length === 1 && values[0] === "DENY"
    ? fine("framing", "No page is shown in a frame.")
    : problem(
        "framing",
        `X-Frame-Options is ${values.map((one) => `"${one}"`).join(" and ") || "missing"}.`,
        "Browsers ignore it when it stands twice with different values. Let the proxy leave the service's own DENY alone.",
      )
}

function strictTransport({ base }: Target, page: Reply): Finding {
  const values = page.headers.get("strict-transport-security") ?? []
  if (new URL(base).protocol !== "https:")
    return fine("HSTS", "Plain http on this machine, for trying things out.")
  if (values.length === 1) return fine("HSTS", `Strict-Transport-Security: ${values[0]}.`)
  return values.length === 0
    ? warning(
        "HSTS",
        "Strict-Transport-Security is missing.",
        "The service sends it where its own base URL is https: start it with --base-url, or let the proxy pass the header on.",
      )
    : warning(
        "HSTS",
        "Strict-Transport-Security comes twice.",
        "Browsers take the first, and scanners complain: let either the proxy or the service send it.",
      )
}

/** What ties a form to the browser that it was shown in. */
function cookies({ base }: Target, page: Reply): Finding {
  const set = page.headers.get("set-cookie") ?? []
  if (set.length === 0)
    return problem(
      "cookies",
      "The sign-in page sets no cookie.",
      "Nobody can sign in without one: let the proxy pass Set-Cookie on, and cache no page.",
    )
  const wanted = ["httponly", "samesite", ...(new URL(base).protocol === "https:" ? ["secure"] : [])]
  const missing = wanted.filter((flag) => set.some((cookie) => !cookie.toLowerCase().includes(flag)))
  return missing.length === 0
    ? fine("cookies", "They are for this host and its pages alone.")
    : problem(
        "cookies",
        `A cookie comes without ${missing.join(", ")}.`,
        "Where the service is published with https, it sets all of them: start it with --base-url, and let the proxy leave cookies as they are.",
      )
}

/** The page on which somebody signs in on the way to an app names the address that the browser returns to. */
async function consent(patient: Target): Promise<Finding> {
  const { app } = patient
  const check = "way back to the app"
  if (app === null)
    return notice(
      check,
      "It was not looked at.",
      "With --client-id and --redirect-uri of an app that is registered, the page on its way is looked at as well.",
    )
  const challenge = createHash("sha256").update(randomBytes(32)).digest("base64url")
  const query = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    response_type: "code",
    state: "doctor",
    code_challenge: challenge,
    code_challenge_method: "S256",
  })
  const page = await patient.at(`${endpoints.authorization_endpoint}?${query.toString()}`)
  if (page.status !== 200)
    return problem(
      check,
      page.status >= 300 && page.status < 400
        ? `The authorization is sent back: ${errorOf(header(page, "location"))}.`
        : `The authorization endpoint answers ${page.status}.`,
      "Look whether the client_id and the redirect address are exactly those that are registered (latchkey app show).",
    )
  const target = returnSource(app.redirectUri)
  return (header(page, "content-security-policy") ?? "").includes(` ${target}`)
    ? fine(check, `form-action lets the browser return to ${target}.`)
    : problem(
        check,
        `form-action does not name ${target}.`,
        "The browser will stop on the consent page after a click. Look for a Content-Security-Policy that the proxy adds or rewrites.",
      )
}

function errorOf(location: string | null): string {
  const query = new URLSearchParams(location?.split("?")[1] ?? "")
  return query.get("error_description") ?? query.get("error") ?? "without a reason"
}

/** As the service names it: an origin, or a scheme of the app's own. */
function returnSource(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri)
  return origin === "null" ? protocol : origin
}
