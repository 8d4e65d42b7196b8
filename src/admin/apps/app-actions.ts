/** Confirmed actions on an app in the console. */
import {
  type App,
  type AppWithSecret,
  findApp,
  type Manager,
  removeApp,
  rotateAppSecret,
  setAppEnabled,
  updateApp,
} from "../../apps/app.ts"
import { previewAppEnd } from "../../apps/preview.ts"
import { type ConfirmedAction, actionPages } from "../console/confirmed-actions.endpoint.ts"
import { actionWords } from "../../apps/pages/action-words.ts"
import { administratorFrame } from "./administrator-frame.ts"
import { documentActions } from "./document-actions.ts"
import { connectionOf } from "../../apps/pages/app-request.ts"
import type { AppAction } from "../../apps/pages/app-page.ts"
import { renderSecret } from "../../apps/pages/secret.view.ts"
import type { Actor } from "../../model/event.rules.ts"

type Done = App | AppWithSecret

const asAdministrator = (from: Actor): Manager => ({ ...from, owner: null })

const actions: { readonly [A in AppAction]: ConfirmedAction<Done, "app"> } = {
  disable: {
    ...actionWords.disable,
    effect: "app.disable",
    preview: (services, id) => previewAppEnd(services, id, "disabled", { owner: null }),
    run: (services, id, from) => setAppEnabled(services, id, false, asAdministrator(from)),
    done: "disabled",
  },
  enable: {
    title: "Enable",
    lead: "The app and its credentials work again.",
    button: "Enable",
    isDangerous: false,
    effect: "app.enable",
    run: (services, id, from) => setAppEnabled(services, id, true, asAdministrator(from)),
    done: "enabled",
  },
  "allow-step-up": {
    title: "Allow step-up for",
    lead: "Before something serious, the app may send people here to prove a second factor.",
    button: "Allow step-up",
    isDangerous: false,
    effect: "app.change",
    run: (services, id, from) => updateApp(services, id, { stepUp: true }, asAdministrator(from)),
    done: "allow-step-up",
  },
  "withdraw-step-up": {
    title: "Withdraw step-up from",
    lead: "The app can no longer ask for a step-up, so it is refused everything that needs one. Credentials that are elevated now stay elevated until their time ends.",
    button: "Withdraw step-up",
    isDangerous: true,
    effect: "app.change",
    run: (services, id, from) => updateApp(services, id, { stepUp: false }, asAdministrator(from)),
    done: "withdraw-step-up",
  },
  remove: {
    ...actionWords.remove,
    effect: "app.remove",
    preview: (services, id) => previewAppEnd(services, id, "removed", { owner: null }),
    run: (services, id, from) => removeApp(services, id, asAdministrator(from)),
    done: "removed",
  },
  secret: {
    ...actionWords.secret,
    effect: "app.make-secret",
    isOnce: true,
    run: (services, id, from) => rotateAppSecret(services, id, asAdministrator(from)),
    done: "saved",
  },
}

export const { get: showAppAction, post: submitAppAction } = actionPages({
  of: "app",
  nameless: "an app without a name",
  nameOf: async (services, id) => {
    const found = await findApp(services, id)
    return found.ok ? found.value.client.name : null
  },
  byName: new Map<string, ConfirmedAction<Done, "app">>(Object.entries({ ...actions, ...documentActions })),
  show: (request, app) => {
    if (!("secret" in app) || app.secret === null) return null
    const { clientId, name } = app.client
    const view = administratorFrame(request.frame)
    const { secret } = app
    const page = {
      ...view,
      clientId,
      name,
      secret,
      isNewApp: false,
      connection: connectionOf(request.context),
    }
    return request.send(renderSecret(page))
  },
})
