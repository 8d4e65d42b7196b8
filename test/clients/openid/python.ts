/** Apps on Django. Their packages are in the environment of the MCP clients. */
import { join } from "node:path"
import { needsModules } from "../../support/leave-out.ts"
import type { Browser } from "../../support/browser.ts"
import { INSTALL, PYTHON } from "../mcp-python.ts"
import type { Page, SiteProgram } from "./site.ts"

export const needsPythonPackages = needsModules(["django", "allauth", "social_django"], PYTHON, INSTALL)

const command = () => [PYTHON, join(import.meta.dirname, "python/with_django.py")]

/** An API that verifies JWT access tokens. */
export const pythonApi: SiteProgram = {
  name: "PyJWT",
  command: () => [PYTHON, join(import.meta.dirname, "python/with_pyjwt.py")],
  callback: "/unused",
}

export const pythonPrograms: readonly SiteProgram[] = [
  {
    name: "django-allauth",
    command,
    callback: "/accounts/oidc/latchkey/login/callback/",
    begin: (visitor) => pressed(visitor, "/accounts/oidc/latchkey/login/"),
  },
  {
    name: "social-auth",
    command,
    callback: "/social/complete/oidc/",
    begin: (visitor) => pressed(visitor, "/social/login/oidc/"),
  },
]

/** Sends the form that leads away, as the button of a page does. */
async function pressed(visitor: Browser, action: string): Promise<Page> {
  const { text } = await visitor.get("/")
  return visitor.post(action, { csrfmiddlewaretoken: (JSON.parse(text) as { token: string }).token })
}
