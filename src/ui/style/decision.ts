/**
 * CONSENT-3: a click that began on another window presses no button of a decision. Where the pointer hovers, the buttons
 * accept it only after it has been over the page for half a second. Keyboard and touch are unaffected.
 */
import { html as css } from "../../kernel/html.ts"

export const decision = css`
  @media (hover: hover) and (pointer: fine) {
    .decides form:not(.sign-out) button {
      pointer-events: none;
    }
    :root:hover .decides form:not(.sign-out) button {
      pointer-events: auto;
      animation: refuse-pointer 0.5s;
    }
  }
  @keyframes refuse-pointer {
    from,
    to {
      pointer-events: none;
    }
  }
`
