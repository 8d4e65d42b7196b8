/** Apps on Node, each with the packages of the folder "node", which are not those of this repository. */
import { cpSync, existsSync } from "node:fs"
import { join } from "node:path"
import { leaveOut } from "../../support/leave-out.ts"
import type { SiteProgram } from "./site.ts"

const root = join(import.meta.dirname, "../../..")

/** `.ci/run` makes it after `npm ci`, which removes it. */
const INSTALLED = "node_modules/.cache/clients"
const SOURCES = "test/clients/openid/node"

/** The options of a test that needs the packages. */
export const needsPackages = findPackages()

/** The bundle for browsers of oidc-client-ts. */
export const BUNDLE = join(root, INSTALLED, "node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js")

export const nodePrograms: readonly SiteProgram[] = [
  { name: "express-openid-connect", command: onNode("express-openid-connect.js"), callback: "/callback" },
  { name: "@hono/oidc-auth", command: onNode("hono-oidc-auth.js"), callback: "/callback" },
  {
    name: "Auth.js",
    command: onNode("authjs.js"),
    callback: "/auth/callback/latchkey",
    begin: async (visitor) => {
      const { csrfToken } = JSON.parse((await visitor.get("/auth/csrf")).text) as { csrfToken: string }
      return visitor.post("/auth/signin/latchkey", { csrfToken })
    },
  },
  { name: "openid-client", command: onNode("openid-client.js"), callback: "/callback" },
]

/** An API that verifies JWT access tokens. */
export const nodeApi: SiteProgram = {
  name: "express-oauth2-jwt-bearer",
  command: onNode("express-oauth2-jwt-bearer.js"),
  callback: "/unused",
}

/** The programs are copied beside their packages, because Node looks for packages there. */
function onNode(name: string): () => readonly string[] {
  return () => {
    const program = join(root, INSTALLED, name)
    for (const file of [name, "settings.js"]) cpSync(join(root, SOURCES, file), join(root, INSTALLED, file))
    return [process.execPath, program]
  }
}

function findPackages(): { skip?: string } {
  if (existsSync(join(root, INSTALLED, "node_modules"))) return {}
  const remedy = `To install them: npm ci --prefix ${INSTALLED}, with the package files of ${SOURCES} in it`
  return { skip: leaveOut("no packages of OpenID Connect clients are installed", "their tests", remedy) }
}
