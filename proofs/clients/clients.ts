/**
 * The proof: programs that take too long to build for `npm test` sign a person in, or verify JWT access tokens, with the
 * settings of docs/clients.md.
 */
import {
  type Api,
  type ApiService,
  callApi,
  openApi,
  openApiService,
  withdrawKey,
} from "../../test/clients/openid/api.ts"
import { envoy } from "../../test/clients/openid/envoy.ts"
import { openService, PERSON } from "../../test/clients/openid/service.ts"
import { Site, type SiteProgram } from "../../test/clients/openid/site.ts"
import { movedClock } from "../../test/support/faketime.ts"
import { within } from "../../test/support/spawn.ts"
import { installPrograms } from "../gate/install.ts"
import { Broken, type Figures, type Proof } from "../proof.ts"
import { buildOauth2Proxy, buildSpring, buildSpringApi, type Built } from "./build.ts"

type Say = (line: string) => void

export const clients: Proof = {
  name: "clients",
  promise:
    "oauth2-proxy and Spring Security sign a person in, and Spring's resource server and Envoy verify JWT access tokens, by the documented settings",
  engines: ["sqlite"],
  prove: async ({ work, say }) => {
    const figures: Record<string, string> = {}
    for (const build of [buildOauth2Proxy, buildSpring]) {
      const built: Built = await build(work, say)
      if ("missing" in built) Object.assign(figures, { [`${built.name}, left out`]: built.missing })
      else Object.assign(figures, await signsIn(built.program))
    }
    if (movedClock === null) return { ...figures, "APIs, left out": "faketime is not installed" }
    return { ...figures, ...(await springVerifies(work, say)), ...(await envoyVerifies(work, say)) }
  },
}

/** Spring takes the token for its API with its scope, and no other text. It reads the keys again by itself. */
async function springVerifies(work: string, say: Say): Promise<Figures> {
  const built = await buildSpringApi(work, say)
  if ("missing" in built) return { [`${built.name}, left out`]: built.missing }
  const { name } = built.program
  return within(async (span) => {
    const service = await openApiService(span)
    const api = await openApi(service, built.program)
    const { text, refusals } = await verifies(name, service, api, [401])
    const { authorities } = JSON.parse(text) as { readonly authorities: readonly string[] }
    if (!authorities.includes("SCOPE_account:read"))
      throw new Broken([`${name} does not have the scope as authority: ${text}`], {})
    const { before, next, after } = await withdrawKey(service, api)
    if (before !== 200 || next !== 200 || after !== 401)
      throw new Broken([`${name} answers ${before}, ${next}, ${after} around the withdrawal of a key`], {})
    return { [name]: `takes the token for its API, and refuses ${refusals} other texts and a withdrawn key` }
  })
}

/** Envoy takes the token for its API, and no other text. */
async function envoyVerifies(work: string, say: Say): Promise<Figures> {
  const { programs, missing } = await installPrograms(say)
  const found = programs.find(({ kind }) => kind === "envoy")
  if (found === undefined) return { "Envoy, left out": Object.values(missing).join("; ") }
  return within(async (span) => {
    const service = await openApiService(span)
    const api = await openApi(service, envoy(found.path ?? "", work, service))
    const { refusals } = await verifies(found.name, service, api, [401, 403])
    return { [found.name]: `takes the token for its API, and refuses ${refusals} other texts` }
  })
}

/** Returns the body of the response to the token for the API, and how many other texts were refused. */
async function verifies(
  name: string,
  service: ApiService,
  api: Api,
  refusing: readonly number[],
): Promise<{ readonly text: string; readonly refusals: number }> {
  const { taken, refused } = await callApi(service, api)
  const text = await taken.text()
  const wrong = Object.entries(refused).filter(([, status]) => !refusing.includes(status))
  const problems = [
    ...(taken.status === 200 ? [] : [`${name} refuses the token for its API: ${taken.status} ${text}`]),
    ...wrong.map(([what, status]) => `${name} answers ${status} to a token that is ${what}`),
  ]
  if (problems.length > 0) throw new Broken(problems, {})
  return { text, refusals: Object.keys(refused).length }
}

function signsIn(program: SiteProgram): Promise<Figures> {
  return within(async (span) => {
    const site = await Site.open(await openService(span), program)
    const signedIn = await site.visit("authorize")
    const refused = await site.visit("refuse")
    const problems = [
      ...(signedIn.includes(PERSON.email) ? [] : [`${program.name} does not know its visitor: ${signedIn}`]),
      ...(refused.includes(PERSON.email) ? [`refused, ${program.name} signs its visitor in`] : []),
    ]
    if (problems.length > 0) throw new Broken(problems, {})
    return { [program.name]: "signs a person in, and no one after a refusal" }
  })
}
