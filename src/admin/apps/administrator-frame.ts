/** The frame of app pages in the console. */
import {
  type ConsoleInput,
  heading as consoleHeading,
  renderConsole,
  upTo,
} from "../../platform/ui/console/frame.ts"
import { type AppPageInput, administratorPaths } from "../../apps/pages/app-page.ts"
import { html } from "../../kernel/html.ts"

export function administratorFrame(input: ConsoleInput): AppPageInput {
  const { basePath } = input
  return {
    ...input,
    paths: administratorPaths,
    isAdministrators: true,
    frame: ({ title, heading, beside, up, main, isNarrow = false }) => {
      const above = up === undefined ? false : upTo(basePath, up.path, up.label)
      const page = html`${consoleHeading(html`${heading}`, beside ?? false, above)} ${main}`
      return renderConsole(input, { title, place: "apps", main: page, narrow: isNarrow })
    },
  }
}
