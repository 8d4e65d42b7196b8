/**
 * The one style sheet, inline in every page, so that a page is one response. Whoever sends a page puts the SHA-256 of
 * `styleText` into the `style-src` of its content policy. Tokens first, then elements, then parts from top to bottom.
 */
import { html as css } from "../../kernel/html.ts"
import { account } from "./account.ts"
import { consent } from "./consent.ts"
import { decision } from "./decision.ts"
import { elements } from "./elements.ts"
import { forms } from "./forms.ts"
import { frame } from "./frame.ts"
import { ownApp } from "./own-app.ts"
import { refusals } from "./refusals.ts"
import { security } from "./security.ts"
import { signedIn } from "./signed-in.ts"
import { surroundings } from "./surroundings.ts"
import { tokens } from "./tokens.ts"

export const style = css`
  ${tokens}${elements}${frame}${forms}${consent}${decision}${account}${security}${surroundings}${signedIn}${ownApp}
  ${refusals}
`

/** Exactly what stands between the tags of the style element. */
export const styleText: string = style.toString()
