/** The account page. */
import { html as css } from "../../kernel/html.ts"

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
  .opening .lead {
    margin-top: var(--s2);
  }
  .app-group {
    padding-top: var(--s5);
    border-top: 1px solid var(--line);
  }
  .app-line {
    display: flex;
    align-items: center;
    gap: var(--s4);
  }
  .app-line > div {
    min-width: 0;
  }
  .app-line .tile {
    width: 2.75rem;
    height: 2.75rem;
    border-radius: 0.7rem;
  }
  .aside-note {
    margin-top: var(--s3);
  }
  .app-group > .actions {
    margin-top: var(--s3);
  }
  .app-group .accesses,
  .app-group > .note,
  .subject > :not(.app-line) {
    margin-left: 3.75rem;
  }
  .access {
    position: relative;
    padding: var(--s4) 0;
  }
  .access + .access {
    border-top: 1px solid var(--line);
  }
  .app-group .access:last-child {
    padding-bottom: 0;
  }
  .access h2,
  .access h3 {
    padding-right: 6rem;
    font-size: var(--small);
  }
  .end {
    position: absolute;
    top: var(--s4);
    right: 0;
    font-size: var(--small);
    white-space: nowrap;
  }
  .end .link {
    margin-top: -0.6rem;
  }
  .here {
    border-color: currentColor;
    color: var(--accent);
  }
  .subject {
    padding: var(--s4);
    border: 1px solid var(--line);
    border-radius: var(--round);
  }
  .subject > p:not(:first-child) {
    margin-top: var(--s2);
  }
  .opening .gone {
    margin-top: var(--s3);
  }
  .day h2 {
    padding-bottom: var(--s2);
    border-bottom: 1px solid var(--line);
    color: var(--soft);
    font-size: var(--small);
  }
  .happened > li {
    display: grid;
    grid-template-columns: 3rem minmax(0, 1fr);
    gap: var(--s3);
    padding: var(--s3) 0;
  }
  .happened .time {
    color: var(--soft);
    font-size: var(--tiny);
    font-variant-numeric: tabular-nums;
    line-height: 1.5rem;
  }
  .capital::first-letter {
    text-transform: uppercase;
  }
  .happened .name {
    font-weight: 600;
  }
  .happened .serious {
    margin: var(--s1) calc(-1 * var(--s3));
    padding: var(--s3);
    border-radius: var(--round);
    background: var(--serious);
    color: var(--serious-ink);
  }
  .serious .note,
  .serious .time {
    color: inherit;
  }
  .pages {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s3) var(--s5);
    padding-top: var(--s4);
    border-top: 1px solid var(--line);
    font-size: var(--small);
  }
  .column .buttons > * {
    flex: 0 1 14rem;
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
  .repeated {
    margin-top: var(--s3);
    padding: var(--s3);
    border-radius: var(--round);
    background: var(--serious);
    color: var(--serious-ink);
    font-size: var(--tiny);
  }
  .dates {
    display: grid;
    grid-template-columns: 4.5rem 10.25rem 6.5rem minmax(0, 1fr);
    gap: var(--s1) var(--s2);
    margin-top: var(--s3);
    font-size: var(--tiny);
  }
  .dates > div {
    display: contents;
  }
  .dates dd {
    min-width: 0;
  }
  .decision .buttons:last-child {
    margin-bottom: 0;
  }
  @media (max-width: 36rem) {
    .app-group .accesses,
    .app-group > .note,
    .subject > :not(.app-line) {
      margin-left: 0;
    }
    .dates {
      grid-template-columns: 6.5rem minmax(0, 1fr);
    }
    .column .buttons > * {
      flex: none;
    }
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
