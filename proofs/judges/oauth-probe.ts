/** `testmcpy-oauth-probe` checks discovery, exchanges a code or a refresh token, and makes a request with the token. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { codeFor, connect, newVerifier, REDIRECT_URI, signedInBrowser } from "../../test/support/connect.ts"
import { HOLDER } from "./browser.ts"
import { explained, type Judge, ran, type Reasons } from "./judge.ts"
import { versions } from "./install.ts"

const NAME = "testmcpy-oauth-probe"

const reasons: Reasons = {
  "oidc.discovery.available": "OpenID Connect is not part of the interface: the metadata is that of RFC 8414",
  "oauth.token.claims.policy": "left out: access tokens are opaque and have no claims",
}

type Report = {
  readonly targets: readonly {
    readonly checks: readonly { readonly id: string; readonly status: string; readonly message: string }[]
  }[]
}

export const oauthProbe: Judge = async (subject, { bin }, work) => {
  const mcp = await subject.startMcp(() => null)
  const app = await subject.addApp(REDIRECT_URI)
  const asked = { resource: mcp, scope: "notes:write" }
  const { verifier, challenge } = newVerifier()
  const code = await codeFor(await signedInBrowser(subject, HOLDER), app, challenge, asked)
  const held = await connect(subject, app, HOLDER, asked)
  const env = {
    CODE: code,
    VERIFIER: verifier,
    REFRESH_TOKEN: held.refresh_token,
    ACCESS_TOKEN: held.access_token,
  }
  const client = { client_id: app.clientId, client_auth_method: "none", resource: mcp }
  const target = (oauth: object) => ({
    mcp_url: mcp,
    spec_profile: "mcp-2025-11-25",
    allow_http_loopback: true,
    allow_private_network: true,
    oauth: { ...client, ...oauth },
  })
  const exchange = {
    flow: "authorization_code",
    authorization_code: { env: "CODE" },
    pkce_verifier: { env: "VERIFIER" },
    redirect_uri: REDIRECT_URI,
  }
  const refresh = {
    flow: "refresh_token",
    refresh_token: { env: "REFRESH_TOKEN" },
    refresh_token_disposable: true,
    error_probe: true,
  }
  const targets = { exchange: target(exchange), refresh: target(refresh) }
  const manifest = join(work, "oauth-probe.json")
  writeFileSync(manifest, JSON.stringify({ schema: "testmcpy.io/oauth-smoke/v1", targets }))
  const { stdout, stderr } = await ran(
    [join(bin, "testmcpy-oauth"), "check", "--config", manifest, "--format", "json"],
    { cwd: work, env },
  )
  if (!stdout.startsWith("{")) return { figures: {}, broken: [`${NAME}: ${stdout}${stderr}`] }
  const { targets: reports } = JSON.parse(stdout) as Report
  const checks = reports.flatMap((report) => report.checks)
  const failed = checks.filter(({ status }) => status !== "pass")
  const said = new Map(failed.map(({ id, status, message }) => [id, `${status}: ${message}`]))
  const { figures, broken } = explained(NAME, said, reasons)
  return {
    figures: {
      [`${NAME} ${versions[NAME]}: checks passed`]: checks.length - failed.length,
      ...figures,
    },
    broken,
  }
}
