/** What an administrator does to an app in the console. */
import {
  type App,
  type AppWithSecret,
  findApp,
  removeApp,
  rotateAppSecret,
  setAppEnabled,
  updateApp,
} from "../app.ts"
import { previewAppEnd } from "../preview.ts"
import { showSecret } from "./app-form.endpoint.ts"
import { type ConfirmedAction, deedPages } from "../../console/confirmed-actions.endpoint.ts"

type Done = App | AppWithSecret

const actions: ReadonlyMap<string, ConfirmedAction<Done, "app">> = new Map<
  string,
  ConfirmedAction<Done, "app">
>([
  [
    "disable",
    {
      title: "Disable",
      lead: "The app gets no tokens, and those that it holds do not work, until it is enabled again.",
      button: "Disable the app",
      isDangerous: true,
      effect: "app.disable",
      preview: (services, id) => previewAppEnd(services, id, "disabled"),
      run: (services, id, from) => setAppEnabled(services, id, false, from),
      done: "disabled",
    },
  ],
  [
    "enable",
    {
      title: "Enable",
      lead: "The app and what it holds work again.",
      button: "Enable the app",
      isDangerous: false,
      effect: "app.enable",
      run: (services, id, from) => setAppEnabled(services, id, true, from),
      done: "enabled",
    },
  ],
  [
    "allow-step-up",
    {
      title: "Allow step-up for",
      lead: "Before something serious, the app may send the people who use it to this service to prove a second factor.",
      button: "Allow step-up",
      isDangerous: false,
      effect: "app.change",
      run: (services, id, from) => updateApp(services, id, { stepUp: true }, from),
      done: "allow-step-up",
    },
  ],
  [
    "withdraw-step-up",
    {
      title: "Withdraw step-up from",
      lead: "The app can no longer ask for a step-up, so what needs one is refused to it. What is elevated now stays so until its time is over.",
      button: "Withdraw step-up",
      isDangerous: true,
      effect: "app.change",
      run: (services, id, from) => updateApp(services, id, { stepUp: false }, from),
      done: "withdraw-step-up",
    },
  ],
  [
    "remove",
    {
      title: "Remove",
      lead: "The app is gone for good, and everything that it holds is revoked. Nothing brings it back; people would have to let a new one in.",
      button: "Remove the app for good",
      isDangerous: true,
      effect: "app.remove",
      preview: (services, id) => previewAppEnd(services, id, "removed"),
      run: removeApp,
      done: "removed",
    },
  ],
  [
    "secret",
    {
      title: "A new secret for",
      lead: "The old secret stops working at once: until the app’s server has the new one, it can neither refresh nor sign anybody in. What people let in stays.",
      button: "Make a new secret",
      isDangerous: true,
      effect: "app.make-secret",
      isOnce: true,
      run: rotateAppSecret,
      done: "saved",
    },
  ],
])

export const appDeeds = deedPages({
  of: "app",
  nameless: "an app without a name",
  nameOf: async (services, id) => {
    const found = await findApp(services, id)
    return found.ok ? found.value.client.name : null
  },
  byName: actions,
  show: (context, reply, visit, app) =>
    "secret" in app && app.secret !== null
      ? showSecret(context, reply, visit, app.client, app.secret, false)
      : null,
})
