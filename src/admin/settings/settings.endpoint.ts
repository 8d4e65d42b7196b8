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

export const showSettings = consolePage("/console/settings", async (context, reply, visit) => {
  const settings = await listSettings(context.services)
  const { providers, mail } = context.services
  const of = { hasProviders: providers.size > 0, sendsMail: mail !== null }
  return sendConsole(context, reply, renderSettings({ ...frameOf(context, visit), settings, ...of }))
})

export const showSetting = provenConsolePage(PATH, async (context, reply, visit) => {
  const found = await findSetting(context.services, fieldOf(visit, "key"))
  if (!found.ok) return notFound(context, reply, visit)
  const setting = found.value
  const page = renderSetting({ ...frameOf(context, visit), setting, typed: setting.value, problem: null })
  return sendConsole(context, reply, page)
})

export const submitSetting = consoleForm(PATH, async (context, reply, visit) => {
  const { services } = context
  const found = await findSetting(services, fieldOf(visit, "key"))
  if (!found.ok) return notFound(context, reply, visit)
  const { key } = found.value
  const typed = fieldOf(visit, "value")
  const isReset = fieldOf(visit, "default") !== ""
  const set = isReset
    ? await unsetSetting(services, key, visit.from)
    : await setSetting(services, key, typed, visit.from)
  if (set.ok) return toPage(context, reply, "/console/settings?done=saved")
  // The page shows the name of the setting already.
  const problem = set.error.startsWith(`${key}: `) ? set.error.slice(key.length + 2) : set.error
  const page = renderSetting({ ...frameOf(context, visit), setting: found.value, typed, problem })
  return sendConsole(context, reply, page, 400)
})
