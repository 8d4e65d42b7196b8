/** The list of refused requests of an app. */
import { html as css } from "../../kernel/html.ts"

export const refusals = css`
  .refusals {
    list-style: none;
    margin: var(--s3) 0 0;
    padding: 0;
    font-size: var(--small);
  }
  .refusals > li {
    padding: var(--s2) 0;
    border-top: 1px solid var(--line);
  }
  .refusals p {
    margin: 0;
  }
  .refusals code {
    overflow-wrap: anywhere;
  }
`
