/** Finds the app for `login`, and reports problems in the local database before a browser opens. */
import { isLoopback } from "../../platform/config/base-url.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { type App, findApp, listApps } from "../../apps/app.ts"
import { refusedOf } from "../../admin/apps/app-output.command.ts"
import { type Answer, done, type Globals, usageError, refused } from "../../platform/cli/command.ts"
import { isLocalIssuer } from "./issuer.ts"
import { withStore } from "../../platform/cli/open.ts"
import { visible } from "../../platform/cli/print.ts"
import { program } from "../../platform/cli/program.ts"

/** The redirect URI that the app must have registered. The port may differ (RFC 8252 §7.3). */
export const LOGIN_REDIRECT = "http://127.0.0.1/callback"

const MAX_LISTED = 10

export type LoginRequest = {
  readonly issuer: URL
  readonly clientId: string | null
  readonly isForDevice: boolean
  readonly hasSecret: boolean
}

/** Returns the `client_id`, or an error message. */
export async function findLoginApp(globals: Globals, request: LoginRequest): Promise<string | Answer> {
  const { issuer, clientId, isForDevice, hasSecret } = request
  if (clientId === null)
    return isLoopback(issuer)
      ? await onlySuitableApp(globals, isForDevice ? worksOnDevices : worksInBrowsers)
      : chooseApp([])
  if (!isLoopback(issuer) && !isLocalIssuer(issuer)) return clientId
  const found = await findInLocalDatabase(globals, clientId)
  // The error is final only for the local service. A different service on this machine has its own database.
  if (found?.ok === false && isLocalIssuer(issuer)) {
    const { remarks } = refusedOf(clientId, found.error)
    return refused(
      ...remarks,
      `Apps were looked up in ${globals.data}. If that is not the data directory of the service, name it with --data.`,
    )
  }
  if (found?.ok !== true) return clientId
  const { client } = found.value
  if (!client.enabled && isLocalIssuer(issuer))
    return refused(`The app ${named(client)} is disabled. To enable it: ${program} app enable ${clientId}`)
  if (client.keys !== null)
    return refused(
      `The app ${named(client)} authenticates with a key, and login cannot sign. Use an app that is public or has a secret.`,
    )
  if (client.type === "public" || hasSecret) return clientId
  return usageError(`The app ${named(client)} has a secret: add --client-secret-stdin.`)
}

/** Finds the app in the local database. Returns null if there is no local database. */
async function findInLocalDatabase(globals: Globals, clientId: string) {
  let found: Awaited<ReturnType<typeof findApp>> | null = null
  await withStore(globals, "refuse", async (opened) => {
    found = await findApp(opened, clientId)
    return done(null, "")
  })
  return found as Awaited<ReturnType<typeof findApp>> | null
}

function worksOnDevices({ type, enabled }: Client): boolean {
  return type === "public" && enabled
}

function worksInBrowsers(client: Client): boolean {
  return worksOnDevices(client) && client.redirectUris.includes(LOGIN_REDIRECT)
}

async function onlySuitableApp(
  globals: Globals,
  isSuitable: (client: Client) => boolean,
): Promise<string | Answer> {
  let suitable: readonly Client[] = []
  const opened = await withStore(globals, "refuse", async ({ store }) => {
    // Anyone can register apps through self-registration, so such apps are left out.
    const apps: readonly App[] = [
      ...(await listApps({ store }, { registeredBy: "administrator" })),
      ...(await listApps({ store }, { registeredBy: "user" })),
    ]
    suitable = apps.map(({ client }) => client).filter(isSuitable)
    return done(null, "")
  })
  if (opened.exit === 2) return opened
  const [only] = suitable
  if (only === undefined || suitable.length > 1) return chooseApp(suitable)
  process.stderr.write(`Signing in as the app ${named(only)}.\n`)
  return only.clientId
}

function chooseApp(suitable: readonly Client[]): Answer {
  if (suitable.length > 1) {
    const lines = suitable.slice(0, MAX_LISTED).map(({ clientId, name }) => `  ${clientId}  ${visible(name)}`)
    const more = suitable.length - lines.length
    const rest = more > 0 ? [`  and ${more} more: run ${program} app list`] : []
    return usageError(["Choose the app to sign in as with --client-id:", ...lines, ...rest].join("\n"))
  }
  return usageError(
    "login signs in as an app: name it with --client-id. To register one, run this on the machine of the service:",
    `${program} app add --name "My terminal" --type public --redirect ${LOGIN_REDIRECT} --permission account:read`,
  )
}

function named({ name, clientId }: Client): string {
  return `${JSON.stringify(visible(name))} (${clientId})`
}
