/** A request of every kind that needs the database, for tests in which the database does not answer. */
import type { Browser } from "../support/browser.ts"
import {
  type AppIdentity,
  authorizePath,
  codeFor,
  connectIn,
  newVerifier,
  own,
  REDIRECT_URI,
  signedInBrowser,
} from "../support/connect.ts"
import { DEVICE_GRANT, startDevice } from "../oauth/device/device.ts"
import { addAccount, addApp, addResourceServer, addServiceAccount, switchBudgetOff } from "../support/seed.ts"
import { PASSWORD } from "../support/test-server.ts"
import type { Node, Nodes } from "./nodes.ts"

/** The receiver of the response. A program gets JSON, and a person gets a page. */
export type Reader = "program" | "api" | "person"

export type Answered = {
  readonly name: string
  readonly reader: Reader
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly milliseconds: number
}

type Kind = {
  readonly name: string
  readonly reader: Reader
  readonly send: (node: Node) => Promise<Response>
}

export class EveryRequest {
  readonly app: AppIdentity
  readonly alice: Browser
  readonly #kinds: readonly Kind[]

  private constructor(app: AppIdentity, alice: Browser, kinds: readonly Kind[]) {
    this.app = app
    this.alice = alice
    this.#kinds = kinds
  }

  /** Creates everything that the requests need while the database works. */
  static async prepare(nodes: Nodes): Promise<EveryRequest> {
    await addAccount(nodes.dir, "alice", true)
    await switchBudgetOff(nodes.dir)
    const app = await addApp(nodes.dir, { type: "public" })
    const api = await addResourceServer(nodes.dir)
    await addServiceAccount(nodes.dir, "pods")
    const pods = await addApp(nodes.dir, { type: "confidential", serviceAccountName: "pods" })
    const alice = await signedInBrowser(nodes, "alice")
    const held = await connectIn(alice, nodes, app)
    const { verifier, challenge } = newVerifier()
    const code = await codeFor(alice, app, challenge)
    const device = await startDevice(nodes, app)
    const consent = (await alice.get(authorizePath(app, challenge))).text
    const ticket = /name="ticket" value="([^"]+)"/.exec(consent)?.[1] ?? ""
    const csrf = /name="csrf" value="([^"]+)"/.exec(consent)?.[1] ?? ""
    const cookie = `latchkey_session=${alice.cookie("latchkey_session")}; latchkey_browser=${alice.cookie("latchkey_browser")}`
    const page = { cookie, origin: nodes.url, "sec-fetch-site": "same-origin" }
    const bearer = { authorization: `Bearer ${held.access_token}` }

    const form = (path: string, fields: Record<string, string>) => post(path, { ...own(app), ...fields })
    const redeem = {
      grant_type: "authorization_code",
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
    }
    const kinds: readonly Kind[] = [
      { name: "GET /health", reader: "program", send: get("/health") },
      {
        name: "a refresh",
        reader: "program",
        send: form("/oauth/token", { grant_type: "refresh_token", refresh_token: held.refresh_token }),
      },
      { name: "an exchange", reader: "program", send: form("/oauth/token", redeem) },
      {
        name: "a poll",
        reader: "program",
        send: form("/oauth/token", { grant_type: DEVICE_GRANT, device_code: device.deviceCode }),
      },
      {
        name: "a token of a service account",
        reader: "program",
        send: post("/oauth/token", { ...own(pods), grant_type: "client_credentials" }),
      },
      { name: "a device authorization", reader: "program", send: form("/oauth/device-authorization", {}) },
      {
        name: "a revocation",
        reader: "program",
        send: form("/oauth/revoke", { token: `${held.access_token.slice(0, -1)}~` }),
      },
      {
        name: "an introspection",
        reader: "program",
        send: post("/oauth/introspect", { ...own(api), token: held.access_token }),
      },
      { name: "the API", reader: "api", send: get("/api/account", bearer) },
      { name: "GET /oauth/authorize", reader: "person", send: get(authorizePath(app, challenge), page) },
      {
        name: "a consent",
        reader: "person",
        send: post("/oauth/consent", { ticket, csrf, decision: "refuse" }, page),
      },
      {
        name: "GET /oauth/device with a code",
        reader: "person",
        send: get(`/oauth/device?user_code=${device.userCode}`, page),
      },
      { name: "GET /account", reader: "person", send: get("/account", page) },
      { name: "GET /console", reader: "person", send: get("/console", page) },
      {
        name: "a sign-in",
        reader: "person",
        send: post("/sign-in", { csrf, username: "alice", password: PASSWORD }, page),
      },
    ]
    return new EveryRequest(app, alice, kinds)
  }

  /** Sends all requests at once. */
  send(node: Node): Promise<Answered[]> {
    return Promise.all(
      this.#kinds.map(async ({ name, reader, send }) => {
        const begun = performance.now()
        const response = await send(node)
        const text = await response.text()
        const milliseconds = performance.now() - begun
        return { name, reader, status: response.status, headers: response.headers, text, milliseconds }
      }),
    )
  }
}

function get(path: string, headers: Record<string, string> = {}): Kind["send"] {
  return (node) => fetch(node.url + path, { headers, redirect: "manual" })
}

function post(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Kind["send"] {
  return (node) =>
    fetch(node.url + path, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams(fields).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    })
}
