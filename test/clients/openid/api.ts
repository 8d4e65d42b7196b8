/** An API that verifies JWT access tokens with a library by others, which knows nothing of this service. */
import { connectIn } from "../../support/connect.ts"
import type { AppIdentity } from "../../support/connect.ts"
import { type OpenidService } from "./service.ts"
import { Site, type SiteProgram } from "./site.ts"

/** The API that the programs are, and another one. */
export const OWN = "https://api.example.com/"
const OTHER = "https://other.example.com/"

/** The configuration file of the service. */
export const CONFIGURATION = `resource_servers:
  - { resource: "${OWN}", name: API, tokens: jwt }
  - { resource: "${OTHER}", name: Other, tokens: jwt }
`
const REDIRECT_URI = "https://app.example/callback"

export type Called = {
  readonly app: AppIdentity
  /** The response to the token for the API. */
  readonly taken: Response
  /** The statuses of the responses to other texts, by what they are. */
  readonly refused: Readonly<Record<string, number>>
}

/** Calls the API with the token for it, and with texts that it must refuse. */
export async function callApi(service: OpenidService, program: SiteProgram): Promise<Called> {
  const { url } = await Site.open(service, program)
  const app = await service.register(REDIRECT_URI)
  const tokens = (resource: Readonly<Record<string, string>>) =>
    connectIn(service.alice, service, app, {
      scope: "openid account:read",
      ...resource,
    }) as unknown as Promise<{ readonly access_token: string; readonly id_token: string }>
  const call = (token: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const own = await tokens({ resource: OWN })
  const taken = await call(own.access_token)

  const [, payload = "", signature = ""] = own.access_token.split(".")
  const others = {
    "for another API": (await tokens({ resource: OTHER })).access_token,
    opaque: (await tokens({})).access_token,
    "an id_token": own.id_token,
    unsigned: `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${payload}.`,
    altered: own.access_token.replace(signature, signature.split("").toReversed().join("")),
    "not a token": "x",
  }
  const refused: Record<string, number> = {}
  for (const [what, token] of Object.entries(others)) refused[what] = (await call(token)).status
  return { app, taken, refused }
}
