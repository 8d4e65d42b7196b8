/** Checks the headers of a page: content security policy, framing, HSTS and cookies. RFC 9700 §4.16. */
import { createHash, randomBytes } from "node:crypto"
import { header, type Reply } from "./ask.ts"
import { fine, type Finding, problem, notice, warning } from "./finding.ts"
import type { Target } from "./target.ts"
import { endpoints } from "../../model/refusals/endpoints.rules.ts"

export async function pages(target: Target): Promise<Finding[]> {
  const page = await target.at("/sign-in?with=password")
  if (page.status !== 200 || header(page, "content-type")?.startsWith("text/html") !== true)
    return [
      problem(
        "pages",
        `The sign-in page answers ${page.status}.`,
        "Account holders sign in and consent on these pages: pass everything below the base URL to the service.",
      ),
    ]
  return [
    policy(page),
    framing(page),
    strictTransport(target, page),
    cookies(target, page),
    await consent(target),
  ]
}

function policy(page: Reply): Finding {
  const policies = page.headers.get("content-security-policy") ?? []
  const several = policies.length + policies.filter((one) => one.includes(",")).length
  if (policies.length === 0)
    return problem(
      "content policy",
      "Pages come without Content-Security-Policy.",
      "The service sends one with every page: the proxy must not remove it.",
    )
  if (several > 1)
    return problem(
      "content policy",
      "Pages come with more than one Content-Security-Policy.",
      "A browser obeys all of them, and a form-action of the proxy blocks the return from consent to the app. Remove the one that the proxy adds.",
    )
  const text = policies[0] ?? ""
  return text.includes("form-action 'self'") && text.includes("frame-ancestors 'none'")
    ? fine("content policy", "Pages have the policy of the service, with form-action and frame-ancestors.")
    : problem(
        "content policy",
        "The content policy of pages is not the one that the service sends.",
        "Its form-action keeps forms at the service, and its frame-ancestors keeps pages out of frames. The proxy must not replace either.",
      )
}

function framing(page: Reply): Finding {
  const values = page.headers.get("x-frame-options") ?? []
  return values.length === 1 && values[0] === "DENY"
    ? fine("framing", "No page can be shown in a frame.")
    : problem(
        "framing",
        `X-Frame-Options is ${values.map((one) => `"${one}"`).join(" and ") || "missing"}.`,
        "Browsers ignore it if it comes twice with different values. The service sends DENY: the proxy must not add another.",
      )
}

function strictTransport({ base }: Target, page: Reply): Finding {
  const values = page.headers.get("strict-transport-security") ?? []
  if (new URL(base).protocol !== "https:") return fine("HSTS", "Not needed: plain http on this machine.")
  if (values.length === 1) return fine("HSTS", `Strict-Transport-Security: ${values[0]}.`)
  return values.length === 0
    ? warning(
        "HSTS",
        "Strict-Transport-Security is missing.",
        "The service sends it if its base URL is https: start it with --base-url, or configure the proxy to pass the header on.",
      )
    : warning(
        "HSTS",
        "Strict-Transport-Security comes twice.",
        "Browsers use the first, and scanners complain. Let only the proxy or only the service send it.",
      )
}

/** Checks the cookies, which bind a form to its browser. */
function cookies({ base }: Target, page: Reply): Finding {
  const set = page.headers.get("set-cookie") ?? []
  if (set.length === 0)
    return problem(
      "cookies",
      "The sign-in page sets no cookie.",
      "Sign-in does not work without it. The proxy must pass Set-Cookie on, and must not cache pages.",
    )
  const wanted = ["httponly", "samesite", ...(new URL(base).protocol === "https:" ? ["secure"] : [])]
  const missing = wanted.filter((flag) => set.some((cookie) => !cookie.toLowerCase().includes(flag)))
  return missing.length === 0
    ? fine("cookies", "Every cookie has the attributes that it needs.")
    : problem(
        "cookies",
        `A cookie comes without ${missing.join(", ")}.`,
        "With an https base URL the service sets all of them: start it with --base-url, and leave cookies unchanged in the proxy.",
      )
}

/** Checks that nothing stops the redirect to the app after consent: no policy of this page has a `form-action`. */
async function consent(target: Target): Promise<Finding> {
  const { app } = target
  const check = "return to the app"
  if (app === null)
    return notice(
      check,
      "Not checked.",
      "Name a registered app with --client-id and --redirect-uri to check this too.",
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
  const page = await target.at(`${endpoints.authorization_endpoint}?${query.toString()}`)
  if (page.status !== 200)
    return problem(
      check,
      page.status >= 300 && page.status < 400
        ? `The authorization request is refused: ${errorOf(header(page, "location"))}.`
        : `The authorization endpoint answers ${page.status}.`,
      "Check that the client_id and the redirect URI are exactly the registered ones (latchkey app show).",
    )
  const text = header(page, "content-security-policy") ?? ""
  return text.includes("frame-ancestors 'none'") && !text.includes("form-action")
    ? fine(check, "No form-action stops the browser on its way back to the app.")
    : problem(
        check,
        text.includes("form-action")
          ? "A form-action is sent with the pages of an authorization."
          : "The pages of an authorization come without the content policy of the service.",
        "Browsers apply form-action to every redirect after consent, also to those of the app. Look for a Content-Security-Policy that the proxy adds or rewrites.",
      )
}

function errorOf(location: string | null): string {
  const query = new URLSearchParams(location?.split("?")[1] ?? "")
  return query.get("error_description") ?? query.get("error") ?? "no reason given"
}
