/** The proof: programs that take too long to build for `npm test` sign a person in with the settings of docs/clients.md. */
import { openService, PERSON } from "../../test/clients/openid/service.ts"
import { Site, type SiteProgram } from "../../test/clients/openid/site.ts"
import { within } from "../../test/support/spawn.ts"
import { Broken, type Figures, type Proof } from "../proof.ts"
import { buildOauth2Proxy, buildSpring, type Built } from "./build.ts"

export const clients: Proof = {
  name: "clients",
  promise:
    "oauth2-proxy and Spring Security sign a person in with OpenID Connect, by the settings that the documents show",
  engines: ["sqlite"],
  prove: async ({ work, say }) => {
    const figures: Record<string, string> = {}
    for (const build of [buildOauth2Proxy, buildSpring]) {
      const built: Built = await build(work, say)
      if ("missing" in built) Object.assign(figures, { [`${built.name}, left out`]: built.missing })
      else Object.assign(figures, await signsIn(built.program))
    }
    return figures
  },
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
