/** Checks whether the service can be reached: its name, its connection, its certificate and port 80. */
import { withPeriod } from "../../kernel/words.ts"
import { isLoopback } from "../../platform/config/base-url.ts"
import { ask, header, objectIn, type Reply, Unreachable } from "./ask.ts"
import { fine, type Finding, problem, notice, warning } from "./finding.ts"
import type { Target } from "./target.ts"

const DAY_MILLISECONDS = 86_400_000
/** Fewer days get a warning. Automatic renewal usually happens thirty days before the end. */
const DAYS_LEFT = 14

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "The name has no address: check its DNS records.",
  EAI_AGAIN: "The name server does not answer.",
  ECONNREFUSED: "No server listens there: check whether the proxy runs, and on which port.",
  ETIMEDOUT: "Packets are lost on the way, usually at a firewall.",
  CERT_HAS_EXPIRED:
    "The certificate has expired: renew it, and find out why it was not renewed automatically.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The certificate is for another name.",
  DEPTH_ZERO_SELF_SIGNED_CERT:
    "The certificate is self-signed, and apps refuse it. If that is intended, name it in NODE_EXTRA_CA_CERTS for this command.",
  SELF_SIGNED_CERT_IN_CHAIN:
    "The authority that signed the certificate is unknown. If it is your own, name it in NODE_EXTRA_CA_CERTS for this command.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "The proxy sends its certificate without the intermediate one: give it the whole chain. Browsers may find the missing one, apps do not.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "The authority that signed the certificate is unknown, or an intermediate certificate is missing from the chain.",
  EPROTO: "That port does not speak TLS, or only an outdated version.",
}

/** Sends the first request and returns its findings. */
export async function reach(target: Target): Promise<{ findings: Finding[]; isReached: boolean }> {
  let reply: Reply
  try {
    reply = await target.at("/health")
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    const advice =
      reasons[error.code] ?? "Try the same address in a browser, on the machine itself and from elsewhere."
    return {
      findings: [problem("reach", withPeriod(`${target.base}/health: ${error.message}`), advice)],
      isReached: false,
    }
  }
  const findings = [health(target, reply), ...tls(reply)]
  if (new URL(target.base).protocol === "https:") findings.push(await plainHttp(target))
  return { findings, isReached: true }
}

function health({ base }: Target, reply: Reply): Finding {
  const { status } = reply
  if (status === 200 && objectIn(reply)?.["status"] === "ok")
    return fine("reach", "The service and its database answer.")
  if (status >= 300 && status < 400)
    return problem(
      "reach",
      `${base}/health redirects to ${header(reply, "location") ?? "nowhere"}.`,
      "Apps do not follow redirects. Use the address of the redirect, or serve at this one.",
    )
  if (status === 503)
    return problem(
      "reach",
      "The service or its proxy answers 503: the database or every node is down.",
      "Check whether the service runs, what its log says, and to which port the proxy passes requests. The service recovers automatically as soon as the database does.",
    )
  return problem(
    "reach",
    `${base}/health answers ${status}, which is not the answer of the service.`,
    "Something else answers at this address. Check where the proxy passes requests, whether it expects https, and whether the base URL has this path.",
  )
}

function tls({ tls: seen, receivedAt: gotAt }: Reply): Finding[] {
  if (seen === null) return []
  const days = Math.floor((seen.validTo.getTime() - gotAt) / DAY_MILLISECONDS)
  const known = `${seen.protocol}, certificate from ${seen.issuer || "an unnamed issuer"}, valid for ${days} more days`
  if (days < DAYS_LEFT)
    return [
      warning(
        "TLS",
        `${known}.`,
        "Renew it: after it expires, no app and no browser can connect. Automatic renewal would have happened by now.",
      ),
    ]
  return [fine("TLS", `${known}.`)]
}

/** Checks port 80. A redirect to https helps browsers, but a secret sent over plain http is already exposed. */
async function plainHttp({ base }: Target): Promise<Finding> {
  const plain = new URL(base)
  if (plain.port !== "" || isLoopback(plain))
    return fine("plain http", "Not needed: the address names its own port.")
  plain.protocol = "http:"
  try {
    const page = await ask(new URL(`${plain.href.replace(/\/+$/, "")}/sign-in`))
    if (page.status >= 300 && page.status < 400 && header(page, "location")?.startsWith("https://") === true)
      return fine("plain http", "Port 80 redirects browsers to https.")
    return page.status < 300
      ? problem(
          "plain http",
          `http://${plain.host} serves the sign-in page without TLS.`,
          "Anyone on the network can read a password that is sent over plain http. Let the proxy answer only with a redirect to https.",
        )
      : fine("plain http", `Port 80 answers ${page.status} and serves nothing.`)
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    return notice(
      "plain http",
      "No server listens on port 80.",
      "That is safe. Some browsers try http first if https:// is not typed; a redirect to https helps there.",
    )
  }
}
