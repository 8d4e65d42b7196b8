/** Formats an app's registration as JSON or text for the commands. */
import {
  type RegistrationRecord,
  registrationRecord,
} from "../../apps/registration/registration-record.rules.ts"
import { isDocumentUrl, isIdentifier } from "../../kernel/identifier.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import { type App, type AppWithSecret, type Manager, unknownApp } from "../../apps/app.ts"
import type { AppPreview } from "../../apps/preview.ts"
import { type Answer, done, refused } from "../../platform/cli/command.ts"
import { catalogRemarks, withRemarks } from "../../platform/cli/catalog-remark.ts"
import { fromCommandLine, type Opened, withStore } from "../../platform/cli/open.ts"
import { previewed } from "../../apps/preview/preview-flag.ts"
import { facts, instant } from "../../platform/cli/print.ts"
import { program } from "../../platform/cli/program.ts"

/** The manager on the command line, who may manage every app. */
export const operator: Manager = { owner: null, ...fromCommandLine }

export function record({ client, owner, serviceAccount }: App): RegistrationRecord {
  return registrationRecord(client, owner, serviceAccount)
}

export function runAppCommand(
  globals: Parameters<typeof withStore>[0],
  id: string,
  verb: (opened: Opened) => Promise<Result<App, Problem>>,
): Promise<Answer> {
  return withStore(globals, "refuse", async (opened) => {
    const answer = await verb(opened)
    return answer.ok ? done(record(answer.value), shown(answer.value)) : refusedOf(id, answer.error)
  })
}

export function previewedApp(
  globals: Parameters<typeof withStore>[0],
  id: string,
  verb: (opened: Opened) => Promise<Result<AppPreview, Problem>>,
  permissions: readonly string[] = [],
): Promise<Answer> {
  return withStore(globals, "refuse", async (opened) => {
    const answer = await verb(opened)
    const shownPreview = answer.ok
      ? previewed(record(answer.value.app), answer.value.preview)
      : refusedOf(id, answer.error)
    return withRemarks(shownPreview, catalogRemarks(opened.catalog, permissions))
  })
}

/** Adds a hint about an operand that no app has and that does not look like a client_id. */
export function refusedOf(id: string, problem: string): Answer {
  return isIdentifier(id) || isDocumentUrl(id) || problem !== unknownApp(id).error
    ? refused(problem)
    : refused(problem, `Use the client_id of the app. To list apps: ${program} app list`)
}

export function withSecret(app: AppWithSecret, remarks: readonly string[]): Answer {
  const registration = record(app)
  if (app.secret === null) return done(registration, shown(app), ...remarks)
  const secret = { client_secret: app.secret }
  const once = "The secret is shown only once. Store it where only the server of the app can read it."
  return done({ ...registration, ...secret }, shown(app, secret), once, ...remarks)
}

/** Formats the registration. The text also says who registered the app, and whether it has an icon. */
export function shown(app: App, secret: { readonly client_secret?: string } = {}): string {
  const { jwks, workload, ...registration } = record(app)
  const issued = instant(registration.client_id_issued_at)
  return facts({
    ...registration,
    registered_by: app.client.registeredBy,
    client_id_issued_at: issued,
    ...(jwks !== undefined && { jwks: jwks.keys.map(({ kty, kid }) => kid ?? kty) }),
    ...(workload !== undefined && { workload: Object.values(workload) }),
    icon: app.client.iconHash !== null,
    ...secret,
  })
}
