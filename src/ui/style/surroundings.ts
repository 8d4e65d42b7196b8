/** Small windows, less motion, forced colours, paper. */
import { html as css } from "../../kernel/html.ts"

export const surroundings = css`
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
