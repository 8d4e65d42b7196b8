/**
 * The MCP SDK's own client for "Enterprise-Managed Authorization" calls a tool of the example server: by discovery, a
 * token exchange at a small identity provider, and the assertion. No person sees a page.
 */
import assert from "node:assert/strict"
import { request as httpsRequest } from "node:https"
import { test } from "node:test"
import {
  Client,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client"
import { linkAccount } from "../../src/accounts/providers/link.ts"
import type { ClientId, Permission } from "../../src/kernel/ids.ts"
import type { SignInProvider } from "../../src/model/sign-in/provider.rules.ts"
import { testClock } from "../support/clock.ts"
import { fixture } from "../support/fixture.ts"
import { IdentityProvider } from "../support/identity-provider.ts"
import { PROVIDER_CA, providerAt, TRUSTED } from "../support/oidc.ts"
import { OPERATOR } from "../support/test-server.ts"
import type { Span } from "../support/spawn.ts"
import { McpProgram, needsEnvironment, PYTHON, pythonCommand } from "./mcp-python.ts"
import { PATIENCE_MILLISECONDS } from "./mcp-program.ts"
import { served } from "./mcp-sdk.ts"

/** A fetch that trusts the certificate of the identity provider. */
const trusting: typeof fetch = (input, init) =>
  new Promise((resolve, reject) => {
    const headers = Object.fromEntries(new Headers(init?.headers).entries())
    const url = input instanceof Request ? input.url : input
    const sent = httpsRequest(url, { method: init?.method ?? "GET", headers, ca: PROVIDER_CA }, (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (piece: string) => (text += piece))
      const { statusCode: status = 500, headers: received } = answer
      const type = { "content-type": received["content-type"] ?? "text/plain" }
      answer.on("end", () => resolve(new Response(text, { status, headers: type })))
    })
    sent.on("error", reject).end(init?.body as string | undefined)
  })

/** A service that lets the provider connect an app, and the example server behind it. */
async function opened(span: Span) {
  const clock = testClock()
  const idp = await IdentityProvider.open(() => clock.now())
  span.after(() => idp.host.close())
  const providers = new Map<string, SignInProvider>()
  const { testServer, app, api } = await fixture({
    span,
    clock,
    providers,
    outgoing: TRUSTED,
    rateLimit: "off",
    accounts: ["alice"],
    permissions: {
      "notes:read": { title: "Read" },
      "notes:write": { title: "Write", implies: ["notes:read"] },
    },
    apps: {
      app: { type: "confidential", permissions: ["account:read", "notes:write"] },
      api: { type: "confidential", resourceServer: true },
    },
  })
  const assertions = {
    clients: [app.clientId as ClientId],
    permissions: ["account:read", "notes:write"] as readonly string[] as readonly Permission[],
  }
  const work = providerAt(idp.url, { name: "work", assertions })
  providers.set("work", work)
  idp.client = app.clientId
  assert.ok((await linkAccount(testServer.latchkey, work, "alice", "alice-at-work", OPERATOR)).ok)
  const url = await served({ url: testServer.url, resourceServer: api, span })
  return { idp, testServer, app, url }
}

test("ORG-6, ORG-10 the MCP SDK's client of enterprise-managed authorization calls a tool, and no page is shown", async (t) => {
  const { idp, testServer, app, url } = await opened(t)
  const authProvider = new CrossAppAccessProvider({
    clientId: app.clientId,
    clientSecret: app.secret ?? "",
    expectedIssuer: testServer.url,
    assertion: async ({ authorizationServerUrl, resourceUrl, scope }) => {
      const { jwtAuthGrant } = await discoverAndRequestJwtAuthGrant({
        idpUrl: idp.url,
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken: "alice-at-work",
        clientId: "an-agent",
        ...(scope !== undefined && { scope }),
        fetchFn: trusting,
      })
      return jwtAuthGrant
    },
  })
  const client = new Client({ name: "agent", version: "1.0.0" })
  const options = { timeout: PATIENCE_MILLISECONDS }
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider }), options)
  const { content } = await client.callTool({ name: "list_notes", arguments: {} }, options)
  const [{ text = "" } = {}] = content as { text?: string }[]
  assert.equal((JSON.parse(text) as { username: string }).username, "alice")
  await client.close()
  const [exchange] = idp.exchanges
  assert.equal(exchange?.get("resource"), url.href)
  assert.equal(authProvider.tokens()?.refresh_token, undefined)
})

test("ORG-6, ORG-10 so does the one of the MCP SDK for Python", needsEnvironment(), async (t) => {
  const { idp, testServer, app, url } = await opened(t)
  const asked: (string | null)[] = []
  const visit = async ({ searchParams }: URL) => {
    const [aud, resource] = ["audience", "resource"].map((name) => searchParams.get(name))
    asked.push(aud ?? null, resource ?? null)
    const assertion = await idp.assertion({ sub: "alice-at-work", aud, resource })
    return new URL(`https://idp.invalid/?${new URLSearchParams({ assertion }).toString()}`)
  }
  const command = pythonCommand(PYTHON, "with_identity_assertion.py", url.href)
  const program = new McpProgram(t, visit, [...command, app.clientId, app.secret ?? "", testServer.url])
  const { error, text } = await program.next()
  assert.equal(error, false)
  assert.equal((JSON.parse(String(text)) as { username: string }).username, "alice")
  assert.deepEqual(asked, [testServer.url, url.href])
})
