/** GET /console/settings, GET and POST /console/setting. RATE-3, LIM-7. */
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

export const showSettings = consolePage("/console/settings", async (site, reply, visit) => {
  const settings = await listSettings(site.services)
  return sendConsole(site, reply, renderSettings({ ...frameOf(site, visit), settings }))
})

export const showSetting = provenConsolePage(PATH, async (site, reply, visit) => {
  const found = await findSetting(site.services, fieldOf(visit, "key"))
  if (!found.ok) return notFound(site, reply, visit)
  const setting = found.value
  const page = renderSetting({ ...frameOf(site, visit), setting, typed: setting.value, problem: null })
  return sendConsole(site, reply, page)
})

export const submitSetting = consoleForm(PATH, async (site, reply, visit) => {
  const { services: latchkey } = site
  const found = await findSetting(latchkey, fieldOf(visit, "key"))
  if (!found.ok) return notFound(site, reply, visit)
  const { key } = found.value
  const typed = fieldOf(visit, "value")
  const isBack = fieldOf(visit, "default") !== ""
  const set = isBack
    ? await unsetSetting(latchkey, key, visit.from)
    : await setSetting(latchkey, key, typed, visit.from)
  if (set.ok) return toPage(site, reply, "/console/settings?done=saved")
  // The field stands beside its name already.
  const problem = set.problem.startsWith(`${key}: `) ? set.problem.slice(key.length + 2) : set.problem
  const page = renderSetting({ ...frameOf(site, visit), setting: found.value, typed, problem })
  return sendConsole(site, reply, page, 400)
})
