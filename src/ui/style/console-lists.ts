/** Lists: a table where there is room, and a card for each row where there is none; filters above, pages below. */
import { html as css } from "../../kernel/html.ts"

export const consoleLists = css`
  .scroll {
    overflow-x: auto;
    border: 1px solid var(--line);
    border-radius: var(--round);
  }
  .list {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--small);
  }
  .list th,
  .list td {
    padding: 0.625rem var(--s4);
    text-align: left;
    vertical-align: top;
  }
  .list thead th {
    background: var(--sunken);
    color: var(--soft);
    font-size: var(--tiny);
    font-weight: 500;
    white-space: nowrap;
  }
  .list tbody tr {
    border-top: 1px solid var(--line);
  }
  .list tbody tr:hover {
    background: var(--sunken);
  }
  .list .first {
    font-weight: 600;
  }
  .list .first .note,
  .list .first code {
    font-weight: 400;
  }
  .list time {
    white-space: nowrap;
  }
  .list .label {
    display: none;
  }
  .list .value {
    overflow-wrap: break-word;
  }
  .list .value > .note,
  .list .value > .state {
    display: inline-block;
  }
  .fold summary {
    width: fit-content;
    color: var(--link);
    font-size: var(--small);
    font-weight: 600;
    line-height: 2.75rem;
    cursor: pointer;
  }
  .filters {
    display: flex;
    flex-wrap: wrap;
    align-items: flex-start;
    gap: var(--s3);
  }
  .filters .field {
    flex: 1 1 11rem;
    max-width: 22rem;
  }
  .filters input,
  .filters select,
  .filters button {
    min-height: 2.75rem;
    margin-top: var(--s1);
  }
  /* Level with the fields, below no label. */
  .filters button {
    margin-top: calc(var(--small) * 1.5 + var(--s1));
  }
  .tabs ul {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s1);
  }
  .tabs a {
    display: block;
    padding: var(--s1) var(--s3);
    border: 1px solid var(--line);
    border-radius: 2em;
    font-size: var(--small);
    line-height: 1.75rem;
    text-decoration: none;
  }
  .tabs a:hover {
    background: var(--sunken);
  }
  .console .tabs [aria-current] {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--on-accent);
    font-weight: 600;
  }
  .pager {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s3);
  }
  .pager .next-page {
    margin-left: auto;
  }
  .ways {
    display: flex;
    flex-wrap: wrap;
    gap: var(--s2) var(--s4);
    font-size: var(--small);
  }
  .settings > li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(8rem, 14rem) auto;
    align-items: center;
    gap: var(--s3) var(--s5);
    padding: var(--s4) 0;
    border-bottom: 1px solid var(--line);
  }
  .settings > li:first-child {
    border-top: 1px solid var(--line);
  }
  .settings h2 {
    font-size: var(--body);
  }
  .settings .value > * {
    display: block;
  }
  .ailing > li + li {
    margin-top: var(--s5);
    padding-top: var(--s5);
    border-top: 1px solid var(--line);
  }
  .well > li {
    padding: var(--s1) 0;
  }
  .ailing > li > * + *,
  .findings {
    margin-top: var(--s3);
  }
  .findings > li {
    padding: var(--s3) var(--s4);
    border: 1px solid var(--line);
    border-radius: var(--round);
  }
  .findings > li + li {
    margin-top: var(--s3);
  }
  .findings p {
    margin-top: var(--s2);
  }
  .told > li + li {
    margin-top: var(--s2);
  }
  .missed .icon {
    color: var(--soft);
  }
  .app-head {
    display: flex;
    align-items: center;
    gap: var(--s3);
  }
  .app-head .tile {
    width: 2.75rem;
    height: 2.75rem;
    border-radius: 0.7rem;
  }
  @media (max-width: 44rem) {
    .settings > li {
      grid-template-columns: 1fr;
      align-items: start;
    }
    .settings .button {
      justify-self: start;
    }
    .scroll {
      overflow-x: visible;
      border: 0;
    }
    .list,
    .list tbody,
    .list tr,
    .list th,
    .list td {
      display: block;
    }
    .list thead {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .list tbody tr {
      display: flex;
      flex-wrap: wrap;
      gap: 0 var(--s4);
      padding: var(--s3) 0;
    }
    .list tbody tr:last-child {
      border-bottom: 1px solid var(--line);
    }
    .list tbody th,
    .list tbody td {
      padding: 0.125rem 0;
    }
    .list tbody .first {
      flex: 1 0 100%;
      font-size: var(--body);
    }
    .list tbody .none {
      display: none;
    }
    .list .label {
      display: inline;
      margin-right: var(--s2);
      color: var(--soft);
      font-weight: 400;
    }
    .list .first .label {
      display: none;
    }
    .filters .field {
      max-width: none;
    }
    .filters button {
      flex: 1 1 100%;
      margin-top: 0;
    }
    .console > .fold,
    .console > .fold + * {
      margin-top: var(--s2);
    }
    .console > .fold[open] + * {
      margin-top: var(--s5);
    }
  }
  /* Where there is room the filters stand open, if the browser knows how to open them. */
  @media (min-width: 44.01rem) {
    @supports selector(::details-content) {
      .fold summary {
        display: none;
      }
      .fold::details-content {
        content-visibility: visible;
        block-size: auto;
      }
    }
  }
`
