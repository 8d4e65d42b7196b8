/** Forms of the console: choices, lists of choices, long texts, explanations beside a field. */
import { html as css } from "../../kernel/html.ts"

export const consoleForms = css`
  select:focus-visible,
  textarea:focus-visible {
    outline-offset: -1px;
    border-color: transparent;
  }
  .console .option:hover {
    background: var(--sunken);
  }
  fieldset.administration {
    margin-top: var(--s4);
  }
  fieldset + fieldset {
    margin-top: var(--s4);
  }
  .console .stack .primary,
  .console .stack .quiet,
  .console .stack .danger {
    width: auto;
  }
  .console .stack .link {
    width: auto;
  }
  .console input[type="file"] {
    padding: var(--s2) var(--s3);
  }
  @media (max-width: 36rem) {
    .console form.stack .primary,
    .console form.stack .danger,
    .console form.stack .quiet,
    .console form.stack .deeds > .button,
    .console.narrow > form > .quiet,
    .console.narrow > .deeds > .button {
      width: 100%;
    }
  }
`
