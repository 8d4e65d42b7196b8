/** The console: heads of pages, facts, cards, what was done a moment ago. */
import { html as css } from "../../kernel/html.ts"

export const consoleFrame = css`
  .console > * + *,
  .console .block > * + * {
    margin-top: var(--s5);
  }
  .console.narrow {
    max-width: 42rem;
  }
  .console.narrow > * {
    max-width: none;
  }
  .console a {
    color: var(--link);
    text-underline-offset: 0.2em;
  }
  .console .button,
  .console .tabs a {
    color: var(--ink);
  }
  .heading {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: var(--s2) var(--s5);
  }
  .heading > h1 {
    min-width: 0;
  }
  .heading > .up {
    flex: 1 0 100%;
  }
  .heading h1 .state {
    vertical-align: 0.25em;
  }
  .console .button.primary {
    border-color: transparent;
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  .console .button.primary:hover {
    background: var(--accent-over);
  }
  .console .button.danger {
    color: var(--wrong-ink);
  }
  .up {
    font-size: var(--small);
  }
  .up a::before {
    content: "←\\a0";
  }
  .figures {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr));
    gap: 1px;
    overflow: hidden;
    border: 1px solid var(--line);
    border-radius: var(--round);
    background: var(--line);
  }
  .figures > div {
    display: flex;
    flex-direction: column-reverse;
    justify-content: flex-end;
    padding: var(--s4);
    background: var(--card);
  }
  .figures dt {
    font-size: var(--small);
  }
  .figures dd {
    font-size: var(--title);
    font-weight: 600;
    font-variant-numeric: tabular-nums;
    letter-spacing: -0.015em;
  }
  .sheet-list > div {
    display: grid;
    grid-template-columns: 11rem minmax(0, 1fr);
    gap: var(--s1) var(--s4);
    padding: var(--s3) 0;
    border-bottom: 1px solid var(--line);
    font-size: var(--small);
  }
  .sheet-list > div:first-child {
    border-top: 1px solid var(--line);
  }
  .sheet-list ul > li + li,
  .sheet-list .reasons {
    margin-top: var(--s1);
  }
  .console .block {
    padding-top: var(--s5);
    border-top: 1px solid var(--line);
  }
  .sheet-list + .block {
    padding-top: 0;
    border-top: 0;
  }
  .block > h2 + .note {
    margin-top: var(--s1);
  }
  .console .block > * + .heading + *,
  .console .block > .heading + * {
    margin-top: var(--s4);
  }
  .deeds {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s3);
  }
  .deeds > form {
    display: contents;
  }
  .state {
    display: inline-block;
    padding: 0.0625rem 0.5rem;
    border-radius: 1em;
    background: var(--sunken);
    color: var(--soft);
    font-size: 0.75rem;
    font-weight: 500;
    line-height: 1.25rem;
    letter-spacing: normal;
    white-space: nowrap;
  }
  .mark-good {
    background: var(--good);
    color: var(--good-ink);
  }
  .mark-serious {
    background: var(--serious);
    color: var(--serious-ink);
  }
  .mark-wrong {
    background: var(--wrong);
    color: var(--wrong-ink);
  }
  .takes {
    padding: var(--s4) var(--s5);
    border: 1px solid var(--serious-line);
    border-radius: var(--round);
    background: var(--serious);
    color: var(--serious-ink);
  }
  .takes ul {
    padding-left: 1.1rem;
    list-style: disc;
    font-size: var(--small);
  }
  .takes h2 + ul,
  .takes li + li {
    margin-top: var(--s2);
  }
  .console code.id {
    overflow-wrap: anywhere;
    font-size: 0.8125rem;
  }
  .remedy {
    display: block;
    color: var(--soft);
    font-size: var(--small);
  }
  @media (max-width: 36rem) {
    .sheet-list > div {
      grid-template-columns: 1fr;
    }
    .takes {
      padding: var(--s4);
    }
  }
  @media (forced-colors: active) {
    .state,
    .takes,
    .done {
      border: 1px solid CanvasText;
    }
  }
  @media print {
    .top nav,
    .filters,
    .pager,
    .deeds {
      display: none;
    }
  }
  :root {
    --good: #e6f2ec;
    --good-ink: #14513f;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --good: #18302a;
      --good-ink: #9be0c6;
    }
  }
`
