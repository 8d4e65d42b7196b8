/** The style sheet of the console: that of every page, and behind it what tables and plots need. */
import { html as css } from "../../kernel/html.ts"
import { consoleFrame } from "../style/console-frame.ts"
import { consoleForms } from "../style/console-forms.ts"
import { consoleLists } from "../style/console-lists.ts"
import { consolePlots } from "../style/console-plots.ts"
import { style } from "../style/style.ts"

export const consoleStyle = css`
  ${style}${consoleFrame}${consoleLists}${consoleForms}${consolePlots}
`

/** Exactly what stands between the tags of the style element. */
export const consoleStyleText: string = consoleStyle.toString()
