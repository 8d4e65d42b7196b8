/** The consent page and its permissions. */
import { html as css } from "../../kernel/html.ts"

export const consent = css`
  .facts {
    border: 1px solid var(--line);
    border-radius: var(--round);
    font-size: var(--small);
  }
  .facts > div {
    display: grid;
    grid-template-columns: 5.5rem 1fr;
    align-items: baseline;
    gap: var(--s3);
    padding: var(--s3) var(--s4);
  }
  .facts dd {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    column-gap: var(--s4);
  }
  .facts > div + div {
    border-top: 1px solid var(--line);
  }
  dt,
  .aside {
    color: var(--soft);
  }
  .unchecked {
    display: flex;
    align-items: baseline;
    gap: var(--s2);
    color: var(--serious-ink);
    font-weight: 600;
  }
  .unchecked .icon {
    align-self: flex-start;
  }
  .granted h3 {
    margin-top: var(--s4);
    color: var(--soft);
    font-size: var(--tiny);
  }
  .permissions {
    margin-top: var(--s3);
  }
  .permissions > li {
    display: flex;
    gap: var(--s3);
  }
  .permissions > li + li {
    margin-top: var(--s3);
  }
  .permissions .icon {
    color: var(--accent);
  }
  .permission {
    font-weight: 500;
  }
  .tag {
    display: inline-block;
    padding: 0 0.5em;
    border: 1px solid var(--line);
    border-radius: 1em;
    color: var(--soft);
    font-size: 0.75rem;
    font-weight: 400;
    line-height: 1.5;
    white-space: nowrap;
  }
  .administration,
  .refused {
    padding: var(--s5);
    border-radius: var(--round);
  }
  .administration {
    border: 1px solid var(--serious-line);
    background: var(--serious);
  }
  .administration h2 {
    display: flex;
    gap: var(--s2);
    color: var(--serious-ink);
  }
  .administration > p {
    margin-top: var(--s2);
    font-size: var(--small);
  }
  .administration .icon {
    color: var(--serious-ink);
  }
  .administration .note {
    color: inherit;
  }
  .refused {
    background: var(--sunken);
  }
  .refused > .note {
    margin-top: var(--s1);
  }
  .refused .permissions,
  .refused .icon {
    color: var(--soft);
  }
  .decision {
    padding-top: var(--s5);
    border-top: 1px solid var(--line);
  }
  .buttons {
    display: flex;
    gap: var(--s3);
    margin-bottom: var(--s4);
  }
  .note + .buttons {
    margin-top: var(--s4);
  }
  .buttons > * {
    flex: 1 1 0;
  }
  .returns {
    text-align: center;
    font-size: var(--small);
  }
`
