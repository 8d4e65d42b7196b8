/** Security, devices and step-up. */
import { html as css } from "../../kernel/html.ts"

export const security = css`
  [hidden] {
    display: none !important;
  }
  a {
    color: var(--link);
    text-underline-offset: 0.2em;
  }
  .button {
    color: var(--ink);
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s3);
  }
  section > .note,
  section > form,
  section > .actions,
  section > .factors {
    margin-top: var(--s3);
  }
  .factors > li {
    display: flex;
    align-items: baseline;
    justify-content: space-between;
    gap: var(--s4);
    padding: var(--s4) 0;
    border-bottom: 1px solid var(--line);
  }
  .factors a,
  .who a {
    flex: none;
    white-space: nowrap;
  }
  .factors h3 {
    font-size: var(--body);
  }
  .stack > input[type="hidden"] + * {
    margin-top: 0;
  }
  .passkey button,
  .other button {
    width: 100%;
  }
  .stack .quiet {
    width: 100%;
  }
  summary {
    min-height: 2.75rem;
    padding: var(--s2) 0;
    color: var(--link);
    font-size: var(--small);
    font-weight: 500;
    cursor: pointer;
  }
  .other > .stack {
    margin-top: var(--s2);
  }
  figure {
    margin: 0;
  }
  .enrol {
    display: flex;
    flex-direction: column;
    align-items: flex-start;
    gap: var(--s4);
  }
  .enrol figcaption > * {
    display: block;
    margin-top: var(--s2);
  }
  .qr {
    width: min(100%, 15rem);
    height: auto;
    border: 1px solid var(--line);
    border-radius: var(--round);
  }
  .enrol .secret {
    text-align: left;
  }
  .secret {
    padding: var(--s3);
    text-align: center;
    user-select: all;
  }
  input.code {
    font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
    font-size: var(--large);
    letter-spacing: 0.08em;
  }
  .compare {
    display: flex;
    flex-direction: column;
    gap: var(--s2);
    padding: var(--s4);
    border: 1px solid var(--line);
    border-radius: var(--round);
  }
  .user-code {
    text-align: center;
  }
  .user-code code {
    font-size: 1.75rem;
    font-weight: 600;
    letter-spacing: 0.12em;
    white-space: nowrap;
  }
  .says {
    margin: var(--s4) 0;
    padding: var(--s2) var(--s4);
    border-left: 3px solid var(--line);
  }
  .codes {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr));
    gap: var(--s2);
  }
  .codes code {
    display: block;
    padding: var(--s2);
    text-align: center;
    user-select: all;
  }
`
