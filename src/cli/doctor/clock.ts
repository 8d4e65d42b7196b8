/** Compares the service's clock with the local clock, and checks long URLs and request ids. */
import { countOf } from "../../kernel/words.ts"
import { header, type Reply } from "./ask.ts"
import { fine, type Finding, problem, notice, warning } from "./finding.ts"
import type { Target } from "./target.ts"
import { endpoints } from "../../model/refusals/endpoints.rules.ts"

/** Smaller differences mean nothing, because the `Date` header contains whole seconds. */
const SECONDS_APART = 5
const SECONDS_WRONG = 60

export async function clock(target: Target): Promise<Finding[]> {
  const reply = await target.at("/health")
  return [clocks(reply), await longAddress(target), requestNumber(reply)]
}

function clocks(reply: Reply): Finding {
  const said = Date.parse(header(reply, "date") ?? "")
  if (Number.isNaN(said))
    return notice(
      "clock",
      "Responses have no Date header.",
      "Compare the clock of that machine with another one yourself.",
    )
  const early = Math.max(0, reply.sentAt - (said + 999)) / 1000
  const late = Math.max(0, said - reply.receivedAt) / 1000
  const apart = Math.ceil(Math.max(early, late))
  const seen = `The clock of the service is ${countOf(apart, "second")} ${early > late ? "behind" : "ahead of"} the local one.`
  const advice =
    "One-time passwords, expiry and step-up windows depend on that clock. Find out which clock is wrong, and synchronize both machines by NTP."
  if (apart > SECONDS_WRONG) return problem("clock", seen, advice)
  if (apart > SECONDS_APART) return warning("clock", seen, advice)
  return fine("clock", "The clock of the service agrees with the local one.")
}

/** The form of ids that the service generates: src/platform/http/request-id.ts. */
const OWN_NUMBER = /^[0-9a-f]{16}$/

/** Checks a long authorization request. Real ones are long: state, challenge and scope are in the URL. */
async function longAddress(target: Target): Promise<Finding> {
  const length = 6000
  const reply = await target.at(
    `${endpoints.authorization_endpoint}?client_id=doctor&state=${"x".repeat(length)}`,
  )
  return reply.status === 414 || reply.status === 431 || reply.status >= 500
    ? warning(
        "long addresses",
        `An authorization request with a state of ${length} characters gets ${reply.status}.`,
        "Some apps send that much. Raise the limit of the proxy; in nginx it is large_client_header_buffers.",
      )
    : fine("long addresses", `An authorization request with a state of ${length} characters passes.`)
}

function requestNumber(reply: Reply): Finding {
  const number = header(reply, "x-request-id")
  if (number === null)
    return warning(
      "request number",
      "Responses have no X-Request-Id header.",
      "It leads from an error page to the line in the log. Configure the proxy to pass it on.",
    )
  const check =
    "Sign in once and check that latchkey events shows your address. If it shows the proxy's, all clients share one rate limit: " +
    "start the service with --trusted-proxy."
  return OWN_NUMBER.test(number)
    ? notice(
        "client addresses",
        `The service itself generated request number ${number}.`,
        "If your proxy sends X-Request-Id, as deploy/nginx.conf does, the service does not trust it. " +
          `With any other proxy this cannot be seen from outside. ${check}`,
      )
    : notice(
        "client addresses",
        `A proxy set request number ${number}.`,
        `If the service uses the same number in its log, it trusts that proxy. ${check}`,
      )
}
