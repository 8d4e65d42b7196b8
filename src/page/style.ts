/**
 * The one style sheet, inline in every page, so that a page is one response. Whoever sends a page puts the SHA-256 of
 * `styleText` into the `style-src` of its content policy. Tokens first, then elements, then parts from top to bottom.
 */
import { html } from "./html.ts"

/** The same tag under the name that editors and the formatter know for style sheets. */
const css = html

const tokens = css`
  :root {
    color-scheme: light dark;
    --page: #f5f4f0;
    --card: #ffffff;
    --sunken: #f7f6f3;
    --ink: #1a1f1c;
    --soft: #4b534e;
    --line: #e3e1da;
    --edge: #8b918c;
    --accent: #155e4c;
    --accent-over: #0f4a3c;
    --on-accent: #ffffff;
    --link: #155e4c;
    --serious: #fcf5e4;
    --serious-line: #dfc48a;
    --serious-ink: #664407;
    --wrong: #fdf1ef;
    --wrong-line: #e6b3aa;
    --wrong-ink: #8c1d12;
    --lift: 0 1px 2px rgb(26 31 28 / 5%), 0 12px 32px -12px rgb(26 31 28 / 14%);
    --tiny: 0.8125rem;
    --small: 0.9375rem;
    --body: 1rem;
    --large: 1.125rem;
    --title: 1.5rem;
    --s1: 0.25rem;
    --s2: 0.5rem;
    --s3: 0.75rem;
    --s4: 1rem;
    --s5: 1.5rem;
    --s6: 2rem;
    --s7: 2.5rem;
    --s8: 4rem;
    --round: 0.625rem;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --page: #101312;
      --card: #191d1b;
      --sunken: #212624;
      --ink: #eef1ef;
      --soft: #b6beb9;
      --line: #2e3431;
      --edge: #7c857f;
      --accent: #7fd1b3;
      --accent-over: #9be0c6;
      --on-accent: #08231a;
      --link: #7fd1b3;
      --serious: #272011;
      --serious-line: #5d4c22;
      --serious-ink: #f0d08f;
      --wrong: #2c1a17;
      --wrong-line: #6c372f;
      --wrong-ink: #ffb9ac;
      --lift: none;
    }
  }
`

const elements = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  html {
    -webkit-text-size-adjust: 100%;
    text-size-adjust: 100%;
  }
  body {
    margin: 0;
    min-height: 100vh;
    min-height: 100dvh;
    padding: clamp(2rem, 8vh, 6rem) var(--s4) var(--s8);
    background: var(--page);
    color: var(--ink);
    font:
      var(--body) / 1.5 -apple-system,
      BlinkMacSystemFont,
      "Segoe UI Variable Text",
      "Segoe UI",
      Inter,
      Roboto,
      "Noto Sans",
      "Helvetica Neue",
      "Liberation Sans",
      Arial,
      sans-serif;
    overflow-wrap: anywhere;
    -webkit-font-smoothing: antialiased;
  }
  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  h1 {
    font-size: var(--title);
    line-height: 1.25;
    font-weight: 600;
    letter-spacing: -0.015em;
    text-wrap: balance;
  }
  h2 {
    font-size: var(--large);
    line-height: 1.35;
    font-weight: 600;
    letter-spacing: -0.005em;
  }
  h3 {
    font-size: var(--small);
    font-weight: 600;
  }
  ul,
  ol {
    list-style: none;
  }
  strong {
    font-weight: 600;
  }
  code {
    font:
      0.9em / 1.4 ui-monospace,
      SFMono-Regular,
      Menlo,
      Consolas,
      "Liberation Mono",
      monospace;
    padding: 0.1em 0.35em;
    border-radius: 0.3em;
    background: var(--sunken);
  }
  svg {
    flex: none;
    display: block;
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
`

const frame = css`
  .brand {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: var(--s2);
    margin-bottom: var(--s5);
    font-weight: 600;
    letter-spacing: -0.01em;
  }
  .mark {
    color: var(--accent);
  }
  .card {
    width: 100%;
    max-width: 27rem;
    margin: 0 auto;
    padding: var(--s7);
    border: 1px solid var(--line);
    border-radius: 1rem;
    background: var(--card);
    box-shadow: var(--lift);
  }
  .card.wide {
    max-width: 35rem;
  }
  .card > * + * {
    margin-top: var(--s5);
  }
  .card > h1 + .lead {
    margin-top: var(--s3);
  }
  .lead,
  .note,
  .hint {
    color: var(--soft);
  }
  .note,
  .hint {
    font-size: var(--small);
  }
  .tile {
    display: block;
    flex: none;
    width: 4rem;
    height: 4rem;
    border-radius: 1rem;
  }
  .tile + h1 {
    margin-top: var(--s4);
  }
  h1:has(.name) {
    font-weight: 400;
  }
  .name {
    font-weight: 700;
  }
  .unseen {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`

const forms = css`
  .stack > * + * {
    margin-top: var(--s5);
  }
  label {
    display: block;
    font-weight: 600;
    font-size: var(--small);
  }
  input {
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

const consent = css`
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
    gap: var(--s2);
    color: var(--serious-ink);
    font-weight: 600;
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

const account = css`
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

const security = css`
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
    align-items: center;
    gap: var(--s4);
  }
  .enrol figcaption > * {
    display: block;
    margin-top: var(--s2);
  }
  .qr {
    width: min(100%, 15rem);
    height: auto;
    border-radius: var(--round);
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

const surroundings = css`
  @media (max-width: 36rem) {
    body {
      padding: 0;
      background: var(--card);
    }
    .brand {
      justify-content: flex-start;
      margin: 0;
      padding: var(--s4) 1.25rem;
      border-bottom: 1px solid var(--line);
    }
    .card,
    .card.wide {
      max-width: none;
      padding: var(--s5) 1.25rem var(--s7);
      border: 0;
      border-radius: 0;
      box-shadow: none;
    }
    .administration,
    .refused {
      padding: var(--s4);
    }
    .buttons {
      flex-direction: column;
    }
    .buttons > * {
      flex: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      transition: none !important;
    }
  }
  @media (forced-colors: active) {
    .tile {
      forced-color-adjust: none;
    }
    .administration,
    .refused,
    .empty,
    .tag,
    .chips > li {
      border: 1px solid CanvasText;
    }
    .primary {
      border-color: ButtonText;
    }
  }
  @media print {
    body {
      padding: 0;
      background: none;
    }
    .card,
    .card.wide {
      max-width: none;
      padding: 0;
      border: 0;
      box-shadow: none;
    }
    .permissions > li,
    .access {
      break-inside: avoid;
    }
  }
`

export const style = css`
  ${tokens}${elements}${frame}${forms}${consent}${account}${security}${surroundings}
`

/** Exactly what stands between the tags of the style element. */
export const styleText: string = style.toString()
