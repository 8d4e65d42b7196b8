/** Settings in the JSON of the API. */
import { flag, type Parsed, record, text } from "../../platform/json/shape.rules.ts"

export const settingShape = record("Setting", {
  key: text("The name of the setting.", "token.access_seconds"),
  value: text("The current value.", "3600"),
  default: text("The default value.", "3600"),
  is_default: flag("Whether the value is the default."),
  explanation: text("What it means.", "How many seconds an access token lives."),
})

export type SettingRecord = Parsed<typeof settingShape>

export const settingValue = record("SettingValue", {
  value: text("The value as text.", "3600", { most: 10_000 }),
})
