/** The pages of one's own apps. */
import { html as css } from "../../kernel/html.ts"

export const ownApp = css`
  textarea {
    display: block;
    width: 100%;
    margin-top: var(--s2);
    padding: var(--s2) var(--s3);
    border: 1px solid var(--edge);
    border-radius: var(--round);
    background: var(--card);
    color: inherit;
    font: inherit;
    font-size: var(--small);
    resize: vertical;
  }
  textarea[aria-invalid] {
    border-color: var(--wrong-ink);
  }
  input[type="file"] {
    padding: var(--s3);
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .ceiling > * + * {
    margin-top: var(--s3);
  }
  .ceiling h2,
  legend {
    padding: 0;
    font-size: var(--small);
    font-weight: 600;
  }
  .ceiling legend {
    color: var(--soft);
    font-size: var(--tiny);
  }
  .options {
    margin-top: var(--s2);
    border: 1px solid var(--line);
    border-radius: var(--round);
  }
  .options > li + li {
    border-top: 1px solid var(--line);
  }
  .option {
    position: relative;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0 var(--s3);
    padding: var(--s3) var(--s4);
  }
  .option input {
    position: relative;
    z-index: 1;
    width: 1.25rem;
    height: 1.25rem;
    min-height: 0;
    margin: 0.1rem 0 0;
    accent-color: var(--accent);
  }
  .option label {
    font-weight: 500;
  }
  .option label::after {
    content: "";
    position: absolute;
    inset: 0;
    cursor: pointer;
  }
  .option .note {
    grid-column: 2;
  }
  .column .stack .primary,
  .column .stack .quiet {
    width: auto;
  }
  .who.plain {
    align-items: center;
    padding-bottom: 0;
    border: 0;
  }
  .own-apps > li {
    padding: var(--s4) 0;
    border-top: 1px solid var(--line);
  }
  .own-apps > li:last-child {
    padding-bottom: 0;
  }
  .first-line .tile {
    width: 3.5rem;
    height: 3.5rem;
    border-radius: 0.875rem;
  }
  .app-line .tile + div {
    margin-top: 0;
  }
  .facts.long dd {
    display: block;
    min-width: 0;
  }
  .facts.long .chips {
    margin-top: 0;
  }
  .addresses > li + li {
    margin-top: var(--s1);
  }
  .copied {
    user-select: all;
  }
  .administration code.secret {
    display: block;
    margin-top: var(--s3);
    background: var(--card);
    font-size: var(--small);
  }
  .figures {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s3) var(--s6);
    margin-top: var(--s3);
  }
  .figures > div {
    display: flex;
    flex-direction: column-reverse;
  }
  .figures dt {
    font-size: var(--tiny);
  }
  .figures dd {
    font-size: var(--large);
    font-variant-numeric: tabular-nums;
    font-weight: 600;
  }
  section > .findings,
  .figures + .note {
    margin-top: var(--s4);
  }
  .findings > li {
    padding: var(--s3) var(--s4);
    border-left: 3px solid var(--serious-line);
    background: var(--sunken);
    font-size: var(--small);
  }
  .findings > li + li,
  .losses > li + li {
    margin-top: var(--s2);
  }
  .losses > li {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 var(--s4);
    padding: var(--s3) var(--s4);
    border: 1px solid var(--line);
    border-radius: var(--round);
  }
  .icons {
    display: flex;
    gap: var(--s6);
  }
  .icons .tile {
    margin-bottom: var(--s2);
  }
  .icons figcaption {
    text-align: center;
  }
  @media (max-width: 36rem) {
    .who.plain {
      flex-wrap: wrap;
    }
    .facts.long > div {
      grid-template-columns: 1fr;
      gap: var(--s1);
    }
    .column .stack .primary,
    .column form:not(.sign-out):not(.end) > .quiet,
    .column form > .danger {
      width: 100%;
    }
  }
`
