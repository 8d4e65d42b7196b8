/** GET /console/settings; GET and POST /console/setting. RATE-3, LIM-7. */
import { renderSetting, renderSettings } from "./settings.view.ts"
import { findSetting, listSettings, setSetting, unsetSetting } from "./setting.ts"
import { consoleForm, consolePage, provenConsolePage } from "../console/console-page.ts"

const PATH = "/console/setting"

export const showSettings = consolePage("/console/settings", async (request) => {
  const settings = await listSettings(request.services)
  const { providers, mail } = request.services
  const of = { hasProviders: providers.size > 0, sendsMail: mail !== null }
  return request.send(renderSettings({ ...request.frame, settings, ...of }))
})

export const showSetting = provenConsolePage(PATH, async (request) => {
  const found = await findSetting(request.services, request.field("key"))
  if (!found.ok) return request.notFound()
  const setting = found.value
  const page = renderSetting({ ...request.frame, setting, typed: setting.value, problem: null })
  return request.send(page)
})

export const submitSetting = consoleForm(PATH, async (request) => {
  const { services } = request
  const found = await findSetting(services, request.field("key"))
  if (!found.ok) return request.notFound()
  const { key } = found.value
  const typed = request.field("value")
  const isReset = request.field("default") !== ""
  const set = isReset
    ? await unsetSetting(services, key, request.from)
    : await setSetting(services, key, typed, request.from)
  if (set.ok) return request.redirect("/console/settings?done=saved")
  // The page shows the name of the setting already.
  const problem = set.error.startsWith(`${key}: `) ? set.error.slice(key.length + 2) : set.error
  const page = renderSetting({ ...request.frame, setting: found.value, typed, problem })
  return request.send(page, 400)
})
