/** An API that verifies JWT access tokens with a library by others, which knows nothing of this service. */
import { generateKeyPairSync, sign } from "node:crypto"
import { join } from "node:path"
import { type AppIdentity, connectIn } from "../../support/connect.ts"
import { type SettableClock, settableClock } from "../../support/faketime.ts"
import { done, newDirectory, type Span } from "../../support/spawn.ts"
import { until } from "../../support/until.ts"
import { type OpenidService, openService } from "./service.ts"
import { Site, type SiteProgram } from "./site.ts"

/** The API that the programs are, and another one. */
export const OWN = "https://api.example.com/"
const OTHER = "https://other.example.com/"

/** The configuration file of the service. */
const CONFIGURATION = `resource_servers:
  - { resource: "${OWN}", name: API, tokens: jwt }
  - { resource: "${OTHER}", name: Other, tokens: jwt }
`
const REDIRECT_URI = "https://app.example/callback"

/** Longer than a token lives, with the minute that libraries allow for clocks that differ. */
const LONG_AGO_SECONDS = 600

export type ApiService = OpenidService & { readonly clock: SettableClock }

export async function openApiService(span: Span): Promise<ApiService> {
  const clock = settableClock(join(newDirectory(span), "clock"))
  return { ...(await openService(span, CONFIGURATION, clock.environment)), clock }
}

type Tokens = { readonly access_token: string; readonly id_token: string }

export type Api = {
  readonly app: AppIdentity
  /** Returns new tokens of the app, for these APIs. */
  readonly tokens: (resource: Readonly<Record<string, string>>) => Promise<Tokens>
  readonly call: (token: string) => Promise<Response>
}

export async function openApi(service: ApiService, program: SiteProgram): Promise<Api> {
  const { url } = await Site.open(service, program)
  const app = await service.register(REDIRECT_URI)
  return {
    app,
    tokens: (resource) =>
      connectIn(service.alice, service, app, {
        scope: "openid account:read",
        ...resource,
      }) as unknown as Promise<Tokens>,
    call: (token) => fetch(url, { headers: { authorization: `Bearer ${token}` } }),
  }
}

export type Called = {
  /** The response to the token for the API. */
  readonly taken: Response
  /** The statuses of the responses to other texts, by what they are. */
  readonly refused: Readonly<Record<string, number>>
}

/** Calls the API with the token for it, and with texts that it must refuse. */
export async function callApi({ clock }: ApiService, { tokens, call }: Api): Promise<Called> {
  clock.set(-LONG_AGO_SECONDS)
  const expired = (await tokens({ resource: OWN })).access_token
  clock.set(0)
  const own = await tokens({ resource: OWN })
  const taken = await call(own.access_token)

  const [header = "", payload = "", signature = ""] = own.access_token.split(".")
  const others = {
    expired,
    "for another API": (await tokens({ resource: OTHER })).access_token,
    opaque: (await tokens({})).access_token,
    "an id_token": own.id_token,
    unsigned: `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url")}.${payload}.`,
    altered: own.access_token.replace(signature, signature.split("").toReversed().join("")),
    forged: signedByAnother(`${header}.${payload}`),
    "not a token": "x",
  }
  const refused: Record<string, number> = {}
  for (const [what, token] of Object.entries(others)) refused[what] = (await call(token)).status
  return { taken, refused }
}

/** The `kid` in the header is that of the service. */
function signedByAnother(input: string): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return `${input}.${sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`
}

/**
 * Withdraws the key that signs. Returns the statuses of the responses to a token that it signed: before that, and after
 * the API has read the new keys because it got a token of one of them.
 */
export async function withdrawKey(
  service: ApiService,
  { tokens, call }: Api,
): Promise<{ readonly before: number; readonly next: number; readonly after: number }> {
  const token = (await tokens({ resource: OWN })).access_token
  const before = (await call(token)).status
  await done(service.directory, ["key", "rotate", "--algorithm", "RS256", "--now"])
  const next = (await call(await tokenOfAnotherKey(token, tokens))).status
  return { before, next, after: (await call(token)).status }
}

/** The service reads its keys several times a second. */
async function tokenOfAnotherKey(token: string, tokens: Api["tokens"]): Promise<string> {
  const headerOf = (text: string) => text.split(".")[0]
  let other = token
  const isOther = async () => {
    other = (await tokens({ resource: OWN })).access_token
    return headerOf(other) !== headerOf(token)
  }
  await until(isOther, "the new key signs")
  return other
}
