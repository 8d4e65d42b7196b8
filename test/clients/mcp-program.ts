/** The parts that a program adds to the SDK of the Model Context Protocol: storage and a browser. */
import assert from "node:assert/strict"
import { type OAuthClientProvider, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js"
import { decide } from "../support/connect.ts"
import type { Browser } from "../support/browser.ts"

/** Nothing here takes this long. A program that does is stuck. */
export const PATIENCE_MILLISECONDS = 30_000

export class Program implements OAuthClientProvider {
  readonly redirectUrl = "http://127.0.0.1:43111/callback"
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: "Notebook",
    redirect_uris: [this.redirectUrl],
    token_endpoint_auth_method: "none",
  }
  kept: OAuthTokens | undefined
  registered: OAuthClientInformationMixed | undefined
  registrations = 0
  sentTo: URL | undefined
  /** The values that the SDK discarded, such as "tokens" after `invalid_grant`. */
  readonly forgotten: string[] = []
  #verifier = ""

  state(): string {
    return "a state of the program's"
  }
  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.registered
  }
  saveClientInformation(information: OAuthClientInformationMixed): void {
    if (this.registered === undefined) this.registrations++
    this.registered = information
  }
  tokens(): OAuthTokens | undefined {
    return this.kept
  }
  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens
  }
  redirectToAuthorization(address: URL): void {
    this.sentTo = address
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }
  codeVerifier(): string {
    return this.#verifier
  }
  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    this.forgotten.push(scope)
    if (scope === "all" || scope === "client") this.registered = undefined
    if (scope === "all" || scope === "tokens") this.kept = undefined
  }
}

export function transportOf(program: Program, url: URL): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(url, { authProvider: program })
}

export async function connectedTo(transport: StreamableHTTPClientTransport): Promise<Client> {
  const client = new Client({ name: "notebook", version: "1.0.0" })
  // The types of the SDK conflict with exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0], { timeout: PATIENCE_MILLISECONDS })
  return client
}

/** Runs the client until it opens the browser. Then answers the consent page. */
export async function decided(
  program: Program,
  transport: StreamableHTTPClientTransport,
  browser: Browser,
  decision: "authorize" | "refuse",
): Promise<URLSearchParams> {
  await assert.rejects(connectedTo(transport), UnauthorizedError)
  assert.ok(program.sentTo)
  const { searchParams } = await decide(browser, program.sentTo, decision)
  assert.equal(searchParams.get("state"), program.state())
  return searchParams
}

/** Runs the client until it is connected. The account in `browser` consents. */
export async function connected(program: Program, url: URL, browser: Browser): Promise<Client> {
  const first = transportOf(program, url)
  const back = await decided(program, first, browser, "authorize")
  await first.finishAuth(back.get("code") ?? "")
  return connectedTo(transportOf(program, url))
}

export async function called(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<unknown> {
  const { content } = await client.callTool({ name, arguments: args }, undefined, {
    timeout: PATIENCE_MILLISECONDS,
  })
  const [{ text = "" } = {}] = content as { text?: string }[]
  return JSON.parse(text)
}
