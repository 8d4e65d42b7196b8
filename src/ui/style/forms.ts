/** Forms, fields, buttons and alerts. */
import { html as css } from "../../kernel/html.ts"

export const forms = css`
  .stack > * + * {
    margin-top: var(--s5);
  }
  label {
    display: block;
    font-weight: 600;
    font-size: var(--small);
  }
  input,
  select {
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
  input:focus-visible {
    outline-offset: -1px;
    border-color: transparent;
  }
  input[aria-invalid] {
    border-color: var(--wrong-ink);
  }
  .problem {
    color: var(--wrong-ink);
    font-size: var(--small);
    white-space: pre-line;
  }
  .alert {
    display: flex;
    gap: var(--s3);
    padding: var(--s3) var(--s4);
    border: 1px solid var(--wrong-line);
    border-radius: var(--round);
    background: var(--wrong);
    color: var(--wrong-ink);
    font-size: var(--small);
  }
  .done {
    display: flex;
    gap: var(--s3);
    padding: var(--s3) var(--s4);
    border-radius: var(--round);
    background: var(--sunken);
    font-size: var(--small);
  }
  .done .icon {
    color: var(--accent);
  }
  .icon {
    width: 1.25rem;
    height: 1.25rem;
    margin-top: 0.125rem;
  }
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    min-height: 3rem;
    padding: var(--s2) var(--s5);
    border: 1px solid transparent;
    border-radius: var(--round);
    font: inherit;
    font-weight: 600;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
    transition: background-color 120ms ease-out;
  }
  .primary {
    background: var(--accent);
    color: var(--on-accent);
  }
  .primary:hover {
    background: var(--accent-over);
  }
  .stack .primary {
    width: 100%;
  }
  .quiet,
  .button {
    border-color: var(--edge);
    background: transparent;
    color: var(--ink);
  }
  .quiet:hover,
  .button:hover {
    background: var(--sunken);
  }
  .danger {
    border-color: var(--wrong-line);
    background: var(--wrong);
    color: var(--wrong-ink);
  }
  .danger:hover {
    border-color: currentColor;
  }
  .link {
    min-height: 2.75rem;
    margin: -0.6rem -0.25rem;
    padding: 0 var(--s1);
    border: 0;
    background: none;
    color: var(--link);
    font-size: inherit;
    font-weight: 500;
    text-decoration: underline;
    text-underline-offset: 0.2em;
  }
  .sign-out {
    display: inline-block;
  }
`
