/** What the commands on apps answer: the registration, as JSON and for people. */
import {
  type RegistrationRecord,
  registrationRecord,
} from "../../oauth/registration/registration-record.rules.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import type { App, AppWithSecret } from "../app.ts"
import type { AppPreview } from "../preview.ts"
import { type Answer, done, refused } from "../../cli/kit/command.ts"
import { type Opened, withStore } from "../../cli/kit/open.ts"
import { previewed } from "../../permissions/preview/preview-flag.ts"
import { facts, instant } from "../../cli/kit/print.ts"
import { program } from "../../cli/kit/program.ts"

export function record({ client, owner }: App): RegistrationRecord {
  return registrationRecord(client, owner)
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
): Promise<Answer> {
  return withStore(globals, "refuse", async (opened) => {
    const answer = await verb(opened)
    return answer.ok ? previewed(record(answer.value.app), answer.value.preview) : refusedOf(id, answer.error)
  })
}

/** Whoever wrote something else for the id of an app is told what it wants. */
export function refusedOf(id: string, problem: string): Answer {
  return isIdentifier(id) ? refused(problem) : refused(problem, `It wants the client_id: ${program} app list`)
}

export function withSecret(app: AppWithSecret, remarks: readonly string[]): Answer {
  const registration = record(app)
  if (app.secret === null) return done(registration, shown(app), ...remarks)
  const secret = { client_secret: app.secret }
  const once = "The secret is shown this once. Keep it where only the app's server reads it."
  return done({ ...registration, ...secret }, shown(app, secret), once, ...remarks)
}

/** People also read whether there is an icon; the JSON is the registration record and nothing else. */
export function shown(app: App, secret: { readonly client_secret?: string } = {}): string {
  const registration = record(app)
  const issued = instant(registration.client_id_issued_at)
  return facts({
    ...registration,
    client_id_issued_at: issued,
    icon: app.client.iconHash !== null,
    ...secret,
  })
}
