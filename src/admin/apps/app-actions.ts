/** Confirmed actions on an app in the console. */
import { type App, type AppWithSecret, findApp } from "../../apps/app.ts"
import { previewAppEnd } from "../../apps/preview.ts"
import { type ConfirmedAction, actionPages } from "../console/confirmed-actions.endpoint.ts"
import { actionWords } from "./action-words.ts"
import { appActions } from "../../apps/pages/app-actions.ts"
import { administratorFrame } from "./administrator-frame.ts"
import { documentActions } from "./document-actions.ts"
import { connectionOf } from "../../apps/pages/app-request.ts"
import type { AppAction } from "../../apps/pages/app-page.ts"
import { renderSecret } from "../../apps/pages/secret.view.ts"

type Done = App | AppWithSecret
type Action = ConfirmedAction<Done, "app">

/** The actions of both doors, as an administrator does them. */
const actions = Object.entries(appActions).map(([name, { ends, run, ...row }]): readonly [string, Action] => [
  name,
  {
    ...actionWords[name as AppAction],
    ...row,
    ...(ends !== undefined && {
      preview: (services, id) => previewAppEnd(services, id, ends, { owner: null }),
    }),
    run: (services, id, from) => run(services, id, { ...from, owner: null }),
  },
])

export const { get: showAppAction, post: submitAppAction } = actionPages({
  of: "app",
  nameless: "an app without a name",
  nameOf: async (services, id) => {
    const found = await findApp(services, id)
    return found.ok ? found.value.client.name : null
  },
  byName: new Map<string, Action>([...actions, ...Object.entries(documentActions)]),
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
