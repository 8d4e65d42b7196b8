/** Forms of the console: choices, lists of choices, long texts, explanations beside a field. */
import { html as css } from "../html.ts"

export const consoleForms = css`
  select,
  textarea {
    display: block;
    width: 100%;
    min-height: 3rem;
    margin-top: var(--s2);
    padding: 0 var(--s3);
    border: 1px solid var(--edge);
    border-radius: var(--round);
    background: var(--card);
    color: inherit;
    font: inherit;
  }
  textarea {
    padding: var(--s2) var(--s3);
    font-size: var(--small);
    resize: vertical;
  }
  select:focus-visible,
  textarea:focus-visible {
    outline-offset: -1px;
    border-color: transparent;
  }
  textarea[aria-invalid] {
    border-color: var(--wrong-ink);
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0;
    font-weight: 600;
    font-size: var(--small);
  }
  .choices {
    margin-top: var(--s2);
    border: 1px solid var(--line);
    border-radius: var(--round);
  }
  .choices > li + li {
    border-top: 1px solid var(--line);
  }
  .choice {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0 var(--s3);
    padding: var(--s3) var(--s4);
    font-weight: 400;
    cursor: pointer;
  }
  .choice:hover {
    background: var(--sunken);
  }
  .choice input {
    width: 1.25rem;
    min-height: 1.25rem;
    height: 1.25rem;
    margin: 0.125rem 0 0;
    accent-color: var(--accent);
  }
  .choice .note {
    display: block;
    grid-column: 2;
  }
  .choice strong {
    font-weight: 500;
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
    .console .stack .primary,
    .console .stack .danger {
      width: 100%;
    }
  }
`
