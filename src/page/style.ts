/**
 * The one style sheet, inline in every page, so that a page is one response. Whoever sends a page puts the SHA-256 of
 * `styleText` into the `style-src` of its content policy. Tokens first, then elements, then parts from top to bottom.
 */
import { html as css } from "../kernel/html.ts"
import { account } from "./style/account.ts"
import { consent } from "./style/consent.ts"
import { decision } from "./style/decision.ts"
import { elements } from "./style/elements.ts"
import { forms } from "./style/forms.ts"
import { frame } from "./style/frame.ts"
import { ownApp } from "./style/own-app.ts"
import { refusals } from "./style/refusals.ts"
import { security } from "./style/security.ts"
import { signedIn } from "./style/signed-in.ts"
import { surroundings } from "./style/surroundings.ts"
import { tokens } from "./style/tokens.ts"

export const style = css`
  ${tokens}${elements}${frame}${forms}${consent}${decision}${account}${security}${surroundings}${signedIn}${ownApp}
  ${refusals}
`

/** Exactly what stands between the tags of the style element. */
export const styleText: string = style.toString()
