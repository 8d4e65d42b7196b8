/** Confirmed actions on an app: one set for both doors, "My apps" and the console. SVC-7, SVC-8. */
import type { FormEffect } from "../../accounts/elevation.rules.ts"
import type { Problem, Result } from "../../kernel/result.ts"
import type { Services } from "../../platform/services/services.ts"
import {
  type App,
  type AppWithSecret,
  type Manager,
  removeApp,
  rotateAppSecret,
  setAppEnabled,
  updateApp,
} from "../app.ts"
import type { AppAction } from "./app-page.ts"

type Row = {
  readonly effect: FormEffect<"/console/app/act">
  readonly run: (services: Services, id: string, by: Manager) => Promise<Result<App | AppWithSecret, Problem>>
  /** The name of the notice on the next page. */
  readonly done: string
  /** How the action ends all access, if it does. */
  readonly ends?: "disabled" | "removed"
  /** Whether the form works only once. A repetition would change something else. */
  readonly isOnce?: true
}

/** The two actions on step-up belong to administrators. An owner's form of the app has this switch. */
export const appActions: Readonly<Record<AppAction, Row>> = {
  disable: {
    effect: "app.disable",
    run: (services, id, by) => setAppEnabled(services, id, false, by),
    done: "disabled",
    ends: "disabled",
  },
  enable: {
    effect: "app.enable",
    run: (services, id, by) => setAppEnabled(services, id, true, by),
    done: "enabled",
  },
  "allow-step-up": {
    effect: "app.change",
    run: (services, id, by) => updateApp(services, id, { stepUp: true }, by),
    done: "allow-step-up",
  },
  "withdraw-step-up": {
    effect: "app.change",
    run: (services, id, by) => updateApp(services, id, { stepUp: false }, by),
    done: "withdraw-step-up",
  },
  remove: { effect: "app.remove", run: removeApp, done: "removed", ends: "removed" },
  secret: { effect: "app.make-secret", run: rotateAppSecret, done: "saved", isOnce: true },
}
