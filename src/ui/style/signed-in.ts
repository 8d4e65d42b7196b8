/** The frame of the signed-in pages. */
import { html as css } from "../../kernel/html.ts"

export const signedIn = css`
  body:has(> .top) {
    padding-top: var(--s5);
  }
  .top {
    width: 100%;
    max-width: 46rem;
    margin: 0 auto var(--s4);
  }
  .top.broad,
  .card.broad {
    max-width: 76rem;
  }
  .card.column {
    max-width: 46rem;
  }
  .narrow > * {
    max-width: 30rem;
  }
  .top-line {
    display: flex;
    align-items: center;
    gap: var(--s2) var(--s4);
  }
  .top-line .brand {
    margin: 0 auto 0 0;
    min-height: 2.75rem;
    color: inherit;
    text-decoration: none;
  }
  .whoami {
    min-width: 0;
    overflow: hidden;
    color: var(--soft);
    font-size: var(--small);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .top-line .link {
    margin: 0;
    font-size: var(--small);
    white-space: nowrap;
  }
  .places {
    margin-top: var(--s2);
  }
  .places ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0 var(--s1);
    margin: 0 calc(-1 * var(--s3));
  }
  .places a {
    display: block;
    padding: var(--s2) var(--s3);
    border-radius: var(--round);
    color: var(--soft);
    font-size: var(--small);
    font-weight: 500;
    line-height: 1.75rem;
    text-decoration: none;
  }
  .places a:hover {
    background: var(--sunken);
    color: var(--ink);
  }
  .places [aria-current] {
    color: var(--ink);
    font-weight: 600;
    text-decoration: underline;
    text-decoration-color: var(--accent);
    text-decoration-thickness: 2px;
    text-underline-offset: 0.5em;
  }
  .places a::after {
    content: attr(data-label);
    display: block;
    height: 0;
    overflow: hidden;
    visibility: hidden;
    font-weight: 600;
  }
  .places .elsewhere {
    margin-left: auto;
  }
  @media print {
    .top {
      display: none;
    }
  }
  @media (max-width: 36rem) {
    body:has(> .top) {
      padding-top: 0;
    }
    .top {
      margin: 0;
      padding: var(--s2) 1.25rem;
      border-bottom: 1px solid var(--line);
    }
    .top-line .brand {
      padding: 0;
      border: 0;
    }
    .places {
      margin-top: 0;
    }
    .places ul {
      margin: 0 calc(-1 * var(--s2));
      gap: 0;
    }
    .places a {
      padding: var(--s2);
      font-size: var(--tiny);
    }
    .places .elsewhere {
      margin-left: 0;
    }
    .card.column,
    .card.broad {
      max-width: none;
    }
  }
`
