/** Elements, wherever they stand. */
import { html as css } from "../../kernel/html.ts"

export const elements = css`
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
  p {
    text-wrap: pretty;
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
