/** GET /console/settings; GET and POST /console/setting. RATE-3, LIM-7. */
import { renderSetting, renderSettings } from "./settings.view.ts"
import { findSetting, listSettings, setSetting, unsetSetting } from "./setting.ts"
import {
  consoleForm,
  consolePage,
  fieldOf,
  frameOf,
  notFound,
  provenConsolePage,
  sendConsole,
  toPage,
} from "../console/console-page.ts"

const PATH = "/console/setting"

export const showSettings = consolePage("/console/settings", async (context, reply, request) => {
  const settings = await listSettings(context.services)
  const { providers, mail } = context.services
  const of = { hasProviders: providers.size > 0, sendsMail: mail !== null }
  return sendConsole(context, reply, renderSettings({ ...frameOf(context, request), settings, ...of }))
})

export const showSetting = provenConsolePage(PATH, async (context, reply, request) => {
  const found = await findSetting(context.services, fieldOf(request, "key"))
  if (!found.ok) return notFound(context, reply, request)
  const setting = found.value
  const page = renderSetting({ ...frameOf(context, request), setting, typed: setting.value, problem: null })
  return sendConsole(context, reply, page)
})

export const submitSetting = consoleForm(PATH, async (context, reply, request) => {
  const { services } = context
  const found = await findSetting(services, fieldOf(request, "key"))
  if (!found.ok) return notFound(context, reply, request)
  const { key } = found.value
  const typed = fieldOf(request, "value")
  const isReset = fieldOf(request, "default") !== ""
  const set = isReset
    ? await unsetSetting(services, key, request.from)
    : await setSetting(services, key, typed, request.from)
  if (set.ok) return toPage(context, reply, "/console/settings?done=saved")
  // The page shows the name of the setting already.
  const problem = set.error.startsWith(`${key}: `) ? set.error.slice(key.length + 2) : set.error
  const page = renderSetting({ ...frameOf(context, request), setting: found.value, typed, problem })
  return sendConsole(context, reply, page, 400)
})
