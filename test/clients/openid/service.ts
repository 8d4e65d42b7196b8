/** The service that apps sign people in with: OpenID Connect is on, behind deploy/nginx.conf with TLS. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Nginx } from "../../deploy/nginx.ts"
import type { Browser } from "../../support/browser.ts"
import { type AppIdentity, signedInBrowser } from "../../support/connect.ts"
import { freePort } from "../../support/free-port.ts"
import { addAccount, addApp, set, switchBudgetOff } from "../../support/seed.ts"
import { done, newDirectory, type Span, SpawnedServer } from "../../support/spawn.ts"

export const PERSON = { username: "alice", email: "alice@example.org" } as const

export type OpenidService = {
  readonly span: Span
  readonly url: string
  readonly directory: string
  /** The browser in which alice is signed in. */
  readonly alice: Browser
  /** A file with the certificate that an app must trust. */
  readonly certificate: string
  /** Registers an app with this redirect URI. */
  readonly register: (redirectUri: string, type?: "public" | "confidential") => Promise<AppIdentity>
}

/** `configuration` is the text of the configuration file, `environment` is that of the server. */
export async function openService(
  span: Span,
  configuration = "",
  environment: Readonly<Record<string, string>> = {},
): Promise<OpenidService> {
  const dir = newDirectory(span)
  const file = join(newDirectory(span), "latchkey.yaml")
  writeFileSync(file, configuration)
  await addAccount(dir, PERSON.username)
  await done(dir, ["account", "email", PERSON.username, PERSON.email])
  await switchBudgetOff(dir)
  await set(dir, "openid.enabled", "on")
  const [node, port] = [await freePort(), await freePort()]
  const server = await SpawnedServer.start(span, dir, {
    ...environment,
    LATCHKEY_CONFIG: file,
    LATCHKEY_PORT: String(node),
    LATCHKEY_BASE_URL: `https://localhost:${port}`,
    LATCHKEY_TRUSTED_PROXIES: "127.0.0.1",
  })
  const { certificate } = await Nginx.start(span, { nodes: [node, node], port })
  return {
    span,
    url: server.url,
    directory: dir,
    alice: await signedInBrowser(server, PERSON.username),
    certificate,
    register: (redirectUri, type = "confidential") =>
      addApp(dir, {
        type,
        redirectUris: [redirectUri],
        permissions: ["openid", "profile", "email", "groups", "account:read"],
      }),
  }
}
