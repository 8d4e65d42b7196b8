/** The account page. */
import { html as css } from "../html.ts"

export const account = css`
  .who {
    display: flex;
    align-items: flex-start;
    justify-content: space-between;
    gap: var(--s4);
    padding-bottom: var(--s5);
    border-bottom: 1px solid var(--line);
  }
  .empty {
    margin-top: var(--s4);
    padding: var(--s6) var(--s5);
    border-radius: var(--round);
    background: var(--sunken);
    text-align: center;
  }
  .access {
    display: flex;
    gap: var(--s4);
    padding: var(--s5) 0;
  }
  .access + .access {
    border-top: 1px solid var(--line);
  }
  .access:last-child {
    padding-bottom: 0;
  }
  .access > div {
    min-width: 0;
  }
  .access .tile {
    width: 2.75rem;
    height: 2.75rem;
    border-radius: 0.7rem;
  }
  .access h3 {
    font-size: var(--body);
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s2);
    margin-top: var(--s3);
  }
  .chips > li {
    padding: 0.125rem 0.625rem;
    border-radius: 1em;
    background: var(--sunken);
    font-size: var(--tiny);
  }
  .chips > .admin {
    background: var(--serious);
    color: var(--serious-ink);
  }
  .dates {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s1) var(--s5);
    margin-top: var(--s3);
    font-size: var(--tiny);
  }
  .dates > div {
    display: flex;
    gap: var(--s2);
  }
  .next {
    padding-top: var(--s5);
    border-top: 1px solid var(--line);
  }
  .steps {
    margin-top: var(--s3);
    color: var(--soft);
    font-size: var(--small);
    counter-reset: step;
  }
  .steps > li {
    display: flex;
    gap: var(--s3);
    counter-increment: step;
  }
  .steps > li + li {
    margin-top: var(--s2);
  }
  .steps code {
    white-space: nowrap;
  }
  .steps > li::before {
    content: counter(step);
    flex: none;
    width: 1.5rem;
    height: 1.5rem;
    border-radius: 50%;
    background: var(--sunken);
    font-size: var(--tiny);
    line-height: 1.5rem;
    text-align: center;
  }
`
