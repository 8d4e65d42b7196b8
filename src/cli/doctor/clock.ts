/** The clock there against the clock here, and the longest address that passes. */
import { header, type Reply } from "./ask.ts"
import { fine, type Finding, problem, notice, warning } from "./finding.ts"
import type { Target } from "./target.ts"
import { endpoints } from "../../oauth/endpoints.rules.ts"

/** An answer's Date has whole seconds. */
const SECONDS_APART = 5
const SECONDS_WRONG = 60

export async function clock(patient: Target): Promise<Finding[]> {
  const reply = await patient.at("/health")
  return [clocks(reply), await longAddress(patient), requestNumber(reply)]
}

function clocks(reply: Reply): Finding {
  const said = Date.parse(header(reply, "date") ?? "")
  if (Number.isNaN(said))
    return notice(
      "clock",
      "Answers carry no Date.",
      "Compare the clock of the machine with another one yourself.",
    )
  const early = Math.max(0, reply.sentAt - (said + 999)) / 1000
  const late = Math.max(0, said - reply.gotAt) / 1000
  const apart = Math.ceil(Math.max(early, late))
  const seen = `The clock there is ${early > late ? "behind" : "ahead of"} the one here by ${apart} seconds.`
  const advice =
    "One-time passwords of an authenticator app, expiry and step-up windows go by that clock. Let both machines keep time by NTP, and look which one is wrong."
  if (apart > SECONDS_WRONG) return problem("clock", seen, advice)
  if (apart > SECONDS_APART) return warning("clock", seen, advice)
  return fine("clock", "The clock there agrees with the one here.")
}

/** What the service makes up where no trusted proxy brings one: src/http/request-id.ts. */
const OWN_NUMBER = /^[0-9a-f]{16}$/

/** An authorization carries state, a challenge and a scope in its address. */
async function longAddress(patient: Target): Promise<Finding> {
  const length = 6000
  const reply = await patient.at(
    `${endpoints.authorization_endpoint}?client_id=doctor&state=${"x".repeat(length)}`,
  )
  return reply.status === 414 || reply.status === 431 || reply.status >= 500
    ? warning(
        "long addresses",
        `An authorization with a state of ${length} characters is answered with ${reply.status}.`,
        "Some apps send as much. Raise what the proxy takes, in nginx large_client_header_buffers.",
      )
    : fine("long addresses", `An authorization with a state of ${length} characters passes.`)
}

function requestNumber(reply: Reply): Finding {
  const number = header(reply, "x-request-id")
  if (number === null)
    return warning(
      "request number",
      "Answers come without X-Request-Id.",
      "It leads from an error that somebody saw to the line in the log: let the proxy pass it on.",
    )
  const looked =
    "Sign in once, and look whether latchkey events shows your address and not the proxy's; if it is the proxy's, all clients share " +
    "one budget: start the service with --trusted-proxy."
  return OWN_NUMBER.test(number)
    ? notice(
        "client addresses",
        `This answer has the number ${number}, which the service gave it.`,
        "A proxy that sends X-Request-Id, as that of deploy/nginx.conf does, is not among the trusted ones then. " +
          `Without such a proxy nobody sees that from outside. ${looked}`,
      )
    : notice(
        "client addresses",
        `This answer has the number ${number}, which a proxy gave it.`,
        `Where the service took it over, it trusts that proxy. ${looked}`,
      )
}
