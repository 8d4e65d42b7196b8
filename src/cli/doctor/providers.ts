/** Checks where the buttons of the sign-in page lead. The check stops before the provider, and signs in no one. */
import { header, type Reply } from "./ask.ts"
import { fine, type Finding, notice, problem } from "./finding.ts"
import { form, type Target } from "./target.ts"
import { program } from "../../platform/cli/program.ts"

const BUTTON = /<form method="post" action="([^"]*\/sign-in\/with\/([a-z0-9-]+))">([\s\S]*?)<\/form>/g

export async function providers(target: Target): Promise<Finding[]> {
  const page = await target.at("/sign-in?with=password")
  const found = [...page.body.matchAll(BUTTON)]
  const findings: Finding[] = []
  for (const [, , name = "", inside = ""] of found)
    findings.push(...(await provider(target, page, name, inside)))
  return findings
}

async function provider(target: Target, page: Reply, name: string, inside: string): Promise<Finding[]> {
  const check = `sign-in with ${name}`
  const [, csrf = ""] = /name="csrf" value="([^"]*)"/.exec(inside) ?? []
  const cookie = (page.headers.get("set-cookie") ?? []).map((line) => line.split(";", 1)[0]).join("; ")
  const { origin } = new URL(target.base)
  const reply = await target.at(`/sign-in/with/${name}`, form({ csrf }, { cookie, origin }))
  const [, url = ""] = /^0; url=(.+)$/.exec(header(reply, "refresh") ?? "") ?? []
  if (reply.status !== 200 || !URL.canParse(url))
    return [
      problem(
        check,
        `The button answers ${reply.status} and leads nowhere.`,
        `The two usual causes are an issuer with or without its last slash, and a provider that this server cannot reach. Run ${program} provider check ${name} on the server: it names the cause.`,
      ),
    ]
  const there = new URL(url)
  const back = `${target.base}/sign-in/with/${name}/callback`
  const returnTo = there.searchParams.get("return_to")
  const uri = there.searchParams.get("redirect_uri") ?? returnTo
  if (uri !== back)
    return [
      problem(
        check,
        `The way back is ${uri}, and not ${back}.`,
        `Start the service with --base-url ${target.base}.`,
      ),
    ]
  const leads = fine(check, `Leads to ${there.host}, and back to ${back}.`)
  // An application has no list of redirect URIs that could lack this one.
  if (returnTo !== null) return [leads]
  return [
    leads,
    notice(
      check,
      "What the provider has registered cannot be seen from here.",
      `If it shows an error, register exactly ${back} there. If people are refused here, let it release email_verified and the claims of your rules. ${program} provider check ${name} checks both.`,
    ),
  ]
}
