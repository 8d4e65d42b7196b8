/**
 * Valuable grants. Each is requested in many spoiled ways, and none of them may succeed. After that, the correct
 * request must still succeed. Nothing is consumed early (interface CODE-1, CRED-1, DG-*).
 */
import type { TokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { answerDevice, DEVICE_GRANT, startDevice } from "../../test/oauth/device/device.ts"
import {
  type AppIdentity,
  codeFor,
  connectIn,
  type Listening,
  newVerifier,
  REDIRECT_URI,
  send,
} from "../../test/support/connect.ts"
import { addAccount, addApp } from "../../test/support/seed.ts"
import { Choice } from "../choice.ts"
import { type Case, marks, soundCase } from "./cases.ts"
import { bodyText, type Draft, FORM, pairsOf } from "./draft.ts"
import type { Lane } from "./lane.ts"
import type { Ledger } from "./ledger.ts"
import { mutate } from "./mutate.ts"
import { JWT_RESOURCES, type Person, signedIn, type World } from "./world.ts"

/** The owner of the grants. No other request concerns this account and app, so only these requests can change them. */
export type Keeper = {
  readonly person: Person
  readonly app: AppIdentity
  readonly kept: TokenResponse
  /** A JWT access token, which forged revocations must not end. */
  readonly jwt: string
}

export async function newKeeper(server: Listening, dir: string, number: number): Promise<Keeper> {
  const name = `eve${number}`
  await addAccount(dir, name)
  const app = await addApp(dir, { name: "Kept", type: "public" })
  const person = await signedIn(server, name)
  const kept = await connectIn(person.browser, server, app)
  const [resource = ""] = JWT_RESOURCES
  const { access_token: jwt } = await connectIn(person.browser, server, app, { resource })
  return { person, app, kept, jwt }
}

/** The fields of a request that succeeds. */
type Fields = Readonly<Record<string, string>>

const GRANTS: Readonly<Record<string, (server: Listening, keeper: Keeper) => Promise<Fields>>> = {
  "a code": async (_, { person, app }) => {
    const { verifier, challenge } = newVerifier()
    const code = await codeFor(person.browser, app, challenge)
    return { grant_type: "authorization_code", code, code_verifier: verifier, redirect_uri: REDIRECT_URI }
  },
  "a refresh token": async (server, { person, app }) => {
    const { refresh_token } = await connectIn(person.browser, server, app)
    return { grant_type: "refresh_token", refresh_token }
  },
  "a device code": async (server, { person, app }) => {
    const started = await startDevice(server, app)
    await answerDevice(person.browser, started, "authorize")
    return { grant_type: DEVICE_GRANT, device_code: started.deviceCode }
  },
}

type Kind = {
  readonly path: string
  readonly fields: (server: Listening, keeper: Keeper) => Promise<Fields>
  /** Returns what is wrong after the spoiled requests. Null if the grant has outlived them. */
  readonly problem: (server: Listening, fields: Fields, world: World) => Promise<string | null>
}

const KINDS: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    Object.entries(GRANTS).map(([kind, fields]) => [
      kind,
      { path: "/oauth/token", fields, problem: notGranted },
    ]),
  ),
  "a JWT access token": {
    path: "/oauth/revoke",
    fields: (_, { jwt }) => Promise.resolve({ token: jwt }),
    problem: notActive,
  },
}

async function notGranted(server: Listening, fields: Fields): Promise<string | null> {
  const { status, body } = await send(server, "/oauth/token", fields)
  return status === 200 ? null : `${status} ${JSON.stringify(body)}`
}

/** Only its own app, with the whole token, can end it. */
async function notActive(
  server: Listening,
  { token = "" }: Fields,
  { resourceServer: { clientId, secret } }: World,
): Promise<string | null> {
  const asked = { client_id: clientId, client_secret: secret ?? "", token }
  const { body } = await send(server, "/oauth/introspect", asked)
  return body["active"] === true ? null : JSON.stringify(body)
}

export type Run = {
  readonly server: Listening
  readonly port: number
  readonly seed: number
  readonly ledger: Ledger
}

/** For each kind of grant, sends `times` spoiled requests, and then the correct request. */
export async function tryGrants(
  { server, port, seed, ledger }: Run,
  lane: Lane,
  world: World,
  keeper: Keeper,
  others: readonly Draft[],
  from: number,
  times: number,
): Promise<void> {
  for (const [of, [kind, grant]] of Object.entries(KINDS).entries()) {
    const fields = { client_id: keeper.app.clientId, ...(await grant.fields(server, keeper)) }
    const choice = new Choice(seed + from * 31 + of)
    const held = { ...world, secrets: [...world.secrets, fieldOf(fields)] }
    for (let left: readonly Case[] = [], made = 0; made < times || left.length > 0;) {
      const more: Case[] = []
      while (more.length + left.length < 10 && made < times) {
        const id = `${from}-${of}-${made++}`
        const draft = spoiledRequest(choice, { name: kind, path: grant.path }, fields, others)
        more.push(soundCase(from, draft, [["Host", `localhost:${port}`], ...marks(choice, id)], id))
      }
      left = await lane.send([...left, ...more], held)
    }
    const problem = await grant.problem(server, fields, world)
    if (problem !== null)
      ledger.fail(undefined, `${kind} was spent by requests that were refused: ${problem}`, null)
    ledger.grants++
  }
}

function fieldOf({ code, refresh_token, device_code, token }: Fields): string {
  return code ?? refresh_token ?? device_code ?? token ?? ""
}

/** Changes one to three places of the correct request. The result is never a request that would succeed. */
function spoiledRequest(
  choice: Choice,
  of: Pick<Draft, "name" | "path">,
  fields: Fields,
  others: readonly Draft[],
): Draft {
  const valid: Draft = {
    ...of,
    method: "POST",
    query: [],
    cookies: [],
    headers: [["Content-Type", FORM]],
    body: { kind: "form", pairs: pairsOf(fields) },
    isChunked: false,
    version: "1.1",
    weight: 1,
  }
  for (;;) {
    let draft = valid
    for (let left = choice.one([1, 1, 2, 3]); left > 0; left--) draft = mutate(choice, draft, others)
    if (!mayBeGranted(draft, fields)) return draft
  }
}

/** Whether every parameter is present, once and complete. Other changes may then be harmless. */
function mayBeGranted({ body }: Draft, fields: Fields): boolean {
  const sent = new URLSearchParams(Buffer.from(bodyText(body), "latin1").toString("utf8"))
  return Object.entries(fields).every(([name, value]) => {
    const all = sent.getAll(name)
    return all.length === 1 && all[0] === value
  })
}
