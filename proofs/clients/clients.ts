/**
 * The proof: programs that take too long to build for `npm test` sign a person in with the settings of docs/clients.md.
 * They are kept for the next run.
 */
import { existsSync, mkdirSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { oauth2Proxy } from "../../test/clients/openid/oauth2-proxy.ts"
import { openService, PERSON } from "../../test/clients/openid/service.ts"
import { Site } from "../../test/clients/openid/site.ts"
import { within } from "../../test/support/spawn.ts"
import { ran } from "../judges/judge.ts"
import { Broken, type Figures, type Proof } from "../proof.ts"

const VERSION = "7.15.6"
const MODULE = "github.com/oauth2-proxy/oauth2-proxy/v7"

export const clients: Proof = {
  name: "clients",
  promise: "oauth2-proxy signs a person in with OpenID Connect, by the command that the documents show",
  engines: ["sqlite"],
  prove: async ({ say }) => {
    const dir = join(
      process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"),
      "latchkey-prove",
      `oauth2-proxy-${VERSION}`,
    )
    const program = join(dir, "oauth2-proxy")
    if (!existsSync(program)) {
      say("building oauth2-proxy")
      mkdirSync(dir, { recursive: true })
      const install = ["go", "install", `${MODULE}@v${VERSION}`]
      const { code, stderr } = await ran(install, { cwd: dir, env: { GOBIN: dir } }).catch(
        (error: Error) => ({
          code: 1,
          stderr: error.message,
        }),
      )
      if (code !== 0) return { "left out": stderr.trim().split("\n").at(-1) ?? "" }
    }
    return within((span) => signsIn(span, program))
  },
}

async function signsIn(span: Parameters<typeof openService>[0], program: string): Promise<Figures> {
  const site = await Site.open(await openService(span), oauth2Proxy(program))
  const about = JSON.parse(await site.visit("authorize")) as Readonly<Record<string, unknown>>
  const figures = { "oauth2-proxy": VERSION, "what it says about its visitor": Object.keys(about).join(", ") }
  const problems = [
    ...(about["email"] === PERSON.email ? [] : ["it does not know the address of its visitor"]),
    ...(about["preferredUsername"] === PERSON.username ? [] : ["it does not know the name of its visitor"]),
    ...((await site.visit("refuse")).includes(PERSON.email) ? ["refused, it signs its visitor in"] : []),
  ]
  if (problems.length > 0) throw new Broken(problems, figures)
  return figures
}
