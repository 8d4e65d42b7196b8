/** The proof: programs that take too long to build for `npm test` sign a person in with the settings of docs/clients.md. */
import { callApi, CONFIGURATION } from "../../test/clients/openid/api.ts"
import { envoy } from "../../test/clients/openid/envoy.ts"
import { openService, PERSON } from "../../test/clients/openid/service.ts"
import { Site, type SiteProgram } from "../../test/clients/openid/site.ts"
import { within } from "../../test/support/spawn.ts"
import { installPrograms } from "../gate/install.ts"
import { Broken, type Figures, type Proof } from "../proof.ts"
import { buildOauth2Proxy, buildSpring, type Built } from "./build.ts"

export const clients: Proof = {
  name: "clients",
  promise:
    "oauth2-proxy and Spring Security sign a person in, and Envoy verifies JWT access tokens, by the documented settings",
  engines: ["sqlite"],
  prove: async ({ work, say }) => {
    const figures: Record<string, string> = {}
    for (const build of [buildOauth2Proxy, buildSpring]) {
      const built: Built = await build(work, say)
      if ("missing" in built) Object.assign(figures, { [`${built.name}, left out`]: built.missing })
      else Object.assign(figures, await signsIn(built.program))
    }
    return { ...figures, ...(await verifies(work, say)) }
  },
}

/** Envoy takes the token for its API, and no other text. */
async function verifies(work: string, say: (line: string) => void): Promise<Figures> {
  const { programs, missing } = await installPrograms(say)
  const found = programs.find(({ kind }) => kind === "envoy")
  if (found === undefined) return { "Envoy, left out": Object.values(missing).join("; ") }
  return within(async (span) => {
    const service = await openService(span, CONFIGURATION)
    const { taken, refused } = await callApi(service, envoy(found.path ?? "", work, service))
    const passed = Object.keys(refused).filter((what) => ![401, 403].includes(refused[what] ?? 0))
    const problems = [
      ...(taken.status === 200 ? [] : [`${found.name} refuses the token for its API: ${await taken.text()}`]),
      ...passed.map((what) => `${found.name} takes a token that is ${what}`),
    ]
    if (problems.length > 0) throw new Broken(problems, {})
    return {
      [found.name]: `takes the token for its API, and refuses ${Object.keys(refused).length} other texts`,
    }
  })
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
