/** Whether the service is reached at all, and over what: name, connection, certificate, plain http beside it. */
import { isLoopback } from "../../config/base-url.ts"
import { ask, header, objectIn, type Reply, Unreachable } from "./ask.ts"
import { fine, type Finding, problem, notice, warning } from "./finding.ts"
import type { Target } from "./target.ts"

const DAY_MILLISECONDS = 86_400_000
/** Certificates that renew themselves do so thirty days before their end. */
const DAYS_LEFT = 14

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "The name has no address: look at its DNS records.",
  EAI_AGAIN: "The name server does not answer.",
  ECONNREFUSED: "Nobody listens there: look whether the proxy runs, and on which port.",
  ETIMEDOUT: "Packets get lost on the way: a firewall, usually.",
  CERT_HAS_EXPIRED: "The certificate is over: renew it, and find out why that did not happen by itself.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another name.",
  DEPTH_ZERO_SELF_SIGNED_CERT:
    "The certificate is signed by itself, and apps refuse it. If it is meant to be, name it in NODE_EXTRA_CA_CERTS for this command.",
  SELF_SIGNED_CERT_IN_CHAIN:
    "Nobody knows the authority that signed the certificate. If it is your own, name it in NODE_EXTRA_CA_CERTS for this command.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "The proxy sends its certificate without the intermediate one: give it the whole chain. Browsers may find it elsewhere, apps do not.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "Nobody knows the authority that signed the certificate, or an intermediate certificate is missing from the chain.",
  EPROTO: "There is no TLS, or none that is still in use, at that port.",
}

/** The first answer; or why there is none. */
export async function reach(patient: Target): Promise<{ findings: Finding[]; isReached: boolean }> {
  let reply: Reply
  try {
    reply = await patient.at("/health")
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    const advice =
      reasons[error.code] ?? "Try the same address in a browser, on the machine itself and from elsewhere."
    return {
      findings: [problem("reach", `${patient.base}/health: ${error.message}.`, advice)],
      isReached: false,
    }
  }
  const findings = [health(patient, reply), ...tls(reply)]
  if (new URL(patient.base).protocol === "https:") findings.push(await plainHttp(patient))
  return { findings, isReached: true }
}

function health({ base }: Target, reply: Reply): Finding {
  const { status } = reply
  if (status === 200 && objectIn(reply)?.["status"] === "ok")
    return fine("reach", "The service answers, and so does its database.")
  if (status >= 300 && status < 400)
    return problem(
      "reach",
      `${base}/health leads to ${header(reply, "location") ?? "nowhere"}.`,
      "Apps do not follow redirects: use the address that it leads to, or serve at this one.",
    )
  if (status === 503)
    return problem(
      "reach",
      "The service or its proxy answers 503: there is no database, or no node.",
      "The log of the service says which: look whether it runs, and at the port that the proxy passes requests to. It comes back by itself once the database does.",
    )
  return problem(
    "reach",
    `${base}/health answers ${status}, and not as the service does.`,
    "Something else answers at this address: look at what the proxy passes on, whether it wants https, and whether the base URL has the path that is named here.",
  )
}

function tls({ tls: seen, gotAt }: Reply): Finding[] {
  if (seen === null) return []
  const days = Math.floor((seen.validTo.getTime() - gotAt) / DAY_MILLISECONDS)
  const known = `${seen.protocol}, certificate of ${seen.issuer || "nobody"} for ${days} more days`
  if (days < DAYS_LEFT)
    return [
      warning(
        "TLS",
        `${known}.`,
        "Renew it: once it is over, no app and no browser comes in. One that renews itself would have done so by now.",
      ),
    ]
  return [fine("TLS", `${known}.`)]
}

/** What sends a secret over plain http has lost it already; a browser may be led to https. */
async function plainHttp({ base }: Target): Promise<Finding> {
  const plain = new URL(base)
  if (plain.port !== "" || isLoopback(plain))
    return fine("plain http", "A port of its own: nobody comes there by plain http.")
  plain.protocol = "http:"
  try {
    const page = await ask(new URL(`${plain.href.replace(/\/+$/, "")}/sign-in`))
    if (page.status >= 300 && page.status < 400 && header(page, "location")?.startsWith("https://") === true)
      return fine("plain http", "Port 80 leads browsers to https.")
    return page.status < 300
      ? problem(
          "plain http",
          `http://${plain.host} serves the sign-in page without TLS.`,
          "Let the proxy answer there with a redirect to https alone: whoever signs in over plain http shows the password to the network.",
        )
      : fine("plain http", `Port 80 answers ${page.status} and serves nothing.`)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return notice(
      "plain http",
      "Nobody listens at port 80.",
      "That is safe. Whoever types the name without https:// waits for nothing in some browsers; a redirect to https helps them.",
    )
  }
}
